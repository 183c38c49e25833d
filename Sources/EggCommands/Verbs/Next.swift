import ArgumentParser
import EggProtocol

/// `eggctl next`: the alarm that rings first.
struct Next: Verb {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Show the alarm that rings next.",
    discussion: """
      eggctl next
      eggctl next --json
      """)

  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let reply = try Connection(surroundings).read(
      ListCall(limit: 1, order: .due, states: [.scheduled, .snoozed, .ringing]))
    guard let alarm = reply.alarms.first, alarm.due != nil else {
      switch form {
      case .text: try surroundings.output.data("nothing is to come\n")
      case .json: try surroundings.output.data("{}\n")
      case .numbers: break
      }
      return
    }
    try surroundings.output.answer(form, json: alarm, numbers: [alarm.number]) {
      AlarmText(moments: try Moments(surroundings)).line(alarm)
    }
  }
}
