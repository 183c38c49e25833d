import Alarms
import EggProtocol
import EggTime

extension AlarmText {
  /// Everything about an alarm: its line, then fields, then its past occurrences.
  func full(_ reply: ShowReply, colours: Bool) -> String {
    let alarm = reply.alarm
    var fields = Fields()
    fields.add("state", alarm.state.rawValue + (alarm.done ? ", done" : ""))
    AnniversaryText(alarm, moments: moments)?.add(to: &fields)
    fields.add("entered", alarm.expression?.visible)
    fields.add("kind", alarm.kind.map { timing(of: alarm, $0) })
    let category = alarm.category == .other ? "" : ", \(alarm.category.rawValue)"
    fields.add("eggs", "\(alarm.eggs)\(category)")
    fields.add("group", alarm.group?.visible)
    fields.add("from", alarm.from.map(moments.text))
    fields.add("until", alarm.until.map(moments.text))
    fields.add("count", alarm.count.map { "\($0) more" })
    fields.add("if missed", missedPolicy(of: alarm))
    for moment in (reply.upcoming ?? []) { fields.add("next", moments.text(moment)) }
    fields.add("title", alarm.summary?.visible)
    fields.add("body", alarm.body?.visible)
    fields.add("icon", alarm.icon?.visible)
    fields.add("note", alarm.note?.visibleLines)
    fields.add("sound", alarm.sound?.visible)
    fields.add("insists", alarm.insist.map { "every \(SpanText.left($0)) until answered" })
    fields.add("key", alarm.key?.visible)
    fields.add("created", alarm.createdAt.map(moments.text))
    fields.add("changed", alarm.modifiedAt.map(moments.text))
    fields.add("done", alarm.doneAt.map(moments.text))
    fields.add("id", alarm.id?.description)
    for occurrence in reply.occurrences { fields.add(occurrence.outcome.rawValue, past(occurrence)) }
    return line(alarm) + fields.text(colours: colours)
  }

  private func timing(of alarm: WireAlarm, _ kind: Timing.Kind) -> String {
    switch kind {
    case .in: alarm.span.map { "in \(SpanText.canonical($0))" } ?? "in"
    case .at where alarm.floats == true: "at, in this machine's zone"
    case .at: alarm.zone.map { "at, in \($0.visible)" } ?? "at, in any zone"
    case .every:
      "every \((alarm.calendarEvent ?? alarm.interval)?.visible ?? "")" + clock(of: alarm)
    }
  }

  private func clock(of alarm: WireAlarm) -> String {
    guard !alarm.isElapsed else { return "" }
    return alarm.floats == true
      ? ", in this machine's zone" : ", in \(alarm.zone?.visible ?? "its zone")"
  }

  private func missedPolicy(of alarm: WireAlarm) -> String? {
    switch alarm.ifMissed {
    case .record: "recorded, not rung late"
    case .ringWithin: "rings if at most \(alarm.ringWithin.map(SpanText.canonical) ?? "") late"
    case .ring, nil: nil
    }
  }

  /// `2026. 11. 20. 21:41:00, 3 s late: eggd was not running, dismissed 2 min ago`.
  private func past(_ occurrence: WireOccurrence) -> String {
    var parts = [moments.text(occurrence.dueAt)]
    if let late = AlarmText.lateness(occurrence) { parts.append(late) }
    if let count = occurrence.missedCount, count > 1 {
      parts.append("for \(count > 1_000 ? "more than 1000" : "\(count)") times")
    }
    if let until = occurrence.snoozedUntil { parts.append("snoozed until \(moments.text(until))") }
    if occurrence.outcome == .rung {
      if let dismissed = occurrence.dismissedAt { parts.append("dismissed \(moments.ago(dismissed))") }
      if occurrence.shownAt == nil { parts.append("not yet shown on a desktop") }
    }
    return parts.joined(separator: ", ")
  }
}
