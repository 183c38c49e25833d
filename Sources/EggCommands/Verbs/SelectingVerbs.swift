import ArgumentParser
import EggProtocol
import Gettext

/// What one verb says and does that changes selected alarms and takes nothing else.
protocol SelectingChange {
  associatedtype Call: SelectingCall where Call.Reply == AlarmsReply

  static var configuration: CommandConfiguration { get }
  /// The alarms that completion offers.
  static var offered: ValueSource { get }
  /// Explains `--all`.
  static var every: ArgumentHelp { get }
  /// The state that the change needs.
  static var precondition: String { get }
  /// The output if no alarm was in it.
  static var empty: String { get }

  /// Whether it means the one alarm that rings where none is named.
  static var takesOneThatRings: Bool { get }

  static func call(_ selection: WireSelection) -> Call
}

extension SelectingChange {
  static var takesOneThatRings: Bool { false }
}

/// A verb that changes selected alarms.
struct SelectingVerb<Change: SelectingChange>: DatedAnswerVerb {
  static var configuration: CommandConfiguration { Change.configuration }

  @Argument(
    help: ArgumentHelp("The alarms: numbers (12), ranges (3-7), labels or UUIDs.", valueName: "number"),
    completion: .values(Change.offered))
  var alarms: [String] = []
  @Flag(help: Change.every) var all = false
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let verb = Change.configuration.commandName ?? ""
    let naming = AlarmNaming(verb, fitting: Change.offered, in: surroundings)
    let isOneThatRings = Change.takesOneThatRings && alarms.isEmpty && !all
    let selection = try isOneThatRings ? naming.ringing() : naming.selection(alarms, all: all)
    let reply = try Connection(surroundings).change(
      Change.call(selection), precondition: Change.precondition)
    try surroundings.show(reply, as: form, empty: Change.empty)
  }
}

typealias Done = SelectingVerb<MarkingDone>

enum MarkingDone: SelectingChange {
  static let configuration = CommandConfiguration(
    commandName: "done", _superCommandName: Eggctl.name,
    abstract: tr("Mark alarms done."),
    usage: "eggctl done NUMBER … [OPTION …]",
    discussion: """
      eggctl done 12
      eggctl done 3-7

      A waiting one-shot no longer rings; eggctl undone restores it. A ringing alarm
      is dismissed. For a recurring alarm the mark belongs to the last ring, until
      the next one.
      """)
  static let offered = ValueSource.markable
  static let every = ArgumentHelp("Every alarm.")
  static var precondition: String { tr("it cannot be marked") }
  static var empty: String { tr("all alarms are already done") }

  static func call(_ selection: WireSelection) -> MarkDoneCall { MarkDoneCall(selection, done: true) }
}

typealias Undone = SelectingVerb<MarkingUndone>

enum MarkingUndone: SelectingChange {
  static let configuration = CommandConfiguration(
    commandName: "undone", _superCommandName: Eggctl.name,
    abstract: tr("Remove the done mark from alarms."),
    usage: "eggctl undone NUMBER … [OPTION …]",
    discussion: """
      eggctl undone 12

      A one-shot that was marked before it rang waits again; if its time has passed,
      it is missed.
      """)
  static let offered = ValueSource.unmarkable
  static let every = ArgumentHelp("Every alarm marked done.")
  static var precondition: String { tr("it is not marked done") }
  static var empty: String { tr("no alarm is marked done") }

  static func call(_ selection: WireSelection) -> MarkDoneCall { MarkDoneCall(selection, done: false) }
}

typealias Dismiss = SelectingVerb<Dismissing>

enum Dismissing: SelectingChange {
  static let configuration = CommandConfiguration(
    commandName: "dismiss", _superCommandName: Eggctl.name,
    abstract: tr("End the ringing or the snooze of alarms."),
    discussion: """
      eggctl dismiss
      eggctl dismiss 12
      eggctl dismiss --all

      Without a number it is the one alarm that rings.
      """)
  static let offered = ValueSource.dismissable
  static let takesOneThatRings = true
  static let every = ArgumentHelp("Every ringing or snoozed alarm.")
  static var precondition: String { tr("only ringing or snoozed alarms can be dismissed") }
  static var empty: String { tr("no alarm is ringing") }

  static func call(_ selection: WireSelection) -> DismissCall { DismissCall(selection) }
}

typealias Resume = SelectingVerb<Resuming>

enum Resuming: SelectingChange {
  static let configuration = CommandConfiguration(
    commandName: "resume", _superCommandName: Eggctl.name,
    abstract: tr("Resume paused alarms."),
    usage: "eggctl resume NUMBER … [OPTION …]",
    discussion: """
      eggctl resume 12
      eggctl resume --all
      """)
  static let offered = ValueSource.resumable
  static let every = ArgumentHelp("Every paused alarm.")
  static var precondition: String { tr("only paused alarms can be resumed") }
  static var empty: String { tr("no alarm is paused") }

  static func call(_ selection: WireSelection) -> ResumeCall { ResumeCall(selection) }
}
