import Gettext

extension RecurrenceSet {
  /// See ``RecurringTime/words(in:)``. A rule too complex for words is its text.
  ///
  /// - Parameter zone: With a blank before it, or empty.
  func words(in wording: @escaping Wording, zone: String = "") -> String {
    guard let rule else {
      let moments = Set(dates + [start]).filter { moment in
        !excluded.contains { $0.isDay ? $0.civil.dayNumber == moment.dayNumber : $0.civil == moment }
      }
      if moments.count == 1, let only = moments.first { return wording("once, on \(only)") + zone }
      return wording("on \(moments.count) dates") + zone
    }
    var text =
      plain?.words(in: wording)
      ?? (timesInWords(rule, wording) ?? wording("by the rule \(rule)")) + (zoneName.map { " \($0)" } ?? "")
    text += zone
    if dates.count == 1 { text = wording("\(text), and on one more date") }
    if dates.count > 1 { text = wording("\(text), and on \(dates.count) more dates") }
    if excluded.count == 1 { text = wording("\(text), except on one date") }
    if excluded.count > 1 { text = wording("\(text), except on \(excluded.count) dates") }
    return text
  }

  /// The interval with the same words; nil where none has them.
  private var plain: RecurringInterval? {
    let first = CivilDateTime(secondsOnClock: start.secondsOnClock + lead.secondsOnClock)
    guard first.dayNumber == start.dayNumber, let step = rule?.step(from: start) else { return nil }
    return RecurringInterval(step, from: first, zoneName: zoneName)
  }

  /// `every Mon–Fri 09:00, 10:30`; nil for all rules but those of ``RecurrenceRule/init(at:weekdays:monthDays:)``.
  private func timesInWords(_ rule: RecurrenceRule, _ wording: @escaping Wording) -> String? {
    let all = (rule.hours ?? []).sorted().flatMap { hour in (rule.minutes ?? []).sorted().map { (hour, $0) } }
    let times = all.indices.filter { rule.places?.contains($0 + 1) ?? true }.map { all[$0] }
    let weekdays = Weekday.allCases.filter { weekday in
      rule.days?.contains { $0.weekday == weekday.rawValue } ?? false
    }
    let bits = weekdays.reduce(UInt8(0)) { $0 | 1 << $1.rawValue }
    guard !times.isEmpty, lead == .zero, (start.second, start.microsecond) == (0, 0),
      rule == RecurrenceRule(at: times, weekdays: bits, monthDays: rule.monthDays ?? [])
    else { return nil }
    let words = TimeWords(in: wording)
    var days = weekdays.isEmpty ? wording("every day") : words.every(weekdays)
    if let monthDays = rule.monthDays {
      let sorted = monthDays.filter { $0 > 0 }.sorted() + monthDays.filter { $0 < 0 }.sorted()
      days = wording("every month on \(sorted.map(words.day).joined(separator: ", "))")
    }
    var named = times.map { TimeOfDay(hour: $0.0, minute: $0.1).text }
    if named.count > 4 { named.replaceSubrange(2..<named.count - 1, with: ["…"]) }
    return "\(days) \(named.joined(separator: ", "))"
  }
}
