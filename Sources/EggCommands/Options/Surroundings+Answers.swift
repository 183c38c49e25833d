import EggProtocol
import EggTime
import Gettext

extension Surroundings {
  /// Shows one alarm. `base` is as in ``AlarmText/line(_:base:)``.
  func show(_ alarm: WireAlarm, base: Instant?, as form: AnswerForm) throws {
    try output.answer(form, json: alarm, numbers: [alarm.number]) {
      AlarmText(moments: try Moments(self)).line(alarm, base: base)
    }
  }

  /// Shows the changed alarms that the reply holds, then throws if some of the given alarms do not exist.
  ///
  /// `line` words an alarm.
  func show(
    _ reply: AlarmsReply, as form: AnswerForm, empty: String = tr("nothing was changed"),
    line: (AlarmText, WireAlarm) -> String = { $0.line($1) }
  ) throws {
    try output.answer(form, json: reply, numbers: reply.alarms.map(\.number)) {
      guard !reply.alarms.isEmpty else { return reply.isComplete ? empty + "\n" : "" }
      let text = AlarmText(moments: try Moments(self))
      let more = reply.others > 0 ? tr("and \(reply.others) more") + "\n" : ""
      return reply.alarms.map { line(text, $0) }.joined() + more
    }
    try tellRest(of: reply, as: form)
  }

  /// Behind a list of numbers says how many more there are. Throws if some of the given alarms do not exist.
  func tellRest(of reply: some SelectionReply, as form: AnswerForm) throws {
    if form == .numbers, reply.others > 0 { try output.note(tr("and \(reply.others) more")) }
    if !reply.isComplete { throw Failure.missing(reply.missing, reply.missingIds) }
  }

  /// Asks a question; any answer other than y or yes ends the verb.
  func confirm(_ question: String) throws {
    let answer = ask?("\(question) [y/N] ")?.lowercased()
    guard answer == "y" || answer == "yes" else { throw Failure(.refused, tr("nothing was changed")) }
  }
}

extension SelectionReply {
  fileprivate var isComplete: Bool { missing.isEmpty && missingIds.isEmpty }
}
