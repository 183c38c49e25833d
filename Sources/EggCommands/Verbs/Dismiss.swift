import ArgumentParser
import EggProtocol

/// `eggctl dismiss`: ends ringing.
struct Dismiss: Verb {
  static let configuration = CommandConfiguration(
    commandName: "dismiss", _superCommandName: Eggctl.name,
    abstract: "End the ringing of alarms, or their snooze.",
    discussion: """
      eggctl dismiss 12
      eggctl dismiss --all
      """)

  @Argument(help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"))
  var alarms: [String] = []
  @Flag(help: "Every alarm that is ringing or snoozed.") var all = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "dismiss", as: try answer.form(),
      precondition: "only what is ringing or snoozed can be dismissed",
      empty: "nothing is ringing"
    ) { DismissCall($0) }
  }
}
