import EggTime

extension RecurringInterval {
  /// The value of an RRULE, for an entry that starts at one of its elapses: without UNTIL or COUNT; nil if no rule
  /// expresses the interval.
  var rule: String? {
    switch step {
    case .elapsed(let span):
      // Whole seconds, in the largest unit that divides them.
      guard span.microseconds % 1_000_000 == 0 else { return nil }
      let seconds = span.microseconds / 1_000_000
      if seconds % 3_600 == 0 { return every(seconds / 3_600, "HOURLY") }
      return seconds % 60 == 0 ? every(seconds / 60, "MINUTELY") : every(seconds, "SECONDLY")
    case .days(let count): return every(Int64(count), "DAILY")
    case .weeks(let count, let days):
      let names = days.map(\.rawValue).sorted().map { RecurrenceRule.weekdays[$0] }
      return every(Int64(count), "WEEKLY") + ";WKST=MO;BYDAY=" + names.joined(separator: ",")
    case .months(let count, let monthDay):
      let day =
        switch monthDay {
        case .day(let day): "BYMONTHDAY=\(day)"
        case .weekday(let weekday, let number): "BYDAY=\(number)\(RecurrenceRule.weekdays[weekday.rawValue])"
        case .workday(let number): "BYSETPOS=\(number);BYDAY=MO,TU,WE,TH,FR"
        }
      guard count % 12 == 0 else { return every(Int64(count), "MONTHLY") + ";" + day }
      return every(Int64(count / 12), "YEARLY") + ";BYMONTH=\(start.month);" + day
    }
  }

  private func every(_ count: Int64, _ frequency: String) -> String {
    count == 1 ? "FREQ=\(frequency)" : "FREQ=\(frequency);INTERVAL=\(count)"
  }
}

extension RecurrenceRule {
  /// The rule as an interval that begins at the entry's start. nil if the rule is no interval. Hours and less are elapsed
  /// time; a floating entry begins on the clock of `local`.
  func interval(from start: CalendarMoment, in local: Zone) -> RecurringInterval? {
    switch step(from: start.civil) {
    case .elapsed(let span): RecurringInterval(every: span, from: start.instant(local))
    case .weeks where !hasWeeksFromMonday(start.civil): nil
    case .months where frequency == .yearly: nil
    case let step?: RecurringInterval(step, from: start.civil)
    case nil: nil
    }
  }

  /// Whether no week of the rule reaches into two weeks that begin on Monday.
  private func hasWeeksFromMonday(_ start: CivilDateTime) -> Bool {
    let own = start.weekday.rawValue
    // Days from the rule's first weekday on lie in the earlier of the two Monday weeks.
    return Set(([own] + (days?.map(\.weekday) ?? [])).map { $0 >= firstWeekday }).count == 1
  }
}
