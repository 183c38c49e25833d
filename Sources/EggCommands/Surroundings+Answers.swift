import EggProtocol
import EggTime

extension Surroundings {
  /// Shows the alarms that a call changed, then throws for those that were named and do not exist.
  ///
  /// `base` is the moment that an alarm's time left counts from, by default now.
  func show(
    _ reply: AlarmsReply, as form: AnswerForm, empty: String = "nothing was changed",
    base: (WireAlarm) -> Instant? = { _ in nil }
  ) throws {
    try output.answer(form, json: reply, numbers: reply.alarms.map(\.number)) {
      guard !reply.alarms.isEmpty else { return reply.isComplete ? empty + "\n" : "" }
      let text = AlarmText(moments: try Moments(self))
      return reply.alarms.map { text.line($0, base: base($0)) }.joined()
    }
    if !reply.isComplete { throw Failure.missing(reply.missing, reply.missingIds) }
  }

  /// Asks a question that is answered by y; anything else ends the verb.
  func confirm(_ question: String) throws {
    let answer = ask?("\(question) [y/N] ")?.lowercased()
    guard answer == "y" || answer == "yes" else { throw Failure(.interrupted, "nothing was changed") }
  }
}

extension AlarmsReply {
  fileprivate var isComplete: Bool { missing.isEmpty && missingIds.isEmpty }
}
