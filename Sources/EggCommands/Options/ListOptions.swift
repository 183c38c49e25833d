import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext

/// The filters of `list`.
struct ListOptions: ParsableArguments {
  @Option(help: "Only this category; can be repeated.") var category: [Category] = []
  @Option(
    help: ArgumentHelp("Only this group; \"\" for alarms without a group.", valueName: "name"),
    completion: .values(.groups))
  var group: String?
  @Option(help: "Only this state; can be repeated.") var state: [Alarm.Phase] = []
  @Option(help: ArgumentHelp("Only alarms with this text in label or note, in any case.", valueName: "text"))
  var label: String?
  @Option(help: ArgumentHelp("Only alarms due before that time.", valueName: "time")) var dueBefore: String?
  @Option(help: ArgumentHelp("Only alarms due at that time or later.", valueName: "time")) var dueFrom:
    String?
  @Flag(help: "Only alarms that are or were due today.") var today = false
  @Flag(help: "Only alarms that have rung.") var rung = false
  @Flag(help: "Only alarms marked done.") var done = false
  @Flag(help: "Only alarms not marked done.") var undone = false

  /// Whether any filter is given.
  var isSet: Bool {
    !category.isEmpty || group != nil || !state.isEmpty || label != nil || dueBefore != nil || dueFrom != nil
      || today || rung || done || undone
  }

  func apply(to call: inout ListCall, in surroundings: Surroundings) throws {
    if !category.isEmpty { call.categories = category }
    call.group = group
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
