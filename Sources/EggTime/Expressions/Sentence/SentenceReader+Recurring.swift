/// Recurring times: `every 20m`, `every other tuesday`, `last friday of every month`, `매주 화요일`.
extension SentenceReader {
  mutating func everyPart() throws(Misread) -> Bool {
    let first = index
    if let said = try everyBehind() ?? everyUnit() {
      sentence.every = try place(checked(said, from: first), from: first, unless: sentence.every)
      return true
    }
    guard takes(.every) else { return false }
    var said = SaidEvery()
    if try everyNthWeekday(from: first) { return true }
    if takes(.other) || peek(Meaning.ordinal) == 2 && takesSecond() {
      (said.count, said.hasCount) = (2, true)
    } else if let length = try elapsedSpan() {
      said.length = length
      sentence.every = try place(said, from: first, unless: sentence.every)
      return true
    } else if let number = wholeNumber() {
      (said.count, said.hasCount) = (number, true)
    }
    if let days = try dayList() {
      said.weekdays = days.bits
      if said.hasCount { said.unit = .week }
    } else if let unit = take(Meaning.unit) {
      said.unit = unit
    } else if said.hasCount {
      // `every 90`; `every 15 march` is a date.
      if index == tokens.count { throw countAlone(said.count) }
      index = first + 1
      (said.count, said.hasCount) = (1, false)
    }
    sentence.every = try place(checked(said, from: first), from: first, unless: sentence.every)
    return true
  }

  /// Throws unless the calendar can count that far.
  private func checked(_ said: SaidEvery, from first: Int) throws(Misread) -> SaidEvery {
    guard (1...1_000_000_000).contains(said.count) else {
      throw Misread(
        offset: start(of: first), reason: said.count < 1 ? .badRepetition : .outOfBounds, isDecisive: true)
    }
    return said
  }

  /// `every first monday`, `every last friday`: of the month. `every second monday` may be every other one.
  private mutating func everyNthWeekday(from first: Int) throws(Misread) -> Bool {
    let bookmark = index
    let offset = start(of: index)
    guard let count = takes(.last) ? -1 : takeOrdinal(), count != 2, count <= 5,
      let weekday = take(Meaning.weekday)
    else {
      index = bookmark
      return false
    }
    let date = DateForm.inMonth(.coming, .weekday(weekday, count: count), offset: offset)
    sentence.date = try place(date, from: first, unless: sentence.date)
    sentence.every = try place(SaidEvery(unit: .month), from: first, unless: sentence.every)
    return true
  }

  /// `20m`, `1h30`, `half an hour`: a span of units below a day.
  private mutating func elapsedSpan() throws(Misread) -> TimeSpan? {
    let first = index
    guard let read = try span(), read.span.months == 0, read.span.days == 0, read.span.weeks == 0,
      !read.mayBeDate
    else {
      index = first
      return nil
    }
    return read.span.elapsed
  }

  /// `second` is no unit in `every second tuesday`.
  private mutating func takesSecond() -> Bool {
    guard peek(ahead: 1, Meaning.weekday) != nil || peek(ahead: 1, Meaning.unit) != nil else { return false }
    index += 1
    return true
  }

  /// A number followed by a unit or nothing.
  private mutating func wholeNumber() -> Int? {
    let bookmark = index
    guard let number = takeNumber()?.count, token == nil || peek(Meaning.unit) != nil else {
      index = bookmark
      return nil
    }
    return number
  }

  /// `daily`, `격주`.
  private mutating func everyUnit() -> SaidEvery? {
    if let unit = take({ if case .everyUnit(let unit) = $0 { unit } else { nil } }) {
      return SaidEvery(unit: unit)
    }
    if let unit = take({ if case .everyOtherUnit(let unit) = $0 { unit } else { nil } }) {
      return SaidEvery(count: 2, hasCount: true, unit: unit)
    }
    return nil
  }

  /// `3일마다`
  private mutating func everyBehind() throws(Misread) -> SaidEvery? {
    let first = index
    if let count = takeNumber()?.count, count >= 1, let unit = take(Meaning.unit), takes(.eachBehind) {
      return SaidEvery(count: count, hasCount: true, unit: unit)
    }
    index = first
    // `1시간 반마다`, `이틀마다`
    if let span = try span()?.span, takes(.eachBehind) {
      switch (span.months, span.weeks, span.days, span.elapsed) {
      case (0, 0, 0, let length): return SaidEvery(length: length)
      case (0, 0, let days, .zero): return SaidEvery(count: days, hasCount: true, unit: .day)
      case (0, let weeks, 0, .zero): return SaidEvery(count: weeks, hasCount: true, unit: .week)
      case (let months, 0, 0, .zero): return SaidEvery(count: months, hasCount: true, unit: .month)
      default: break
      }
    }
    index = first
    return nil
  }

  private func countAlone(_ count: Int) -> Misread {
    let last = range(from: index - 1)
    let time: TimeOfDay? =
      if case .number(let number) = tokens[index - 1].kind { number.asClock } else { nil }
    return Misread(
      offset: last.lowerBound, reason: .bareNumber, isDecisive: true,
      readings: time.map { [text.replacing(last, by: $0.text)] }
        ?? ["m", "h"].map { text.text(0..<text.end) + $0 })
  }

  func recurringForm(_ said: SaidEvery, range: Range<Int>) throws(Misread) -> Form {
    let whole = Misread(offset: range.lowerBound, reason: .unexpected, isDecisive: true)
    guard sentence.offset == nil, sentence.added == nil, !sentence.saysNow else { throw whole }
    // `5시까지` names a moment; of a recurring time `까지` names the end.
    if let end = tokens.first(where: { $0.meanings.contains(.until) }) {
      throw Misread(offset: end.start, reason: .unexpected, isDecisive: true)
    }
    let isEmpty =
      said.unit == nil && said.weekdays == 0 && said.length == nil && sentence.date == nil
      && sentence.day == nil
      && sentence.time == nil && sentence.partOfDay == nil
    if isEmpty { throw stop }
    let time = try timeOfDay()
    let hint = afternoon().flatMap { $0.isAlways ? ExpressionHint.afternoon(instead: $0.text) : nil }
    var weekdays = said.weekdays
    if let day = sentence.day?.value {
      // `every week on monday`, `매주 화요일`
      guard weekdays == 0, case .coming = day.week, day.weeksLater == 0 else { throw whole }
      weekdays = 1 << day.weekday.rawValue
    }
    if let unit = said.unit, weekdays != 0, unit == .day || unit == .month || unit == .year {
      throw unitAndDays(unit, weekdays, range)
    }
    if !sentence.moreTimes.isEmpty {
      guard said.length == nil, said.count == 1 else { throw severalTimes }
    }
    if let length = said.length { return try interval(every: length, time, weekdays, range) }
    switch said.unit {
    case .microsecond?, .millisecond?, .second?, .minute?, .hour?:
      return try elapsedInterval(said, time: time, weekdays: weekdays, range: range)
    case .day? where said.hasCount && said.count > 1 || said.hasCount && weekdays == 0:
      guard weekdays == 0, sentence.date == nil else { throw whole }
      guard said.count > 1 || time == nil else { break }
      return .interval(IntervalForm(step: .days(said.count), time: time, zone: sentence.zone, hint: hint))
    case .week? where said.count > 1 || said.hasCount && weekdays == 0:
      guard sentence.date == nil else { throw whole }
      return .interval(
        IntervalForm(
          step: .weeks(said.count, on: weekdays), time: time, zone: sentence.zone,
          isDayAlone: time == nil && weekdays != 0, hint: hint))
    case .month? where said.count > 1 || said.hasCount && sentence.date == nil,
      .year? where said.count > 1 || said.hasCount && sentence.date == nil:
      return try monthInterval(said, time, hint, whole)
    default: break
    }
    return try calendarForm(said, weekdays, time, hint, whole)
  }

  private func elapsedInterval(
    _ said: SaidEvery, time: TimeOfDay?, weekdays: UInt8, range: Range<Int>
  ) throws(Misread) -> Form {
    let isPlain = time == nil && weekdays == 0 && sentence.date == nil && sentence.zone == nil
    if let unit = said.unit, !said.hasCount, isPlain || sentence.zone != nil && time == nil && weekdays == 0,
      let fields = CalendarShorthand.name(ofUnit: unit.name).flatMap(CalendarShorthand.event)
    {
      return try .calendar(fields, zone: calendarZone())
    }
    let (span, overflow) = Int64(said.count).multipliedReportingOverflow(by: said.unit?.length ?? 0)
    return try interval(every: TimeSpan(microseconds: overflow ? .max : span), time, weekdays, range)
  }

  private func interval(
    every span: TimeSpan, _ time: TimeOfDay?, _ weekdays: UInt8, _ range: Range<Int>
  ) throws(Misread) -> Form {
    func misread(_ reason: ExpressionError.Reason) -> Misread {
      Misread(offset: range.lowerBound, reason: reason, isDecisive: true)
    }
    guard time == nil, weekdays == 0, sentence.date == nil, sentence.zone == nil else {
      throw misread(.intervalWithTime)
    }
    guard span >= .seconds(1) else { throw misread(.shortInterval) }
    guard span.microseconds <= 10_000 * SpanUnit.year else { throw misread(.outOfBounds) }
    return .interval(IntervalForm(step: .elapsed(span)))
  }

  /// Every so many months or years, from now or on a day.
  private func monthInterval(
    _ said: SaidEvery, _ time: TimeOfDay?, _ hint: ExpressionHint?, _ whole: Misread
  ) throws(Misread) -> Form {
    guard sentence.day == nil, said.weekdays == 0 else { throw whole }
    let step: IntervalForm.Step
    switch (said.unit, sentence.date?.value) {
    case (.year, nil): step = .months(12 * said.count, day: nil)
    case (_, nil): step = .months(said.count, day: nil)
    case (.month, .inMonth(.coming, let day, _)?): step = .months(said.count, day: day)
    case (.year, .inMonth(.named(let month), .number(let day), _)?):
      step = .years(said.count, month: month, day: day)
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
          let event = CalendarShorthand.name(ofUnit: unit.name).flatMap(CalendarShorthand.event)
        else { throw whole }
        if time != nil {
          // `every week 9:00`: on which day?
          throw Misread(
            offset: whole.offset, reason: .dayIsMissing, isDecisive: true, readings: whichDay(unit))
        }
        fields = event
      }
    case .inMonth(.coming, let day, _):
      guard weekdays == 0, said.unit == nil || said.unit == .month else { throw whole }
      set(day, &fields)
    case .inMonth(.named(let month), let day, _):
      guard weekdays == 0, said.unit == nil || said.unit == .year else { throw whole }
      fields.month = CalendarList(month)
      set(day, &fields)
    default: throw whole
    }
    if let time {
      let times = [time] + sentence.moreTimes.map(\.value)
      guard times.allSatisfy({ ($0.minute, $0.second) == (time.minute, time.second) }) else {
        throw severalTimes
      }
      fields.set(times)
    }
    return try .calendar(fields, zone: calendarZone(), isDayAlone: time == nil, hint: hint)
  }

  /// `monthly on friday`: one Friday of the month, or each?
  private func unitAndDays(_ unit: PersonUnit, _ weekdays: UInt8, _ range: Range<Int>) -> Misread {
    let time = sentence.time.map { " " + text.text($0.range) } ?? ""
    let meridiem = sentence.meridiem.map { " " + text.text($0.range) } ?? ""
    let days = Weekday.allCases.filter { weekdays & 1 << $0.rawValue != 0 }.map { $0.name.lowercased() }
    let each = "every " + days.joined(separator: ", ") + meridiem + time
    let other =
      unit == .day ? "every day" : days.count == 1 && unit == .month ? "first \(days[0]) of every month" : nil
    return Misread(
      offset: range.lowerBound, reason: .ambiguousWeek, isDecisive: true,
      readings: [each] + (other.map { [$0 + meridiem + time] } ?? []))
  }

  /// Several times of day, which one alarm cannot have: every day at all of them, or each alone.
  var severalTimes: Misread {
    let before = [sentence.meridiem?.range, sentence.partOfDay?.range, sentence.time?.range].compactMap { $0 }
    let start = before.map(\.lowerBound).min() ?? 0
    let first = start..<(before.map(\.upperBound).max() ?? 0)
    let list = start..<(sentence.moreTimes.map(\.range.upperBound).max() ?? 0)
    let whole = text.text(text.position..<text.end)
    return Misread(
      offset: sentence.moreTimes.first?.range.lowerBound ?? 0, reason: .hourIsMissing, isDecisive: true,
      readings: (sentence.every == nil && !hasDay ? ["every day " + whole] : [])
        + ([first] + sentence.moreTimes.map(\.range)).map { text.replacing(list, by: text.text($0)) })
  }

  private func whichDay(_ unit: PersonUnit) -> [String] {
    let time = sentence.time.map { text.text($0.range) } ?? ""
    switch unit {
    case .week: return ["every monday \(time)"]
    case .month: return ["every month on the 1st \(time)"]
    default: return ["every year on january 1 \(time)"]
    }
  }

  private func set(_ day: DayOfMonth, _ fields: inout CalendarEvent.Fields) {
    switch day {
    case .number(let number): fields.day = CalendarList(number)
    case .fromEnd(let number):
      fields.daysFromEnd = true
      fields.day = CalendarList(number)
    case .weekday(let weekday, -1):
      fields.weekdays = 1 << weekday.rawValue
      fields.daysFromEnd = true
      fields.day = CalendarList(components: [CalendarComponent(start: 7, stop: nil, step: 1)])
    case .weekday(let weekday, let count):
      fields.weekdays = 1 << weekday.rawValue
      let start = 7 * (count - 1) + 1
      fields.day = CalendarList(components: [
        CalendarComponent(start: start, stop: min(start + 6, 31), step: 1)
      ])
    }
  }

  /// A zone by name; an offset is refused.
  private func calendarZone() throws(Misread) -> (name: String, offset: Int)? {
    switch sentence.zone {
    case nil: return nil
    case .named(let name, let offset): return (name, offset)
    case .offset(0): return ("UTC", 0)
    case .offset: throw Misread(offset: 0, reason: .zoneOfRecurring, isDecisive: true)
    }
  }
}
