import Alarms
import EggProtocol
import EggTime
import Gettext

extension AlarmText {
  /// Everything about an alarm: its line, then fields, then its past occurrences. `width` is that of a line in cells, nil
  /// for any.
  func full(_ reply: ShowReply, width: Int?, colours: Bool) -> String {
    let alarm = reply.alarm
    var fields = Fields()
    fields.add(tr("state"), alarm.stateWords + (alarm.done ? tr(", done") : ""))
    let anniversary = AnniversaryText(alarm, moments: moments)
    anniversary?.add(to: &fields)
    if anniversary?.isLunar == true, alarm.hasDates {
      fields.add(tr("kind"), tr("each lunar birthday until \(LunarDate.years.upperBound)") + clock(of: alarm))
    } else {
      fields.add(tr("entered"), alarm.expression?.visible)
      fields.add(tr("kind"), alarm.kind.map { timing(of: alarm, $0) })
    }
    let category = alarm.category == .other ? "" : ", \(alarm.category.rawValue)"
    fields.add(tr("eggs"), "\(alarm.eggs)\(category)")
    fields.add(tr("group"), alarm.group?.visible)
    fields.add(tr("from"), alarm.from.map(moments.text))
    fields.add(tr("until"), alarm.until.map(moments.text))
    fields.add(tr("count"), alarm.count.map { tr("\($0) more") })
    fields.add(tr("if missed"), missedPolicy(of: alarm))
    fields.add(tr("rings"), alarm.leads.flatMap(moments.leads))
    fields.add(tr("moment"), alarm.moment.map(moments.text))
    fields.add(tr("except"), alarm.except.map { $0.map(\.visible).list })
    fields.add(tr("only on"), alarm.onlyOn.map { $0.map(\.visible).list })
    for range in alarm.skips ?? [] { fields.add(tr("skips"), moments.text(range)) }
    for moment in (reply.upcoming ?? []) { fields.add(tr("next"), moments.text(moment)) }
    for (name, text) in alarm.manner.lines { fields.add(name, text) }
    fields.add(tr("key"), alarm.key?.visible)
    fields.add(tr("created"), alarm.createdAt.map(moments.text))
    fields.add(tr("changed"), alarm.modifiedAt.map(moments.text))
    fields.add(tr("done"), alarm.doneAt.map(moments.text))
    fields.add(tr("id"), alarm.id?.description)
    let rings = Set(reply.occurrences.compactMap(\.firedAt))
    for occurrence in reply.occurrences {
      fields.add(occurrence.outcome.word, past(occurrence, besides: rings))
      for hook in occurrence.hooks ?? [] { fields.add(tr("ran"), hook.words) }
    }
    return line(alarm) + fields.text(width: width, colours: colours)
  }

  private func timing(of alarm: WireAlarm, _ kind: Timing.Kind) -> String {
    switch kind {
    case .in: alarm.span.map { tr("in \(SpanText.canonical($0))") } ?? "in"
    case .at where alarm.floats == true: tr("at, in this machine's zone")
    case .at: alarm.zone.map { tr("at, in \($0.visible)") } ?? tr("at, in any zone")
    case .every where alarm.rule != nil: tr("by rule \((alarm.rule ?? "").visible)") + clock(of: alarm)
    case .every: tr("every \(alarm.recurrence?.visible ?? "")") + clock(of: alarm)
    }
  }

  private func clock(of alarm: WireAlarm) -> String {
    guard !alarm.isElapsed else { return "" }
    return alarm.floats == true
      ? tr(", in this machine's zone") : tr(", in \(alarm.zone?.visible ?? tr("its zone"))")
  }

  private func missedPolicy(of alarm: WireAlarm) -> String? {
    switch alarm.ifMissed {
    case .record: tr("recorded, not rung late")
    case .ringWithin: tr("rings if at most \(alarm.ringWithin.map(SpanText.whole) ?? "") late")
    case .ring, nil: nil
    }
  }

  /// `2026. 11. 20. 21:41:00, 3 s late: eggd was not running, dismissed 2 min ago`.
  private func past(_ occurrence: WireOccurrence, besides rings: Set<Instant>) -> String {
    var parts = [moments.text(occurrence.dueAt)]
    if let ahead = occurrence.ahead {
      parts.append(tr("for \(moments.text(occurrence.dueAt + ahead))"))
    }
    if let late = AlarmText.lateness(occurrence) { parts.append(late) }
    if let count = occurrence.missedCount, count > 1 {
      parts.append(tr("for \(count > 1_000 ? tr("more than 1000") : "\(count)") times"))
    }
    if let until = occurrence.snoozedUntil { parts.append(tr("snoozed until \(moments.text(until))")) }
    if occurrence.outcome == .rung {
      if let dismissed = occurrence.dismissal(besides: rings) {
        parts.append(tr("dismissed \(moments.ago(dismissed))"))
      }
      if occurrence.shownAt == nil { parts.append(tr("not yet shown on a desktop")) }
    }
    return parts.joined(separator: ", ")
  }
}
