/// Combines the parts of a recurring time.
extension SentenceMeaning {
  func recurringForm(_ said: SaidEvery, range: Range<Int>) throws(Misread) -> Form {
    let whole = Misread(.unexpected, at: range.lowerBound)
    guard sentence.offset == nil, sentence.added == nil, !sentence.saysNow, !sentence.keepsTime else {
      throw whole
    }
    if case .yearly(.lunar(let month, let day), _, _, let offset) = sentence.date?.value {
      throw Misread(.lunarRecurs(month: month, day: day), at: offset)
    }
    let isEmpty =
      said.unit == nil && said.weekdays == 0 && said.length == nil && sentence.date == nil
      && sentence.day == nil
      && sentence.time == nil && sentence.partOfDay == nil
    if isEmpty { throw Misread(offset: text.end, reason: .incomplete) }
    let time = try timeOfDay()
    let hint =
      usualTime.map { time in
        ExpressionHint.usualTime(
          ([time] + sentence.moreTimes.map(\.value)).map(\.text).joined(separator: ", "))
      }
      ?? afternoon().flatMap { $0.isAlways ? .afternoon(instead: $0.text) : nil }
    var weekdays = said.weekdays
    if let day = sentence.day?.value {
      // `every week on monday`, `매주 화요일`
      guard weekdays == 0, case .coming = day.week, day.weeksLater == 0 else { throw whole }
      weekdays = 1 << day.weekday.rawValue
    }
    var said = said
    if let except = sentence.except {
      if said.unit == .day, said.count == 1, weekdays == 0 { (said.unit, weekdays) = (nil, 0x7F) }
      weekdays &= ~except.value
      guard weekdays != 0 else { throw Misread(.unexpected, at: except.range.lowerBound) }
    }
    if let unit = said.unit, weekdays != 0, unit == .day || unit == .month || unit == .year {
      throw unitAndDays(unit, weekdays, range)
    }
    if !sentence.moreTimes.isEmpty {
      guard said.length == nil, said.count == 1 else { throw severalTimes }
    }
    guard sentence.days.isEmpty || said.length == nil && said.count == 1 else { throw severalDays }
    if let length = said.length { return try interval(every: length, time, weekdays, range) }
    // `every month starting jan 15`
    let isStarted = said.typedCount != nil || sentence.from != nil
    if let window = sentence.window, said.unit?.length ?? .max > SpanUnit.hour { throw window.misread }
    switch said.unit {
    case .microsecond?, .millisecond?, .second?, .minute?, .hour?:
      return try elapsedInterval(said, time: time, weekdays: weekdays, range: range)
    case .day? where said.count > 1 || said.typedCount != nil && weekdays == 0:
      guard weekdays == 0, sentence.date == nil else { throw whole }
      guard said.count > 1 || time == nil else { break }
      return .interval(IntervalForm(step: .days(said.count), time: time, zone: sentence.zone, hint: hint))
    case .week? where said.count > 1 || isStarted && weekdays == 0:
      guard sentence.date == nil else { throw whole }
      guard sentence.moreTimes.isEmpty else { throw severalTimes }
      return .interval(
        IntervalForm(
          step: .weeks(said.count, on: weekdays), time: time, zone: sentence.zone,
          isDayAlone: time == nil && weekdays != 0, hint: hint))
    case .month? where said.count > 1 || isStarted && sentence.date == nil,
      .year? where said.count > 1 || isStarted && sentence.date == nil:
      return try monthInterval(said, time, hint, whole)
    default: break
    }
    return try calendarForm(said, weekdays, time, hint, whole)
  }

  private func elapsedInterval(
    _ said: SaidEvery, time: TimeOfDay?, weekdays: UInt8, range: Range<Int>
  ) throws(Misread) -> Form {
    if said.minute != nil, let window = sentence.window { throw window.misread }
    if let unit = said.unit, said.isNamed, sentence.window == nil, time == nil, weekdays == 0,
      sentence.date == nil || sentence.zone != nil,
      var fields = CalendarShorthand.event(every: unit)
    {
      if let minute = said.minute { fields.minute = CalendarList(minute) }
      return try .calendar(fields, zone: calendarZone())
    }
    let (span, overflow) = Int64(said.count).multipliedReportingOverflow(by: said.unit?.length ?? 0)
    return try interval(every: TimeSpan(microseconds: overflow ? .max : span), time, weekdays, range)
  }

  private func interval(
    every span: TimeSpan, _ time: TimeOfDay?, _ weekdays: UInt8, _ range: Range<Int>
  ) throws(Misread) -> Form {
    func misread(_ reason: ExpressionError.Reason) -> Misread {
      Misread(reason, at: range.lowerBound)
    }
    if let window = sentence.window {
      return try times(every: span, in: window, weekdays, misread(.intervalWithTime))
    }
    guard time == nil, weekdays == 0, sentence.date == nil, sentence.zone == nil else {
      throw misread(.intervalWithTime)
    }
    guard span >= .seconds(1) else { throw misread(.shortInterval) }
    guard span.microseconds <= 10_000 * SpanUnit.year else { throw misread(.outOfBounds) }
    return .interval(IntervalForm(step: .elapsed(span)))
  }

  /// `every 90 minutes from 9 to 17`
  private func times(
    every span: TimeSpan, in window: ClockRange, _ weekdays: UInt8, _ misread: Misread
  ) throws(Misread) -> Form {
    let (minutes, rest) = span.microseconds.quotientAndRemainder(dividingBy: SpanUnit.minute)
    guard sentence.date == nil, sentence.time == nil else { throw window.misread }
    guard let hours = window.window else {
      // `hourly from 9 to 5`
      let ranges = (window.windows.isEmpty ? window.laterWindows : window.windows).map {
        "from \(TimeOfDay(minutes: $0.lowerBound).text) to \(TimeOfDay(minutes: $0.upperBound).text)"
      }
      throw text.misread(.range, window.range, instead: ranges, at: window.misread.offset)
    }
    guard rest == 0, (1...1_440).contains(minutes) else { throw misread }
    let times = stride(from: hours.lowerBound, through: hours.upperBound, by: Int(minutes))
      .map(TimeOfDay.init(minutes:))
    // RFC 5545 numbers no more times of a day.
    guard times.count <= 366 else { throw misread }
    return .times(times, weekdays: weekdays, zone: try calendarZone())
  }

  /// `every day starting tomorrow 9am`: the time of day of a bound is that of each day, where no other was said.
  func withTimeOfBounds(_ said: SaidEvery) -> SentenceMeaning {
    guard sentence.time == nil, sentence.partOfDay == nil, sentence.meridiem == nil, said.length == nil,
      said.unit?.length ?? .max >= SpanUnit.day,
      let bound = [sentence.from, sentence.until].compactMap(\.self).first(where: {
        $0.value.time != nil && ($0.value.date != nil || $0.value.day != nil)
      }), let time = bound.value.time
    else { return self }
    var timed = self
    timed.sentence.time = Sentence.Part(value: SaidTime(time: time, clock: .settled), range: bound.range)
    if bound.range == sentence.from?.range {
      timed.sentence.from?.value.time = nil
    } else {
      timed.sentence.until?.value.time = nil
    }
    return timed
  }

  /// When it begins and ends; nil when neither was said.
  func bounds(of form: Form) throws(Misread) -> RecurringBounds? {
    let ends = [sentence.until?.range, sentence.length?.range, sentence.count?.range].compactMap(\.self)
    guard let first = ([sentence.from?.range].compactMap(\.self) + ends).map(\.lowerBound).min() else {
      return nil
    }
    let misread = Misread(.unexpected, at: first)
    guard ends.count <= 1 else { throw misread }
    for bound in [sentence.from, sentence.until] {
      // `every day until 5pm`, and `every morning until friday 5pm`.
      guard let bound, bound.value.time != nil, !form.isShort else { continue }
      if sentence.time == nil || bound.value.date == nil && bound.value.day == nil { throw misread }
    }
    var (from, until) = (sentence.from?.value, sentence.until?.value)
    from?.zone = sentence.zone
    until?.zone = sentence.zone
    return RecurringBounds(
      from: from, until: until, length: sentence.length?.value.shift, count: sentence.count?.value,
      offset: first)
  }

  /// Every so many months or years, from now or on a day.
  private func monthInterval(
    _ said: SaidEvery, _ time: TimeOfDay?, _ hint: ExpressionHint?, _ whole: Misread
  ) throws(Misread) -> Form {
    guard sentence.moreTimes.isEmpty else { throw severalTimes }
    guard sentence.day == nil, said.weekdays == 0 else { throw whole }
    let count = said.unit == .year ? 12 * said.count : said.count
    let step: IntervalForm.Step
    switch (said.unit, sentence.date?.value) {
    case (_, nil): step = .months(count, day: nil)
    case (.month, .inMonth(.coming, let day, _)?): step = .months(count, day: day)
    case (.year, .inMonth(.named(let month), .day(let day), _)?) where day > 0:
      step = .months(count, day: .day(day), from: month)
    default: throw whole
    }
    return .interval(
      IntervalForm(
        step: step, time: time, zone: sentence.zone, isDayAlone: time == nil && sentence.date != nil,
        hint: hint))
  }

  /// As a calendar event of systemd.time(7).
  private func calendarForm(
    _ said: SaidEvery, _ weekdays: UInt8, _ time: TimeOfDay?, _ hint: ExpressionHint?, _ whole: Misread
  ) throws(Misread) -> Form {
    var fields = CalendarEvent.Fields()
    if weekdays != 0 { fields.weekdays = weekdays }
    switch sentence.date?.value {
    case nil:
      if weekdays == 0, let unit = said.unit, unit != .day {
        guard time == nil || unit == .week || unit == .month || unit == .year,
          let event = CalendarShorthand.event(every: unit)
        else { throw whole }
        if time != nil {
          // `every week 9:00`: on which day?
          let days = [.week: "every monday", PersonUnit.month: "every month on the 1st"]
          let day = (days[unit] ?? "every year on january 1") + typedTime
          throw Misread(.dayIsMissing, at: whole.offset, readings: [day])
        }
        fields = event
      }
    // No calendar event has such a day.
    case .inMonth(_, .workday, _), .inMonth(_, .weekday(_, ...(-2)), _):
      return try monthInterval(said, time, hint, whole)
    case .inMonth(.coming, let day, _):
      guard weekdays == 0, said.unit == nil || said.unit == .month else { throw whole }
      if sentence.days.contains(where: { $0.value < 0 }) { return try monthDays(time) }
      try set(day, &fields)
    case .inMonth(.named(let month), let day, _):
      guard weekdays == 0, said.unit == nil || said.unit == .year else { throw whole }
      fields.month = CalendarList(month)
      try set(day, &fields)
    default: throw whole
    }
    if let time {
      let times = [time] + sentence.moreTimes.map(\.value)
      if !times.allSatisfy({ ($0.minute, $0.second) == (time.minute, time.second) }) {
        guard sentence.date == nil, times.allSatisfy({ ($0.second, $0.microsecond) == (0, 0) }) else {
          throw severalTimes
        }
        return .times(times, weekdays: weekdays, zone: try calendarZone())
      }
      fields.set(times)
    }
    return try .calendar(fields, zone: calendarZone(), isDayAlone: time == nil, hint: hint)
  }

  /// `15th and last day of every month`: no calendar event has both.
  private func monthDays(_ time: TimeOfDay?) throws(Misread) -> Form {
    let times = (time.map { [$0] } ?? []) + sentence.moreTimes.map(\.value)
    guard Set(times.map(\.minute)).count <= 1, times.allSatisfy({ ($0.second, $0.microsecond) == (0, 0) })
    else { throw severalTimes }
    return .times(times, weekdays: 0, monthDays: Set(sentence.days.map(\.value)), zone: try calendarZone())
  }

  /// `monthly on friday`: one Friday of the month, or each?
  private func unitAndDays(_ unit: PersonUnit, _ weekdays: UInt8, _ range: Range<Int>) -> Misread {
    let days = Weekday.allCases.filter { weekdays & 1 << $0.rawValue != 0 }.map { $0.name.lowercased() }
    let each = "every " + days.joined(separator: ", ") + typedTime
    let other =
      unit == .day ? "every day" : days.count == 1 && unit == .month ? "first \(days[0]) of every month" : nil
    return Misread(
      .ambiguousWeek, at: range.lowerBound, readings: [each] + (other.map { [$0 + typedTime] } ?? []))
  }

  /// Several times of day, which one alarm cannot have: every day at all of them, or each alone.
  var severalTimes: Misread {
    let start = rangesOfTime.map(\.lowerBound).min() ?? 0
    let first = start..<(rangesOfTime.map(\.upperBound).max() ?? 0)
    let list = start..<(sentence.moreTimes.map(\.range.upperBound).max() ?? first.upperBound)
    var misread = text.misread(
      .hourIsMissing, list, instead: ([first] + sentence.moreTimes.map(\.range)).map(text.text(_:)),
      at: sentence.moreTimes.first?.range.lowerBound ?? 0)
    if sentence.every == nil, !sentence.hasDay {
      misread.readings.insert((text.rest.isASCII ? "every day " : "매일 ") + text.rest, at: 0)
    }
    return misread
  }

  /// The time of day behind a blank.
  private var typedTime: String { rangesOfTime.map { " " + text.text($0) }.joined() }

  private var rangesOfTime: [Range<Int>] {
    [sentence.meridiem?.range, sentence.partOfDay?.range, sentence.time?.range].compactMap(\.self)
  }

  /// `15th and 30th`, once: one alarm has one of them.
  var severalDays: Misread {
    let days = sentence.days.map(\.range)
    let all = (days.first?.lowerBound ?? 0)..<(days.last?.upperBound ?? 0)
    return text.misread(.dayIsMissing, all, instead: days.map(text.text(_:)))
  }

  private func set(_ day: MonthDay, _ fields: inout CalendarEvent.Fields) throws(Misread) {
    switch day {
    case .day(let number) where number > 0:
      fields.day = CalendarList(components: several(number).map { CalendarComponent($0) })
    case .day(let number):
      fields.daysFromEnd = true
      fields.day = CalendarList(-number)
    case .weekday(let weekday, -1):
      fields.weekdays = 1 << weekday.rawValue
      fields.daysFromEnd = true
      fields.day = CalendarList(components: [CalendarComponent(start: 7, stop: nil, step: 1)])
    case .weekday(let weekday, let count):
      fields.weekdays = 1 << weekday.rawValue
      fields.day = CalendarList(
        components: several(count).map {
          CalendarComponent(start: 7 * $0 - 6, stop: min(7 * $0, 31), step: 1)
        })
    // `monthInterval` has them.
    case .workday: throw Misread(.unexpected, at: 0)
    }
  }

  private func several(_ one: Int) -> [Int] { sentence.days.isEmpty ? [one] : sentence.days.map(\.value) }

  /// A zone by name; an offset is refused.
  private func calendarZone() throws(Misread) -> (name: String, offset: Int)? {
    switch sentence.zone {
    case nil: return nil
    case .named(let name, let offset): return (name, offset)
    case .offset(0): return ("UTC", 0)
    case .offset: throw Misread(.zoneOfRecurring, at: 0)
    }
  }
}
