import Alarms
import ArgumentParser
import EggProtocol
import EggTime

/// What of the list is wanted.
struct ListOptions: ParsableArguments {
  @Option(help: "Only of this category; may be given several times.") var category: [Category] = []
  @Option(help: ArgumentHelp("Only of this group; \"\" for those in none.", valueName: "name")) var group:
    String?
  @Option(help: "Only in this state; may be given several times.") var state: [Alarm.Phase] = []
  @Option(help: ArgumentHelp("Only with this in the label or the note, in any case.", valueName: "text"))
  var label: String?
  @Option(help: ArgumentHelp("Only what is due before that time.", valueName: "time")) var dueBefore: String?
  @Option(help: ArgumentHelp("Only what is due at that time or later.", valueName: "time")) var dueFrom:
    String?
  @Flag(help: "Only what is due today, or was.") var today = false
  @Flag(help: "Only what has rung.") var rung = false
  @Flag(help: "Only what is marked done.") var done = false
  @Flag(help: "Only what is not marked done.") var undone = false

  /// Whether there are any.
  var isSet: Bool {
    !category.isEmpty || group != nil || !state.isEmpty || label != nil || dueBefore != nil || dueFrom != nil
      || today || rung || done || undone
  }

  /// Puts the filters into a call.
  func apply(to call: inout ListCall, in surroundings: Surroundings) throws {
    if !category.isEmpty { call.categories = category }
    call.group = group
    call.label = label
    if done, undone { throw Failure(.usage, "--done and --undone exclude each other") }
    if done || undone { call.done = done }
    if rung, !state.isEmpty { throw Failure(.usage, "--rung and --state exclude each other") }
    if rung { call.states = [.ringing, .snoozed, .rung] } else if !state.isEmpty { call.states = state }
    if today {
      guard dueFrom == nil, dueBefore == nil else {
        throw Failure(.usage, "--today excludes --due-from and --due-before")
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
  /// A state that eggd has: `other` stands for those of a later version.
  public init?(argument: String) {
    guard let phase = Alarm.Phase(rawValue: argument), phase != .other else { return nil }
    self = phase
  }

  /// As help and completion name them.
  public static var allValueStrings: [String] { allCases.filter { $0 != .other }.map(\.rawValue) }
}
