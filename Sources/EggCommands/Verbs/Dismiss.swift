import ArgumentParser
import EggProtocol
import Gettext

/// `eggctl dismiss`: ends the ringing of alarms.
struct Dismiss: DatedVerb {
  static let configuration = CommandConfiguration(
    commandName: "dismiss", _superCommandName: Eggctl.name,
    abstract: tr("End the ringing or the snooze of alarms."),
    discussion: """
      eggctl dismiss 12
      eggctl dismiss --all
      """)

  @Argument(
    help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"),
    completion: .values(.dismissable))
  var alarms: [String] = []
  @Flag(help: "Every ringing or snoozed alarm.") var all = false
  @OptionGroup var dates: DateOptions
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "dismiss", as: try answer.form(),
      precondition: tr("only ringing or snoozed alarms can be dismissed"),
      empty: tr("no alarm is ringing")
    ) { DismissCall($0) }
  }
}
