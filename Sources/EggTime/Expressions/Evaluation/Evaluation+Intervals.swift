extension Evaluation {
  /// Starts the interval at the beginning asked for, else at the first moment that fits.
  func interval(_ form: IntervalForm, start offset: Int) throws(Misread) -> RecurringInterval {
    let clock = try clock(form.zone)
    guard !clock.isFixed else { throw Misread(.zoneOfRecurring, at: offset) }
    let begin = context.from ?? context.now
    var today = clock.zone.civil(at: begin)
    // An interval that begins now starts at a whole second.
    if context.from == nil { today.microsecond = 0 }
    let time = form.isDayAlone ? dayAt : form.time
    let found: RecurringInterval?
    switch form.step {
    case .elapsed(let span): found = RecurringInterval(every: span, from: begin)
    case .days(let count):
      let start = first(time, from: today, on: clock) { _ in true }
      found = start.flatMap { RecurringInterval(.days(count), from: $0, zoneName: clock.name) }
    case .weeks(let count, let bits):
      let days = Set(Weekday.allCases.filter { bits >> $0.rawValue & 1 != 0 })
      let start = first(time, from: today, on: clock) { days.isEmpty || days.contains($0.weekday) }
      found = start.flatMap { start in
        RecurringInterval(
          .weeks(count, on: days.isEmpty ? [start.weekday] : days), from: start, zoneName: clock.name)
      }
    case .months(let count, let day, let month):
      let start = first(time, from: today, on: clock) { date in
        month ?? date.month == date.month
          && day.map { $0.day(in: date.month, of: date.year) == date.day } ?? true
      }
      found = start.flatMap { start in
        RecurringInterval(.months(count, on: day ?? .day(start.day)), from: start, zoneName: clock.name)
      }
    }
    guard let found else { throw Misread(.outOfBounds, at: offset) }
    return found
  }

  /// The first fitting time still to come, from `begin` on; without a time of day, `begin` itself.
  private func first(
    _ time: TimeOfDay?, from begin: CivilDateTime, on clock: Clock, where fits: (CivilDateTime) -> Bool
  ) -> CivilDateTime? {
    guard let time else { return begin }
    // A beginning in the past still counts.
    let base = context.from.map { $0 - TimeSpan(microseconds: 1) } ?? context.now
    // Any nine years include a 29 February.
    for days in 0...3_290 {
      let date = begin.adding(days: days)
      guard fits(date) else { continue }
      let civil = time.on(date)
      if civil.isValid, clock.zone.resolve(civil).instant > base { return civil }
    }
    return nil
  }
}
