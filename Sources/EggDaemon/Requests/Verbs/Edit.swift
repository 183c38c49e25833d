import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension Scheduling {
  func edit(_ call: ServerCall, _ reader: TimingReader) throws(CallFailure) {
    let asked: EditCall = try call.parameters()
    let selection = try asked.selected()
    let edit = try asked.edit(reader)
    try changes.clients.permit(edit.manner, for: call)
    changes.submit(EditChange(selection, edit), reader.readAt, for: call, answer: changes.answer)
  }
}

extension EditCall {
  fileprivate func edit(_ reader: TimingReader) throws(CallFailure) -> AlarmEdit {
    var edit = AlarmEdit()
    if let label { edit.label = .some(try TextRules.label(label)) }
    _ = try TextRules.manner(manner)
    edit.manner = manner
    if let group { edit.group = .some(group.isEmpty ? nil : group) }
    edit.category = category
    edit.eggs = try TextRules.eggs(eggs)
    if let expression {
      edit.timing = try reader.read(expression, kind: kind, zone: zone, from: from)
    } else {
      // Both say how to read an expression; alone they mean nothing.
      if kind != nil { throw .invalidParameter("kind") }
      if zone != nil { throw .invalidParameter("zone") }
      try TimingReader.checkBeginning(from)
    }
    if let ifMissed {
      guard let policy = MissedPolicy(ifMissed, ringWithin: ringWithin) else {
        throw .invalidParameter("ringWithin")
      }
      edit.ifMissed = policy
    } else if ringWithin != nil {
      throw .invalidParameter("ringWithin")
    }
    edit.from = from ?? edit.timing?.from
    edit.until = until ?? edit.timing?.until
    edit.count = count ?? edit.timing?.count
    edit.isEndless = endless ?? false
    if edit.isEndless, edit.until != nil || edit.count != nil { throw .invalidParameter("endless") }
    try TimingReader.checkBounds(from: edit.from, until: edit.until, count: edit.count, of: edit.timing)
    if let leads { edit.leads = try TextRules.leads(leads) }
    if let except { edit.except = try TextRules.daysOff(except, "except") }
    if let onlyOn { edit.onlyOn = try TextRules.daysOff(onlyOn, "onlyOn") }
    guard self != EditCall(selection) else {
      throw ScheduleError.missingParameter(oneOf: Self.changing).failure
    }
    return edit
  }

  /// The parameters that change something on their own.
  private static let changing =
    ["expression", "label", "category", "eggs", "group"] + Manner.fields.map(\.name)
    + ["from", "until", "count", "endless", "ifMissed", "leads", "except", "onlyOn"]
}
