import Alarms
import EggProtocol
import EggTime
import Gettext

struct AlarmText {
  let moments: Moments

  /// `#12  2026. 11. 20. 21:41:00  in 6 min 30 s   two soft ones`. Without a next ring, the state takes the
  /// place of the time left. Adds the day (`on Friday at midnight`), and the rule and end of a recurring alarm.
  ///
  /// The time left counts from `base`, by default now. For a reply to `schedule` that is when eggd read the
  /// call, so that the entered span is shown.
  func line(_ alarm: WireAlarm, base: Instant? = nil) -> String {
    "#\(alarm.number)  \(words(alarm, base: base))\n"
  }

  /// The line without the number.
  func words(_ alarm: WireAlarm, base: Instant? = nil) -> String {
    let left = alarm.due.map { tr("in \(SpanText.whole($0 - (base ?? moments.now)))") }
    var line = [alarm.shownMoment.map { moments.text($0) }, day(of: alarm), left ?? alarm.stateWords]
      .compactMap(\.self).joined(separator: "  ")
    if let remaining = alarm.remaining { line += tr(", \(SpanText.whole(remaining)) left") }
    if left != nil, alarm.state != .scheduled { line += ", \(alarm.stateWords)" }
    if alarm.done { line += tr(", done") }
    line += remarks(alarm)
    if let rule = alarm.rule(in: moments.zone) {
      line += "  " + ([rule] + bounds(of: alarm)).joined(separator: ", ")
    }
    if let label = alarm.label { line += "   \(label.visible)" }
    return line
  }

  /// `4 times`, `until 4 Dec`: how often a recurring alarm still rings, and for how long.
  private func bounds(of alarm: WireAlarm) -> [String] {
    let until = alarm.until.map { end in
      let civil = moments.zone.civil(at: end + TimeSpan(microseconds: 1))
      let isDay = civil == CivilDateTime(dayNumber: civil.dayNumber)
      return tr("until \(isDay ? moments.date(moments.zone.civil(at: end)) : moments.text(end))")
    }
    let left = alarm.count.flatMap { $0 > 0 ? $0 : nil }
    return [left.map { tr(one: "\($0) time", many: "\($0) times", count: $0) }, until].compactMap(\.self)
  }

  /// `#12  next rings Mon 07:30  in 3 d  skips 24 Dec – 1 Jan   get up`, for a reply about days to skip.
  func quietLine(_ alarm: WireAlarm) -> String {
    let next = alarm.due.map { due in
      tr("next rings \(moments.weekday(due))") + "  " + tr("in \(SpanText.whole(due - moments.now))")
    }
    let label = alarm.label.map { "   \($0.visible)" } ?? ""
    return "#\(alarm.number)  \(next ?? alarm.stateWords)\(remarks(alarm))\(label)\n"
  }

  /// `  for 14:30  skips 24 Dec – 1 Jan  except holidays`
  private func remarks(_ alarm: WireAlarm) -> String {
    [
      moments.thing(due: alarm.due, moment: alarm.moment), moments.skips(alarm.skips),
      moments.daysOff(except: alarm.except, onlyOn: alarm.onlyOn),
    ].compactMap { $0.map { "  \($0)" } }.joined()
  }

  /// `on Friday` unless that is today or tomorrow, `at midnight` if no time of day was entered; nil if
  /// neither applies, or without a next ring.
  private func day(of alarm: WireAlarm) -> String? {
    guard let due = alarm.due else { return nil }
    let (civil, today) = (moments.zone.civil(at: due), moments.zone.civil(at: moments.now))
    var words: [String] = []
    if !(0...1).contains(civil.dayNumber - today.dayNumber) {
      words.append(tr("on \(civil.weekday.word)"))
    }
    if civil == CivilDateTime(dayNumber: civil.dayNumber), alarm.state != .snoozed, isTypedAsDay(alarm) {
      words.append(tr("at midnight"))
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private func isTypedAsDay(_ alarm: WireAlarm) -> Bool {
    guard let text = alarm.expression else { return false }
    let context = ReadingContext(now: moments.now, zone: moments.zone)
    return (try? TimeExpression.read(text, in: context, as: alarm.forcedKind?.expressionKind))?.isDayAlone
      ?? false
  }

  /// `4 eggs in 3 alarms · next rings in 5 s`; leaves out the second part if `width` is too small.
  func totals(_ totals: Totals, in width: Int? = nil) -> String {
    let counts = tr("\(Counted.eggs(totals.eggs)) in \(Counted.alarms(totals.alarms))")
    guard let next = totals.next.map({ SpanText.left($0 - moments.now) }) else {
      return tr("\(counts) · nothing to come")
    }
    let forms = [tr("\(counts) · next rings in \(next)"), "\(counts) · \(next)"]
    return forms.first { $0.displayWidth <= width ?? .max } ?? counts
  }

  /// `3 s late: eggd was not running`; nil if it was on time.
  static func lateness(_ occurrence: WireOccurrence) -> String? {
    occurrence.lateness.flatMap {
      Lateness.text($0, occurrence.lateReason, words: SpanText.left, in: tr)
    }
  }
}

enum Counted {
  static func alarms(_ count: Int64) -> String {
    tr(one: "\(count) alarm", many: "\(count) alarms", count: count)
  }

  static func eggs(_ count: Int64) -> String { tr(one: "\(count) egg", many: "\(count) eggs", count: count) }

  static func days(_ count: Int64) -> String { tr(one: "\(count) day", many: "\(count) days", count: count) }
}

extension WireAlarm {
  /// The next moment, else the one that done cancelled, else the last one; nil while it is paused and does not ring.
  var shownMoment: Instant? { due ?? (state == .paused ? nil : doneDue ?? latest?.dueAt) }

  /// `ringing`; `ringing, paused` where no more is to come.
  var stateWords: String {
    paused == true ? "\(state.word), \(Alarm.Phase.paused.word)" : state.word
  }
}
