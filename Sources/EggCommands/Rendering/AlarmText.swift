import Alarms
import EggProtocol
import EggTime

/// Alarms as lines for people.
struct AlarmText {
  let moments: Moments

  /// `#12  2026. 11. 20. 21:41:00  in 6 min 30 s   two soft ones`; where nothing is to come, its state stands
  /// in the place of the time left. All of it is told: `on Friday at midnight` behind the moment, the whole time left,
  /// and the rule of a recurring alarm.
  ///
  /// `base` is the moment that time left counts from, by default now: a reply to `schedule` counts from when
  /// the call was read, so that the time that was typed is the time that is shown.
  func line(_ alarm: WireAlarm, base: Instant? = nil) -> String {
    var line = "#\(alarm.number)"
    if let moment = alarm.shownMoment { line += "  \(moments.text(moment))" }
    if let day = day(of: alarm) { line += "  \(day)" }
    let left = alarm.due.map { "in \(SpanText.whole($0 - (base ?? moments.now)))" }
    line += "  " + (left ?? alarm.state.rawValue)
    if let remaining = alarm.remaining { line += ", \(SpanText.whole(remaining)) left" }
    if left != nil, alarm.state != .scheduled { line += ", \(alarm.state.rawValue)" }
    if alarm.done { line += ", done" }
    if let rule = alarm.rule(in: moments.zone) { line += "  \(rule)" }
    if let label = alarm.label { line += "   \(label.visible)" }
    return line + "\n"
  }

  /// `on Friday` where the day is not today or tomorrow, `at midnight` where no time of day was typed; nil where neither
  /// is to be said, and where nothing is to come.
  private func day(of alarm: WireAlarm) -> String? {
    guard let due = alarm.due else { return nil }
    let (civil, today) = (moments.zone.civil(at: due), moments.zone.civil(at: moments.now))
    var words: [String] = []
    if !(0...1).contains(civil.dayNumber - today.dayNumber) {
      let name = civil.weekday.name
      words.append("on \(name.prefix(1).uppercased())\(name.dropFirst())")
    }
    if civil == CivilDateTime(dayNumber: civil.dayNumber), alarm.state != .snoozed, isTypedAsDay(alarm) {
      words.append("at midnight")
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private func isTypedAsDay(_ alarm: WireAlarm) -> Bool {
    guard let text = alarm.expression else { return false }
    let context = ReadingContext(now: moments.now, zone: moments.zone)
    return (try? TimeExpression.read(text, in: context, as: alarm.forcedKind?.expressionKind))?.isDayAlone
      ?? false
  }

  /// `4 eggs in 3 alarms · next rings in 5 s`; without `next rings in` where that is too wide.
  func totals(_ totals: Totals, in width: Int? = nil) -> String {
    let counts = "\(counted(totals.eggs, "egg")) in \(counted(totals.alarms, "alarm"))"
    guard let next = totals.next.map({ SpanText.left($0 - moments.now) }) else {
      return "\(counts) · nothing to come"
    }
    let whole = "\(counts) · next rings in \(next)"
    return whole.displayWidth <= width ?? .max ? whole : "\(counts) · \(next)"
  }

  /// `3 s late: eggd was not running`; nil for an occurrence in time.
  static func lateness(_ occurrence: WireOccurrence) -> String? {
    occurrence.lateness.flatMap { Lateness.text($0, occurrence.lateReason) }
  }
}

/// `1 egg`, `2 eggs`.
func counted(_ count: Int64, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

extension WireAlarm {
  /// The moment to come, else the one that a done mark cancelled, else the one it was last due at.
  var shownMoment: Instant? { due ?? doneDue ?? latest?.dueAt }
}
