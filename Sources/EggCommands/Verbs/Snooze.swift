import ArgumentParser
import EggProtocol
import Gettext

struct Snooze: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "snooze", tr("Make ringing alarms ring again, by default in five minutes."),
    usage: "eggctl snooze [NUMBER …] [SPAN | until TIME] [OPTION …]",
    discussion: """
      eggctl snooze
      eggctl snooze 10m
      eggctl snooze 12
      eggctl snooze 12 10m
      eggctl snooze 12 half an hour
      eggctl snooze 12 until tomorrow 9am
      eggctl snooze --all 1h

      Without a number it is the one alarm that rings. A snooze until a time of day
      follows the wall clock and the zone.
      """)

  @Argument(
    help: ArgumentHelp("The alarms, then how long.", valueName: "number"),
    completion: .values(.snoozable))
  var words: [String] = []
  @Flag(help: "Every ringing alarm.") var all = false
  @OptionGroup var answer: DatedAnswerOptions

  static var precondition: String { tr("only ringing alarms can be snoozed") }

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let (selection, text) = try surroundings.selectionAndSpan(
      reading: words, all: all, AlarmNaming("snooze", fitting: .snoozable, in: surroundings), isSnooze: true)
    let length = try text.isEmpty ? nil : surroundings.snooze(reading: text)
    let call = try length?.call(selection, zone: surroundings.zoneName()) ?? SnoozeCall(selection)
    let reply = try Connection(surroundings).change(
      call, precondition: Self.precondition)
    try surroundings.show(reply, as: form, empty: tr("no alarm is ringing"))
    if form == .text, case .until(let moment)? = length, let alarm = reply.alarms.first {
      try surroundings.explain(alarm, typed: moment)
    }
  }
}
