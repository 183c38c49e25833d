import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext

extension List {
  var isFiltered: Bool {
    !category.isEmpty || !group.isEmpty || !state.isEmpty || label != nil || dueBefore != nil
      || dueFrom != nil
      || today || rung || done || undone
  }

  func filter(_ call: inout ListCall, in surroundings: Surroundings) throws {
    if !category.isEmpty { call.categories = category }
    if group.count > 1 {
      throw Failure(.usage, tr("an alarm has one group: give --group once"))
    }
    call.group = group.first
    call.label = label
    if done, undone { throw Failure(.usage, tr("--done and --undone exclude each other")) }
    if done || undone { call.done = done }
    if rung, !state.isEmpty { throw Failure(.usage, tr("--rung and --state exclude each other")) }
    if rung { call.states = [.ringing, .snoozed, .rung] } else if !state.isEmpty { call.states = state }
    if today {
      guard dueFrom == nil, dueBefore == nil else {
        throw Failure(.usage, tr("--today excludes --due-from and --due-before"))
      }
      let zone = try surroundings.zone()
      let day = zone.civil(at: surroundings.now())
      let midnight = CivilDateTime(year: day.year, month: day.month, day: day.day)
      call.dueFrom = zone.resolve(midnight).instant
      call.dueBefore = zone.resolve(midnight.adding(days: 1)).instant
    } else {
      call.dueFrom = try dueFrom.map { try surroundings.moment(reading: $0) }
      call.dueBefore = try dueBefore.map { try surroundings.moment(reading: $0) }
    }
  }
}

extension Alarm.Phase: ExpressibleByArgument {
  /// Refuses `other`, which stands for states of a later version.
  public init?(argument: String) {
    guard let phase = Alarm.Phase(rawValue: argument), phase != .other else { return nil }
    self = phase
  }

  /// The values that help and completion list.
  public static var allValueStrings: [String] { allCases.filter { $0 != .other }.map(\.rawValue) }
}
