import ArgumentParser
import EggProtocol

/// `eggctl skip`: leave out the next ring of alarms.
struct Skip: Verb {
  static let configuration = CommandConfiguration(
    commandName: "skip", _superCommandName: Eggctl.name,
    abstract: "Leave out the next ring of alarms.",
    usage: "eggctl skip NUMBER … [OPTION …]",
    discussion: """
      eggctl skip 12

      A recurring alarm goes on with the one after; a one-shot is over. It stays
      in the list, and history says that it was skipped.
      """)

  @Argument(help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"))
  var alarms: [String] = []
  @Flag(help: "Every alarm that waits.") var all = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "skip", as: try answer.form(), precondition: "nothing of it is to come",
      empty: "nothing is to come"
    ) { SkipCall($0) }
  }
}
