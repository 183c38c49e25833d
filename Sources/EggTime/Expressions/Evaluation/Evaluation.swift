/// Resolves a form against a moment and a clock.
struct Evaluation {
  private(set) var context: ReadingContext
  /// The time of a day that was typed without one.
  let dayAt: TimeOfDay

  init(context: ReadingContext, as kind: ExpressionKind?) {
    self.context = context
    dayAt = kind == nil ? context.dayAt : .midnight
  }

  /// What it means, without its text. `start` is the offset reported for a value out of bounds.
  func expression(_ form: Form, start: Int) throws(Misread) -> TimeExpression {
    var outcome: TimeExpression
    switch form {
    case .span(let span, _): outcome = TimeExpression(reading: .span(span), moment: context.now + span)
    case .epoch(let instant): outcome = TimeExpression(reading: .instant(instant), moment: instant)
    case .elapsed(let span, _):
      // Elapsed time is a countdown, however typed: a clock step does not move it.
      let moment = context.now + span
      outcome = TimeExpression(reading: span > .zero ? .span(span) : .instant(moment), moment: moment)
    case .shifted(let shift, _):
      let clock = Clock(zone: context.zone)
      outcome = try self.outcome(clock.zone.civil(at: context.now), plus: shift, on: clock, start: start)
    case .civil(let civil): outcome = try self.civil(civil, start: start)
    case .calendar(var fields, let zone, let isDayAlone, _):
      if isDayAlone { fields.set([dayAt]) }
      let clock = try recurringClock(zone)
      outcome = try recurring(.event(CalendarEvent(fields, zoneName: clock.name)))
    case .interval(let form): outcome = try recurring(.interval(interval(form, start: start)))
    case .times(let times, let weekdays, let monthDays, let zone):
      let times = times.isEmpty ? [dayAt] : times
      let rule = RecurrenceRule(
        at: times.map { ($0.hour, $0.minute) }, weekdays: weekdays, monthDays: monthDays)
      outcome = try recurring(.rule(set(rule, zone)))
    case .bounded(let form, let bounds): outcome = try bounded(form, bounds, start: start)
    case .counted(let interval): outcome = try recurring(.interval(interval))
    case .rule(let text, let offset): outcome = try recurring(.rule(set(text, offset: offset)))
    }
    outcome.hint = outcome.hint ?? form.hint
    if let moment = outcome.moment, moment.microseconds < 0 || moment > .latest {
      throw Misread(.outOfBounds, at: start)
    }
    return outcome
  }

  /// Of a zone by its name; an abbreviation is refused.
  private func recurringClock(_ typed: (name: String, offset: Int)?) throws(Misread) -> Clock {
    let clock = try clock(typed.map { .named($0.name, offset: $0.offset) })
    guard !clock.isFixed else { throw Misread(.zoneOfRecurring, at: typed?.offset ?? 0) }
    return clock
  }

  private func recurring(_ time: RecurringTime) throws(Misread) -> TimeExpression {
    let clock = try clock(time.zoneName.map { .named($0, offset: 0) })
    return TimeExpression(
      reading: .recurring(time), moment: time.next(after: context.base, in: clock.zone),
      hint: time.isDense ? .denseEvent : nil)
  }

  /// A rule without a start begins at the beginning asked for, else now.
  private func set(_ text: RecurrenceText, offset: Int) throws(Misread) -> RecurrenceSet {
    let clock = try clock(text.zoneName.map { .named($0, offset: offset) })
    do throws(RuleProblem) {
      return try text.set(startingAt: clock.zone.civil(at: context.from ?? context.now))
    } catch {
      throw Misread(.rule(error), at: offset)
    }
  }

  /// A rule for times that no calendar event has.
  private func set(
    _ rule: RecurrenceRule, _ typed: (name: String, offset: Int)?
  ) throws(Misread) -> RecurrenceSet {
    let clock = try recurringClock(typed)
    let begin = CivilDateTime(dayNumber: clock.zone.civil(at: context.from ?? context.now).dayNumber)
    do throws(RuleProblem) {
      return try RecurrenceSet(start: begin, rule: rule, zoneName: clock.name)
    } catch {
      throw Misread(.rule(error), at: typed?.offset ?? 0)
    }
  }

  private func bounded(_ form: Form, _ bounds: RecurringBounds, start: Int) throws(Misread) -> TimeExpression
  {
    var inner = self
    var bounds = bounds
    // `from 2pm every 30 minutes` goes on in the afternoon.
    if case .interval(let interval) = form, case .elapsed = interval.step, bounds.from?.day == nil,
      bounds.from?.time != nil, bounds.from?.date == nil
    {
      bounds.from?.date = .relative(days: 0)
    }
    let begin = try bounds.from.map { form throws(Misread) in try moment(form, start: start) } ?? nil
    inner.context.from = begin ?? context.from
    let from = max(context.now, inner.context.from ?? context.now)
    func last(_ form: CivilForm, after moment: Instant) throws(Misread) -> Instant? {
      var later = self
      later.context.now = moment
      return try later.moment(form, isEnd: true, start: start)
    }
    var until: Instant?
    if let length = bounds.length {
      let clock = Clock(zone: context.zone)
      until = try outcome(clock.zone.civil(at: from), plus: length, on: clock, start: start).moment
        .map { $0 - TimeSpan(microseconds: 1) }
    } else if let end = bounds.until {
      until = try last(end, after: from)
    }
    var outcome = try inner.expression(form, start: start)
    // On a Friday evening `every day at 9 until friday` ends a week later.
    if let end = bounds.until, end.date == nil, end.day != nil, let first = outcome.moment,
      until ?? first < first
    {
      until = try last(end, after: first)
    }
    if let until, outcome.moment ?? .latest > until {
      throw Misread(.neverElapses, at: bounds.offset)
    }
    outcome.from = begin
    outcome.until = until
    outcome.count = bounds.count
    return outcome
  }

  /// A bound of a recurring time. A day begins at midnight, and ends with its last microsecond.
  private func moment(_ form: CivilForm, isEnd: Bool = false, start: Int) throws(Misread) -> Instant? {
    let isDay = form.time == nil && !form.keepsTime
    var form = form
    if isDay { form.time = isEnd ? TimeOfDay(hour: 23, minute: 59, second: 59) : .midnight }
    let moment = try civil(form, start: start).moment
    return isDay && isEnd ? moment.map { $0 + TimeSpan(microseconds: 999_999) } : moment
  }

  /// The civil time, moved along the calendar.
  private func outcome(
    _ civil: CivilDateTime, plus shift: CalendarShift, on clock: Clock, start: Int
  ) throws(Misread) -> TimeExpression {
    let moved = civil.adding(months: shift.months).adding(days: shift.days)
    let found = try outcome(moved, on: clock, start: start)
    guard shift.elapsed != .zero, let moment = found.moment else { return found }
    return TimeExpression(reading: .instant(moment + shift.elapsed), moment: moment + shift.elapsed)
  }

  func moved(
    _ found: TimeExpression, by shift: CalendarShift, on clock: Clock, start: Int
  ) throws(Misread) -> TimeExpression {
    guard case .civil(let civil, _) = found.reading else { return found }
    return try outcome(civil, plus: shift, on: clock, start: start)
  }

  func outcome(_ civil: CivilDateTime, on clock: Clock, start: Int) throws(Misread) -> TimeExpression {
    guard civil.isValid else { throw Misread(.outOfBounds, at: start) }
    let resolution = clock.zone.resolve(civil)
    return TimeExpression(
      reading: .civil(civil, zone: clock.name), moment: resolution.instant, resolution: resolution)
  }

  private func civil(_ form: CivilForm, start: Int) throws(Misread) -> TimeExpression {
    let clock = try clock(form.zone)
    var found = try CivilEvaluation(form: form, clock: clock, evaluation: self, start: start).outcome()
    let hint = hint(form, found, clock)
    if let added = form.added { found = try moved(found, by: added, on: clock, start: start) }
    if clock.isFixed, let moment = found.moment {
      found = TimeExpression(reading: .instant(moment), moment: moment)
    }
    found.hint = hint
    return found
  }

  /// Another meaning that the user may have had in mind.
  private func hint(_ form: CivilForm, _ found: TimeExpression, _ clock: Clock) -> ExpressionHint? {
    guard case .civil(let civil, _) = found.reading, let moment = found.moment else { return nil }
    let now = clock.zone.civil(at: context.now)
    if let instead = form.weekAfter, civil.dayNumber - now.dayNumber < 7 - now.weekday.rawValue {
      return .weekAfter(instead: instead)
    }
    if let instead = form.yearAfter, civil.year == now.year {
      return .weekAfter(instead: instead)
    }
    if let instead = form.dayAfter { return .dayAfter(instead: instead) }
    if case .shifted(let shift) = form.date, shift.months != 0 { return .calendarUnits }
    if let instead = form.midnight, form.date == nil, form.day == nil, form.added == nil {
      return now.hour >= 18 ? .midnight(instead: instead) : nil
    }
    guard let afternoon = form.afternoon else { return nil }
    if afternoon.isAlways { return .afternoon(instead: afternoon.text) }
    guard form.date == nil, form.day == nil, form.added == nil else { return nil }
    var later = CivilDateTime(dayNumber: now.dayNumber, hour: civil.hour + 12, minute: civil.minute)
    later.second = civil.second
    let other = later.isValid ? clock.zone.resolve(later).instant : moment
    return other > context.now && other < moment ? .afternoon(instead: afternoon.text) : nil
  }
}

extension Form {
  fileprivate var hint: ExpressionHint? {
    switch self {
    case .span(_, let hint), .elapsed(_, let hint), .shifted(_, let hint), .calendar(_, _, _, let hint): hint
    case .interval(let form): form.hint
    case .bounded(let form, _): form.hint
    case .times, .epoch, .civil, .counted, .rule: nil
    }
  }
}

extension TimeOfDay {
  /// Carries 1 000 000 µs into the next second.
  public func on(_ date: CivilDateTime) -> CivilDateTime {
    let civil = CivilDateTime(
      year: date.year, month: date.month, day: date.day, hour: hour, minute: minute, second: second,
      microsecond: microsecond)
    guard microsecond == 1_000_000 else { return civil }
    return CivilDateTime(secondsOnClock: civil.secondsOnClock + 1)
  }
}
