import EggTime

/// An interval as the value of an RRULE, for an entry that starts at one of its elapses.
struct IntervalRule {
  /// Without UNTIL or COUNT; nil if no rule expresses the interval.
  let text: String?

  init(_ interval: RecurringInterval) {
    guard case .civil(let start) = interval.start else {
      text = Self.elapsed(interval.step)
      return
    }
    text = Self.rule(interval.step, from: start)
  }

  /// Whole seconds, in the largest unit that divides them.
  private static func elapsed(_ step: RecurringInterval.Step) -> String? {
    guard case .elapsed(let span) = step, span.microseconds % 1_000_000 == 0 else { return nil }
    let seconds = span.microseconds / 1_000_000
    if seconds % 3_600 == 0 { return every(seconds / 3_600, "HOURLY") }
    return seconds % 60 == 0 ? every(seconds / 60, "MINUTELY") : every(seconds, "SECONDLY")
  }

  private static func every(_ count: Int64, _ frequency: String) -> String {
    count == 1 ? "FREQ=\(frequency)" : "FREQ=\(frequency);INTERVAL=\(count)"
  }

  private static func rule(_ step: RecurringInterval.Step, from start: CivilDateTime) -> String? {
    switch step {
    case .elapsed: return nil
    case .days(let count): return every(Int64(count), "DAILY")
    case .weeks(let count, let days):
      let names = days.map(\.rawValue).sorted().map { RecurrenceRule.weekdays[$0] }
      return every(Int64(count), "WEEKLY") + ";WKST=MO;BYDAY=" + names.joined(separator: ",")
    case .months(let count, let monthDay):
      let day =
        switch monthDay {
        case .day(let day): "BYMONTHDAY=\(day)"
        case .weekday(let weekday, let number): "BYDAY=\(number)\(RecurrenceRule.weekdays[weekday.rawValue])"
        }
      guard count % 12 == 0 else { return every(Int64(count), "MONTHLY") + ";" + day }
      return every(Int64(count / 12), "YEARLY") + ";BYMONTH=\(start.month);" + day
    }
  }
}

extension RecurrenceRule {
  /// The rule as an interval that begins at the entry's start. nil if the rule is no interval. Hours and less are elapsed
  /// time; a floating entry begins on the clock of `local`.
  func interval(from start: CalendarMoment, in local: Zone) -> RecurringInterval? {
    guard [seconds, minutes, hours, months, places, yearDays, weeks].allSatisfy({ $0 == nil })
    else { return nil }
    let first = start.civil
    let units: [Frequency: Int64] = [.secondly: 1, .minutely: 60, .hourly: 3_600]
    if let unit = units[frequency] {
      guard days == nil, monthDays == nil else { return nil }
      return RecurringInterval(every: .seconds(Int64(interval) * unit), from: start.instant(local))
    }
    switch frequency {
    case .daily where days == nil && monthDays == nil:
      return RecurringInterval(.days(interval), from: first)
    case .weekly where monthDays == nil:
      guard let named = weekdays(from: first) else { return nil }
      return RecurringInterval(.weeks(interval, on: named), from: first)
    case .monthly:
      guard let day = monthDay(from: first) else { return nil }
      return RecurringInterval(.months(interval, on: day), from: first)
    default: return nil
    }
  }

  /// The days in weeks that begin on Monday; nil if one week of the rule reaches into two of those.
  private func weekdays(from start: CivilDateTime) -> Set<Weekday>? {
    let own = start.weekday.rawValue
    let named = Set(days?.map(\.weekday) ?? [own])
    guard days?.allSatisfy({ $0.ordinal == 0 }) ?? true else { return nil }
    if named == [own] { return [start.weekday] }
    // Days from the rule's first weekday on lie in the earlier of the two Monday weeks.
    let sides = Set(named.union([own]).map { $0 >= firstWeekday })
    guard sides.count == 1 else { return nil }
    return Set(Weekday.allCases.filter { named.contains($0.rawValue) })
  }

  private func monthDay(from start: CivilDateTime) -> MonthDay? {
    switch (days, monthDays) {
    case (nil, nil): return .day(start.day)
    case (nil, let monthDays?): return monthDays.count == 1 ? monthDays.first.map { .day($0) } : nil
    case (let days?, nil):
      guard days.count == 1, let day = days.first, (1...5).contains(abs(day.ordinal)) else { return nil }
      return .weekday(Weekday.allCases[day.weekday], day.ordinal)
    default: return nil
    }
  }
}
