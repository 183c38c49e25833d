import ArgumentParser
import EggProtocol

/// `eggctl resume`: let paused alarms go on.
struct Resume: Verb {
  static let configuration = CommandConfiguration(
    commandName: "resume", _superCommandName: Eggctl.name,
    abstract: "Let paused alarms go on.",
    usage: "eggctl resume NUMBER … [OPTION …]",
    discussion: """
      eggctl resume 12
      eggctl resume --all
      """)

  @Argument(help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"))
  var alarms: [String] = []
  @Flag(help: "Every alarm that is paused.") var all = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "resume", as: try answer.form(), precondition: "only what is paused can go on",
      empty: "nothing is paused"
    ) { ResumeCall($0) }
  }
}
