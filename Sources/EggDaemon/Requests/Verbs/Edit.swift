import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func edit(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: EditCall = try call.parameters()
    let selection = try asked.selected()
    var edit = AlarmEdit()
    if let text = asked.label { edit.label = .some(try TextRules.label(text)) }
    if let text = asked.summary { edit.summary = .some(try TextRules.summary(text)) }
    if let text = asked.body { edit.body = .some(try TextRules.body(text)) }
    if let text = asked.icon { edit.icon = .some(try TextRules.icon(text)) }
    if let text = asked.note { edit.note = .some(try TextRules.note(text)) }
    if let span = asked.insist { edit.insist = .some(try TextRules.insist(span)) }
    edit.wake = asked.wake
    if let text = asked.sound { edit.sound = .some(try TextRules.sound(text)) }
    if let text = asked.run {
      let run = try TextRules.run(text)
      try permit(run, for: call)
      edit.run = .some(run)
    }
    if let group = asked.group { edit.group = .some(group.isEmpty ? nil : group) }
    edit.category = asked.category
    edit.eggs = try TextRules.eggs(asked.eggs)
    if let expression = asked.expression {
      edit.timing = try timingReader(readAt).read(
        expression, kind: asked.kind, zone: asked.zone, from: try beginning(asked.from))
    } else {
      // Both say how to read an expression; alone they mean nothing.
      if asked.kind != nil { throw .invalidParameter("kind") }
      if asked.zone != nil { throw .invalidParameter("zone") }
    }
    if let policy = asked.ifMissed {
      guard let ifMissed = MissedPolicy(policy, ringWithin: asked.ringWithin) else {
        throw .invalidParameter("ringWithin")
      }
      edit.ifMissed = ifMissed
    } else if asked.ringWithin != nil {
      throw .invalidParameter("ringWithin")
    }
    (edit.until, edit.count) = try bounds(
      from: asked.from, until: asked.until, count: asked.count, of: edit.timing)
    edit.from = asked.from
    guard asked.changesSomething else {
      throw ScheduleError.missingParameter(oneOf: EditCall.changing).failure
    }
    submit(EditChange(selection, edit), readAt, for: call, answer: answer)
  }
}

extension EditCall {
  /// The parameters that change something on their own.
  fileprivate static let changing = [
    "expression", "label", "category", "eggs", "group", "summary", "body", "icon", "note", "sound", "insist",
    "run", "wake", "ifMissed",
  ]

  fileprivate var changesSomething: Bool {
    expression != nil || label != nil || category != nil || eggs != nil || summary != nil || body != nil
      || group != nil || icon != nil || note != nil || sound != nil || insist != nil || run != nil
      || wake != nil
      || ifMissed != nil
  }
}
