import ArgumentParser
import EggProtocol
import Gettext

struct Snooze: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    commandName: "snooze", _superCommandName: Eggctl.name,
    abstract: tr("Make ringing alarms ring again later, by default in five minutes."),
    usage: "eggctl snooze [NUMBER …] [SPAN] [OPTION …]",
    discussion: """
      eggctl snooze
      eggctl snooze 10m
      eggctl snooze 12
      eggctl snooze 12 10m
      eggctl snooze 12 half an hour
      eggctl snooze --all 1h

      Without a number it is the one alarm that rings.
      """)

  @Argument(
    help: ArgumentHelp("The alarms, then the span.", valueName: "number"),
    completion: .values(.snoozable))
  var words: [String] = []
  @Flag(help: "Every ringing alarm.") var all = false
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let (selection, text) = try surroundings.selectionAndSpan(
      reading: words, all: all, AlarmNaming("snooze", fitting: .snoozable, in: surroundings),
      takesOneThatRings: true)
    let span = text.isEmpty ? nil : try surroundings.span(reading: text)
    if let span, !SnoozeCall.spans.contains(span) {
      throw Failure(.usage, tr("a snooze must last between 1 second and 366 days"))
    }
    let reply = try Connection(surroundings).change(
      SnoozeCall(selection, span: span), precondition: tr("only ringing alarms can be snoozed"))
    try surroundings.show(reply, as: form, empty: tr("no alarm is ringing"))
  }
}
