import ArgumentParser
import EggProtocol
import Gettext

/// A verb that changes selected alarms and takes nothing else.
protocol SelectingVerb: DatedAnswerVerb {
  associatedtype Call: SelectingCall where Call.Reply == AlarmsReply

  /// The alarms that completion offers.
  static var offered: ValueSource { get }
  /// The state that the change needs.
  static var precondition: String { get }
  /// The output if no alarm was in it.
  static var empty: String { get }
  /// Whether it means the one alarm that rings where none is named.
  static var takesOneThatRings: Bool { get }

  static func call(_ selection: WireSelection) -> Call

  var alarms: [String] { get }
  var all: Bool { get }
}

extension SelectingVerb {
  static var takesOneThatRings: Bool { false }

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let naming = AlarmNaming(Self.configuration.commandName ?? "", fitting: Self.offered, in: surroundings)
    let isOneThatRings = Self.takesOneThatRings && alarms.isEmpty && !all
    let selection = try isOneThatRings ? naming.ringing() : naming.selection(alarms, all: all)
    let reply = try Connection(surroundings).change(Self.call(selection), precondition: Self.precondition)
    try surroundings.show(reply, as: form, empty: Self.empty)
  }
}

struct Done: SelectingVerb {
  static let configuration = CommandConfiguration(
    "done", tr("Mark alarms done."),
    usage: "eggctl done NUMBER … [OPTION …]",
    discussion: """
      eggctl done 12
      eggctl done 3-7

      A waiting one-shot no longer rings; eggctl undone restores it. A ringing alarm
      is dismissed. For a recurring alarm the mark belongs to the last ring, until
      the next one.
      """)

  @Argument(help: .alarms, completion: .values(offered)) var alarms: [String] = []
  @Flag(help: "Every alarm.") var all = false
  @OptionGroup var answer: DatedAnswerOptions

  static let offered = ValueSource.markable
  static var precondition: String { tr("it cannot be marked") }
  static var empty: String { tr("all alarms are done") }

  static func call(_ selection: WireSelection) -> MarkDoneCall { MarkDoneCall(selection, done: true) }
}

struct Undone: SelectingVerb {
  static let configuration = CommandConfiguration(
    "undone", tr("Remove the done mark from alarms."),
    usage: "eggctl undone NUMBER … [OPTION …]",
    discussion: """
      eggctl undone 12

      A one-shot that was marked before it rang waits again; if its time has passed,
      it is missed.
      """)

  @Argument(help: .alarms, completion: .values(offered)) var alarms: [String] = []
  @Flag(help: "Every alarm marked done.") var all = false
  @OptionGroup var answer: DatedAnswerOptions

  static let offered = ValueSource.unmarkable
  static var precondition: String { tr("it is not marked done") }
  static var empty: String { tr("no alarm is marked done") }

  static func call(_ selection: WireSelection) -> MarkDoneCall { MarkDoneCall(selection, done: false) }
}

struct Dismiss: SelectingVerb {
  static let configuration = CommandConfiguration(
    "dismiss", tr("End the ringing or the snooze of alarms."),
    discussion: """
      eggctl dismiss
      eggctl dismiss 12
      eggctl dismiss --all

      Without a number it is the one alarm that rings.
      """)

  @Argument(help: .alarms, completion: .values(offered)) var alarms: [String] = []
  @Flag(help: "Every ringing or snoozed alarm.") var all = false
  @OptionGroup var answer: DatedAnswerOptions

  static let offered = ValueSource.dismissable
  static let takesOneThatRings = true
  static var precondition: String { tr("only ringing or snoozed alarms can be dismissed") }
  static var empty: String { tr("no alarm is ringing") }

  static func call(_ selection: WireSelection) -> DismissCall { DismissCall(selection) }
}

struct Resume: SelectingVerb {
  static let configuration = CommandConfiguration(
    "resume", tr("Resume paused alarms."),
    usage: "eggctl resume NUMBER … [OPTION …]",
    discussion: """
      eggctl resume 12
      eggctl resume --all
      """)

  @Argument(help: .alarms, completion: .values(offered)) var alarms: [String] = []
  @Flag(help: "Every paused alarm.") var all = false
  @OptionGroup var answer: DatedAnswerOptions

  static let offered = ValueSource.resumable
  static var precondition: String { tr("only paused alarms can be resumed") }
  static var empty: String { tr("no alarm is paused") }

  static func call(_ selection: WireSelection) -> ResumeCall { ResumeCall(selection) }
}
