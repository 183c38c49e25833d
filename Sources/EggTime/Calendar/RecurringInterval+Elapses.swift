extension RecurringInterval: WallClockSeries {
  /// The first elapse strictly after `base` and not before the start, on the clock of `zone`; nil when there
  /// is none. The caller loads the interval's own zone; elapsed time ignores the zone.
  public func next(after base: Instant, in zone: Zone) -> Instant? {
    guard case .elapsed(let span) = step, let start = elapsesFrom else {
      return elapse(after: base, in: zone).flatMap { $0 <= .latest ? $0 : nil }
    }
    guard base >= start else { return start }
    guard base < .latest else { return nil }
    let steps = (base.microseconds - start.microseconds) / span.microseconds + 1
    let (length, overflow) = steps.multipliedReportingOverflow(by: span.microseconds)
    let next = start + TimeSpan(microseconds: length)
    return overflow || next > .latest ? nil : next
  }

  /// nil for elapsed time, too.
  func match(from earliest: CivilDateTime) -> CivilDateTime? {
    let earliest = max(earliest, start)
    // The first day whose time of day is still ahead.
    let time = start.secondsOfDay, reached = earliest.secondsOfDay
    let isOver = (reached, earliest.microsecond) > (time, start.microsecond)
    let first = earliest.dayNumber + (isOver ? 1 : 0)
    guard let day = day(from: first) else { return nil }
    let match = CivilDateTime(
      dayNumber: day, hour: start.hour, minute: start.minute, second: start.second,
      microsecond: start.microsecond)
    return match.year <= 9999 ? match : nil
  }

  /// The first named day from `first` on, which is not before the start's; both in days since 1970-01-01.
  private func day(from first: Int) -> Int? {
    let origin = start.dayNumber
    switch step {
    case .elapsed: return nil
    case .days(let count): return origin + (first - origin).rounded(upTo: count)
    case .weeks(let count, let days):
      let monday = origin - start.weekday.rawValue
      let week = monday + ((first - monday) / 7).rounded(upTo: count) * 7
      let inWeek = days.map { week + $0.rawValue }.sorted()
      return inWeek.first { $0 >= first } ?? inWeek.first.map { $0 + 7 * count }
    case .months(let count, let monthDay):
      let date = CivilDateTime(dayNumber: first)
      var month = start.months + (date.months - start.months).rounded(upTo: count)
      // The calendar repeats after 4 800 months: a day that none of them has never comes.
      for _ in 0...4_800 where month / 12 <= 9999 {
        if let day = monthDay.day(in: month % 12 + 1, of: month / 12) {
          let found = CivilDateTime(year: month / 12, month: month % 12 + 1, day: day).dayNumber
          if found >= first { return found }
        }
        month += count
      }
      return nil
    }
  }
}

extension CivilDateTime {
  /// Without the microseconds.
  fileprivate var secondsOfDay: Int { hour * 3_600 + minute * 60 + second }
}
