import EggProtocol
import EggTime

extension Surroundings {
  /// Shows the alarms that a call changed, as many as the reply has, then throws for those that were named and do not
  /// exist.
  ///
  /// `base` is the moment that an alarm's time left counts from, by default now.
  func show(
    _ reply: AlarmsReply, as form: AnswerForm, empty: String = "nothing was changed",
    base: (WireAlarm) -> Instant? = { _ in nil }
  ) throws {
    try output.answer(form, json: reply, numbers: reply.alarms.map(\.number)) {
      guard !reply.alarms.isEmpty else { return reply.isComplete ? empty + "\n" : "" }
      let text = AlarmText(moments: try Moments(self))
      let more = reply.others > 0 ? "and \(reply.others) more\n" : ""
      return reply.alarms.map { text.line($0, base: base($0)) }.joined() + more
    }
    if form == .numbers, reply.others > 0 { try output.note("and \(reply.others) more") }
    if !reply.isComplete { throw Failure.missing(reply.missing, reply.missingIds) }
  }

  /// Makes one change of the alarms that the words name, or of all, and shows them. `precondition` is what it asks of an
  /// alarm's state, `empty` what is said where no alarm met it.
  func change<Call: ScheduleMethod>(
    _ alarms: [String], all: Bool, verb: String, as form: AnswerForm, precondition: String, empty: String,
    _ call: (WireSelection) -> Call
  ) throws where Call: SelectingCall, Call.Reply == AlarmsReply {
    let selection = try WireSelection.only(alarms, all: all, verb: verb)
    let reply = try Connection(self).change(call(selection), precondition: precondition)
    try show(reply, as: form, empty: empty)
  }

  /// Asks a question that is answered by y; anything else ends the verb.
  func confirm(_ question: String) throws {
    let answer = ask?("\(question) [y/N] ")?.lowercased()
    guard answer == "y" || answer == "yes" else { throw Failure(.refused, "nothing was changed") }
  }
}

extension AlarmsReply {
  fileprivate var isComplete: Bool { missing.isEmpty && missingIds.isEmpty }

  /// How many were changed and are not shown, as there were too many.
  fileprivate var others: Int64 { max(0, (count ?? 0) - Int64(alarms.count)) }
}
