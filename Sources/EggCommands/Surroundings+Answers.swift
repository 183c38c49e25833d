import EggProtocol

extension Surroundings {
  /// Shows the alarms that a call changed, then throws for those that were named and do not exist.
  func show(_ reply: AlarmsReply, as form: AnswerForm, empty: String = "nothing was changed") throws {
    try output.answer(form, json: reply, numbers: reply.alarms.map(\.number)) {
      guard !reply.alarms.isEmpty else { return reply.isComplete ? empty + "\n" : "" }
      let text = AlarmText(moments: try Moments(self))
      return reply.alarms.map { text.line($0, base: $0.modifiedAt) }.joined()
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
