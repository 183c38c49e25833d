import ArgumentParser
import EggProtocol
import EggTime

/// `eggctl snooze`: ringing alarms ring again later.
struct Snooze: Verb {
  static let configuration = CommandConfiguration(
    commandName: "snooze", _superCommandName: Eggctl.name,
    abstract: "Let ringing alarms ring again later, by default in five minutes.",
    usage: "eggctl snooze NUMBER … [SPAN] [OPTION …]",
    discussion: """
      eggctl snooze 12
      eggctl snooze 12 10m
      eggctl snooze --all 1h
      """)

  @Argument(help: ArgumentHelp("The alarms, then how much later.", valueName: "number"))
  var words: [String] = []
  @Flag(help: "Every alarm that is ringing.") var all = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let (selection, rest) = try WireSelection.read(words, all: all)
    try selection.check(verb: "snooze")
    let span = rest.isEmpty ? nil : try surroundings.span(reading: rest.joined(separator: " "))
    if let span, !SnoozeCall.spans.contains(span) {
      throw Failure(.usage, "a snooze lasts a second at least and 366 days at most")
    }
    let reply = try Connection(surroundings).change(
      SnoozeCall(selection, span: span), precondition: "only what is ringing can be snoozed")
    try surroundings.show(reply, as: form, empty: "nothing is ringing")
  }
}
