import ArgumentParser
import EggProtocol
import Gettext

struct Again: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "again", tr("Schedule a new alarm by reading another alarm's time again."),
    discussion: """
      eggctl again 12
      eggctl again

      Without a number it is the one alarm that rings. An alarm scheduled as 6m30s
      rings again in six and a half minutes, one scheduled as 07:30 at the next
      07:30. If the text now means something else, a hint gives both meanings. The
      new alarm copies the rest, but only what is left of a --count. A recurring
      alarm that has ended is refused.
      """)

  @Argument(
    help: ArgumentHelp("The other alarm: its number, label or UUID.", valueName: "number"),
    completion: .values(.alarms))
  var alarm: String?
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let naming = AlarmNaming("again", in: surroundings)
    let name = try alarm.map(naming.name)
    let number = try name == nil ? naming.ringing().numbers[0] : name?.number
    let connection = try Connection(surroundings)
    let other = try connection.read(ShowCall(number: number, id: name?.id)).alarm
    let meaning = StoredMeaning(alarm: other, moments: try Moments(surroundings))
    let reply = try connection.call(AgainCall(number: number, id: name?.id))
    try surroundings.show(reply.alarm, base: reply.alarm.createdAt, as: form)
    guard form == .text else { return }
    let difference = meaning.difference(from: reply.alarm)
    if let difference { try surroundings.output.hint(difference) }
    if let count = reply.alarm.count {
      let number = "\(other.number)"
      try surroundings.output.hint(
        tr(
          one: "it rings \(count) time, as many as alarm \(number) has left",
          many: "it rings \(count) times, as many as alarm \(number) has left", count: count))
    }
    try surroundings.explain(
      reply.alarm, typed: difference == nil ? reply.alarm.expression : nil, as: reply.alarm.forcedKind)
    try surroundings.warnUnlessAwake(for: [reply.alarm], connection, form)
  }
}
