import ArgumentParser
import EggProtocol

/// `eggctl again`: a new alarm from the text of another.
struct Again: Verb {
  static let configuration = CommandConfiguration(
    commandName: "again",
    abstract: "Make a new alarm from the time that was typed for another, read anew.",
    discussion: """
      eggctl again 12

      What was scheduled as 6m30s rings six and a half minutes from now, what
      was scheduled as 07:30 the next time that the clock shows it.
      """)

  @Argument(help: ArgumentHelp("The other alarm: its number or UUID.", valueName: "number"))
  var alarm: String
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let call =
      switch try AlarmName(alarm) {
      case .number(let number): AgainCall(number: number)
      case .id(let id): AgainCall(id: id)
      }
    let reply = try Connection(surroundings).call(call)
    try surroundings.output.answer(form, json: reply.alarm, numbers: [reply.alarm.number]) {
      AlarmText(moments: try Moments(surroundings)).line(reply.alarm, base: reply.alarm.createdAt)
    }
  }
}
