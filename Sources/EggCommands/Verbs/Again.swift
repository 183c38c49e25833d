import ArgumentParser
import EggProtocol

/// `eggctl again`: a new alarm from the text of another.
struct Again: Verb {
  static let configuration = CommandConfiguration(
    commandName: "again", _superCommandName: Eggctl.name,
    abstract: "Make a new alarm from the time that was typed for another, read anew.",
    discussion: """
      eggctl again 12

      What was scheduled as 6m30s rings six and a half minutes from now, what
      was scheduled as 07:30 the next time that the clock shows it. Where the
      text is read differently by now, a hint tells both meanings.
      """)

  @Argument(help: ArgumentHelp("The other alarm: its number or UUID.", valueName: "number"))
  var alarm: String
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let (show, again) =
      switch try AlarmName(alarm) {
      case .number(let number): (ShowCall(number: number), AgainCall(number: number))
      case .id(let id): (ShowCall(id: id), AgainCall(id: id))
      }
    let connection = try Connection(surroundings)
    let meaning = StoredMeaning(try connection.read(show).alarm, moments: try Moments(surroundings))
    let reply = try connection.call(again) { meaning.failure($0) }
    try surroundings.output.answer(form, json: reply.alarm, numbers: [reply.alarm.number]) {
      AlarmText(moments: try Moments(surroundings)).line(reply.alarm, base: reply.alarm.createdAt)
    }
    guard form == .text else { return }
    let difference = meaning.difference(from: reply.alarm)
    if let difference { try surroundings.output.hint(difference) }
    try surroundings.explain(
      reply.alarm, typed: difference == nil ? reply.alarm.expression : nil, as: reply.alarm.forcedKind)
  }
}
