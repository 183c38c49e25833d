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
      ?? wording("by the rule \(rule)") + (zoneName.map { " \($0)" } ?? "")
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
    guard let rule, first.dayNumber == start.dayNumber,
      [rule.seconds, rule.minutes, rule.hours, rule.yearDays, rule.weeks, rule.places].allSatisfy({
        $0 == nil
      })
    else { return nil }
    let step: RecurringInterval.Step?
    switch (rule.frequency, rule.months?.count, rule.monthDays?.count, rule.days?.count) {
    case (.daily, nil, nil, nil): step = .days(rule.interval)
    case (.weekly, nil, nil, _):
      let named = rule.days?.map(\.weekday) ?? [start.weekday.rawValue]
      step = .weeks(rule.interval, on: Set(named.map { Weekday.allCases[$0] }))
    case (.monthly, nil, nil, nil): step = .months(rule.interval, on: .day(start.day))
    case (.monthly, nil, 1, nil): step = rule.monthDays?.first.map { .months(rule.interval, on: .day($0)) }
    case (.monthly, nil, nil, 1):
      step = rule.days?.first.flatMap { day in
        (1...5).contains(abs(day.ordinal))
          ? .months(rule.interval, on: .weekday(Weekday.allCases[day.weekday], day.ordinal)) : nil
      }
    case (.yearly, nil, nil, nil): step = .months(12 * rule.interval, on: .day(start.day))
    default: step = nil
    }
    return step.flatMap { RecurringInterval($0, from: first, zoneName: zoneName) }
  }
}
