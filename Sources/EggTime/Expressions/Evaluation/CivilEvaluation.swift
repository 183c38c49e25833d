/// Resolves a civil time, seen from now.
struct CivilEvaluation {
  let form: CivilForm
  let clock: Evaluation.Clock
  let evaluation: Evaluation
  let start: Int

  private var now: Instant { evaluation.context.now }
  /// The day from which the first is searched: tomorrow for `next christmas`.
  private var today: CivilDateTime { clock.zone.civil(at: now).adding(days: form.yearAfter == nil ? 0 : 1) }
  private var time: TimeOfDay { form.time ?? evaluation.dayAt }

  func outcome() throws(Misread) -> TimeExpression {
    guard let date = form.date else {
      if let day = form.day { return try weekday(day) }
      return try timeAlone()
    }
    let found: TimeExpression
    switch date {
    case .full(let year, let month, let day):
      found = try on(CivilDateTime(year: year, month: month, day: day))
      try refuseTwoReadings()
    case .inMonth(let month, let day, let offset): found = try inMonth(month, day, at: offset)
    case .yearly(let holiday, let year, let ahead, let offset):
      found = try on(holiday, in: year ?? ahead.map { today.year + $0 }, at: offset)
    case .relative(let days):
      found = try on(today.adding(days: days))
      if days == 0, form.added == nil, !isAhead(found) { try offerAfternoon() }
    case .shifted(let shift): found = try on(today.adding(months: shift.months).adding(days: shift.days))
    }
    try checkWeekday(of: found)
    return found
  }

  private func on(_ date: CivilDateTime) throws(Misread) -> TimeExpression {
    let civil =
      form.keepsTime
      ? today.adding(days: date.dayNumber - today.dayNumber)
      : time.on(CivilDateTime(dayNumber: date.dayNumber))
    return try evaluation.outcome(civil, on: clock, start: start)
  }

  private func isAhead(_ outcome: TimeExpression) -> Bool { outcome.moment.map { $0 > now } ?? false }

  /// The next time the clock shows it. In an overlap the first showing counts. So tomorrow's may be over as
  /// well, if the clock is set back across midnight.
  private func timeAlone() throws(Misread) -> TimeExpression {
    // `4pm + 3 days` counts from today's, `30 min before 5pm` from the first that leaves it ahead.
    if let added = form.added {
      let moved = try evaluation.moved(on(today), by: added, on: clock, start: start)
      return isAhead(moved) ? try on(today) : try on(today.adding(days: 1))
    }
    if form.afternoon?.morning.isEmpty == false { try offerAfternoon() }
    var found = try on(today)
    for days in 1...3 where !isAhead(found) { found = try on(today.adding(days: days)) }
    return found
  }

  /// `today 4:30` when that is over, and `9시`: twelve hours later may be meant, if still ahead today.
  private func offerAfternoon() throws(Misread) {
    guard let afternoon = form.afternoon, time.hour < 12 else { return }
    var later = time
    later.hour += 12
    let day = CivilDateTime(dayNumber: today.dayNumber)
    guard isAhead(try evaluation.outcome(later.on(day), on: clock, start: start)) else { return }
    throw Misread(.ambiguousHour, at: start, readings: afternoon.morning + [afternoon.text])
  }

  private func weekday(_ day: DayForm) throws(Misread) -> TimeExpression {
    func ahead(of date: CivilDateTime) -> Int { (day.weekday.rawValue - date.weekday.rawValue + 7) % 7 }
    let first: CivilDateTime
    switch day.week {
    case .coming:
      var found = try on(today.adding(days: ahead(of: today) + 7 * day.weeksLater))
      for weeks in 1...2 where !isAhead(found) {
        found = try on(today.adding(days: ahead(of: today) + 7 * (weeks + day.weeksLater)))
      }
      return found
    case .afterToday:
      let days = ahead(of: today)
      first = today.adding(days: days == 0 ? 7 : days)
    case .ahead(let weeks):
      first = today.adding(days: day.weekday.rawValue - today.weekday.rawValue + 7 * weeks)
    case .from(let shift):
      let from = today.adding(months: shift.months).adding(days: shift.days)
      first = from.adding(days: ahead(of: from))
    }
    return try on(first.adding(days: 7 * day.weeksLater))
  }

  private func inMonth(
    _ month: MonthForm, _ day: MonthDay, at offset: Int
  ) throws(Misread) -> TimeExpression {
    let today = today
    // Any nine years include a 29 February.
    let months = months(month, years: 8)
    for date in months.lazy.compactMap({ Self.date(day, in: $0) }) {
      let found = try on(date)
      // A date of this year may be today's, and over.
      if case .named = month, case .day(1...) = day {
        if date.dayNumber >= today.dayNumber { return found }
      } else if months.count == 1 || isAhead(found) {
        return found
      }
    }
    throw Misread(.noSuchDate, at: offset)
  }

  /// Those that it may be, counted from January of the year 0.
  private func months(_ month: MonthForm, years: Int) -> [Int] {
    let today = today
    let current = today.year * 12 + today.month - 1
    switch month {
    case .full(let year, let month): return [year * 12 + month - 1]
    case .yearAhead(let years, let month): return [(today.year + years) * 12 + month - 1]
    case .ahead(let count): return [current + count]
    case .named(let month): return (0...years).map { (today.year + $0) * 12 + month - 1 }
    case .coming: return (0...100).map { current + $0 }
    }
  }

  /// Likewise; nil where the month lacks the day.
  private static func date(_ day: MonthDay, in index: Int) -> CivilDateTime? {
    day.day(in: index % 12 + 1, of: index / 12).map {
      CivilDateTime(year: index / 12, month: index % 12 + 1, day: $0)
    }
  }

  /// In that year, or the next one.
  private func on(_ holiday: Holiday, in year: Int?, at offset: Int) throws(Misread) -> TimeExpression {
    let today = today
    let years = year.map { $0...$0 } ?? today.year - 1...today.year + 8
    let days = years.compactMap(holiday.day)
    guard let day = days.first(where: { year != nil || $0.dayNumber >= today.dayNumber }) else {
      throw Misread(.noSuchDate, at: offset)
    }
    return try on(day)
  }

  /// A weekday next to a date must be that date's.
  private func checkWeekday(of found: TimeExpression) throws(Misread) {
    guard let day = form.day, case .civil(let civil, _) = found.reading, civil.weekday != day.weekday else {
      return
    }
    throw Misread(
      .wrongWeekday(civil.weekday), at: form.dayOffset,
      readings: form.apart.map { apart in
        ([civil] + (agreeing(with: day.weekday).map { [$0] } ?? [])).map {
          apart.before + String($0.description.prefix(10)) + apart.behind
        } + [apart.day]
      } ?? [])
  }

  /// The first date after today that is that weekday: `friday 13th` may be some months ahead.
  private func agreeing(with weekday: Weekday) -> CivilDateTime? {
    guard case .inMonth(let month, .day(let day), _) = form.date, day > 0 else { return nil }
    return months(month, years: 40).compactMap { Self.date(.day(day), in: $0) }
      .first { $0.dayNumber > today.dayNumber && $0.weekday == weekday }
  }

  /// `28-11-26` may start with the day.
  private func refuseTwoReadings() throws(Misread) {
    guard let dayFirst = form.dayFirst, dayFirst.date.midnight.dayNumber >= today.dayNumber else { return }
    throw Misread(.ambiguousDate, at: dayFirst.offset, readings: dayFirst.readings)
  }
}
