import ArgumentParser
import EggProtocol

/// `eggctl pause`: stop countdowns, and let recurring alarms pass over what comes.
struct Pause: Verb {
  static let configuration = CommandConfiguration(
    commandName: "pause", _superCommandName: Eggctl.name,
    abstract: "Stop countdowns, and let recurring alarms pass over what comes.",
    usage: "eggctl pause NUMBER … [OPTION …]",
    discussion: """
      eggctl pause 12
      eggctl resume 12

      A countdown goes on with what is left of it. An alarm at a date and time
      cannot be paused: skip or delete it.
      """)

  @Argument(help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"))
  var alarms: [String] = []
  @Flag(help: "Every countdown and every recurring alarm that waits.") var all = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "pause", as: try answer.form(),
      precondition: "only a countdown or a recurring alarm that waits can be paused",
      empty: "nothing can be paused"
    ) { PauseCall($0) }
  }
}
