import ArgumentParser
import EggProtocol

/// `eggctl undone`: takes the person's own mark away.
struct Undone: Verb {
  static let configuration = CommandConfiguration(
    commandName: "undone", _superCommandName: Eggctl.name,
    abstract: "Take the done mark from alarms.",
    usage: "eggctl undone NUMBER … [OPTION …]",
    discussion: """
      eggctl undone 12

      A one-shot that was marked before it rang waits for its moment again; where
      that has passed meanwhile, it is missed.
      """)

  @Argument(help: ArgumentHelp("The alarms: numbers (12), ranges (3-7) or UUIDs.", valueName: "number"))
  var alarms: [String] = []
  @Flag(help: "Every alarm that is marked done.") var all = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    try surroundings.change(
      alarms, all: all, verb: "undone", as: try answer.form(), precondition: "it is not marked done",
      empty: "none is marked done"
    ) { MarkDoneCall($0, done: false) }
  }
}
