/// Weekdays: `friday`, `next friday`, `wednesday of next week`, `다음 주 월요일`, `Mon..Fri`, `mondays`.
extension SentenceReader {
  mutating func weekdayPart() throws(Misread) -> Bool {
    let first = index
    if try recurringDays() { return true }
    var form = countedWeekday() ?? weekdayOfWeek()
    if form == nil { form = try plainWeekday() }
    if let form {
      if takes(.eachBehind) {
        let said = SaidEvery(weekdays: 1 << form.weekday.rawValue)
        return try sentence.every.say(said, range(from: first))
      }
      return try sentence.day.say(form, range(from: first))
    }
    index = first
    if let form = nextUnit() {
      return try sentence.offset.say(form, range(from: first))
    }
    try refuseNext()
    return false
  }

  /// `3 fridays from now`.
  private mutating func countedWeekday() -> DayForm? {
    let first = index
    guard let count = takeNumber()?.count, (1...520).contains(count), let weekday = takeWeekdayOrPlural(),
      takes(.from), takes(.now)
    else { return back(to: first) }
    return DayForm(weekday: weekday, week: .afterToday, weeksLater: count - 1)
  }

  mutating func takeWeekdayOrPlural() -> Weekday? {
    if let weekday = take(\.weekday) { return weekday }
    guard let days = peek(\.weekdays), days.nonzeroBitCount == 1 else { return nil }
    index += 1
    return Weekday(rawValue: days.trailingZeroBitCount)
  }

  /// `next week friday`, `friday next week`, `monday of this week`, `다음 주 월요일`.
  private mutating func weekdayOfWeek() -> DayForm? {
    let first = index
    _ = takes(.on)
    if let weeks = takeWeek() {
      _ = takes(.on)
      if let weekday = take(\.weekday) { return DayForm(weekday: weekday, week: .ahead(weeks)) }
      return back(to: first)
    }
    if let weekday = take(\.weekday) {
      _ = takes(.of) || takes(.comma)
      if let weeks = takeWeek() { return DayForm(weekday: weekday, week: .ahead(weeks)) }
    }
    return back(to: first)
  }

  /// `next week` is 1, `this week` 0.
  private mutating func takeWeek() -> Int? {
    let bookmark = index
    if let weeks = take(\.weekAhead) { return weeks }
    var weeks = takes(.afterNext) ? 2 : nil
    if weeks == nil {
      _ = takes(.the)
      weeks = takes(.next) ? 1 : takes(.this) ? 0 : nil
    }
    return weeks != nil && takes(.unit(.week)) ? weeks : back(to: bookmark)
  }

  /// `[on] [this|next] friday`, `friday after next`.
  private mutating func plainWeekday() throws(Misread) -> DayForm? {
    let first = index
    if index == 0 { _ = takes(.at) }
    _ = takesAbout() || takes(.on)
    let isNext = takes(.next)
    if !isNext {
      _ = takes(.this)
      _ = takes(.coming)
    }
    guard let weekday = take(\.weekday) else { return back(to: first) }
    let name = tokens[index - 1]
    // `sunday coming 8am`, but not `sunday` before `coming home`
    if !isNext, index + 1 < tokens.count { _ = takes(.coming) }
    if !isNext, means(.next, ahead: 1), takes(.after), takes(.next) {
      return DayForm(weekday: weekday, week: .afterToday, weeksLater: 1)
    }
    // `friday week` may be the friday of next week or the one after.
    if takes(.unit(.week)) {
      let range = start(of: first)..<tokens[index - 1].end
      let typed = text.text(name.range)
      throw text.misread(
        .ambiguousWeek, range, instead: ["\(typed) + 1 week", "\(typed) next week"], at: start(of: index - 1))
    }
    return DayForm(weekday: weekday, week: isNext ? .afterToday : .coming)
  }

  /// `next month` and `next year` are a month and a year from now; `next week` is ambiguous, but
  /// neither to date(1) nor beside `same time`.
  private mutating func nextUnit() -> SaidSpan? {
    let first = index
    let keepsTime = tokens.contains { $0.meanings.contains(.sameTime) }
    guard takes(.next), let unit = take(\.unit), keepsTime || sentence.isEmpty && index == tokens.count
    else { return back(to: first) }
    switch unit {
    case .month: return SaidSpan(months: 1, isOnCalendar: true, firstDay: "1st of next month")
    case .year: return SaidSpan(months: 12, isOnCalendar: true, firstDay: "january 1")
    case .week where text.isForced || keepsTime: return SaidSpan(weeks: 1, isOnCalendar: true)
    case .day: return SaidSpan(days: 1, isOnCalendar: true)
    case .hour, .minute, .second: return SaidSpan(elapsed: TimeSpan(microseconds: unit.length ?? 0))
    default:
      return back(to: first)
    }
  }

  /// The whole text as the first day of what it names: `next week`, `다음 달`, `내년`.
  mutating func firstDay() -> CivilForm? {
    var form = CivilForm()
    if let weeks = takeWeek() {
      form.day = DayForm(weekday: .monday, week: .ahead(weeks))
    } else if let months = take(\.monthFromNow) ?? take(\.yearFromNow).map({ 12 * $0 })
      ?? nextUnit()?.months,
      months > 0
    {
      let month: MonthForm = months % 12 == 0 ? .yearAhead(months / 12, month: 1) : .ahead(months)
      form.date = .inMonth(month, .day(1), offset: text.position)
    }
    if form.date != nil || form.day != nil, index == tokens.count { return form }
    index = 0
    return nil
  }

  /// One of the days of `금주`, `this month`, `내년`; `*` stands for what was typed.
  private mutating func dayOfPeriod() -> String? {
    let first = index
    if let weeks = takeWeek() {
      let isEnglish = text.text(range(from: first)).isASCII
      return weeks == 0 ? isEnglish ? "* sunday" : "* 일요일" : isEnglish ? "* monday" : "* 월요일"
    }
    if take(\.monthFromNow) != nil { return "* 말일" }
    if let years = take(\.yearFromNow) { return years == 0 ? "* 12월 31일" : "* 1월 1일" }
    guard takes(.this), let unit = take(\.unit), unit == .month || unit == .year else {
      return back(to: first)
    }
    let isEnglish = text.text(range(from: first)).isASCII
    if unit == .month { return isEnglish ? "last day of *" : "* 말일" }
    return isEnglish ? "december 31" : "올해 12월 31일"
  }

  /// `next week` may be seven days from now or Monday, `this weekend` either of two days.
  private func refuseNext() throws(Misread) {
    if let token, let weekend = self.token(ahead: 1), peek(ahead: 1, \.weekdays) == 0x60,
      means(.this) || means(.next) || means(.coming)
    {
      guard text.text(weekend.range).isASCII else {
        throw text.misread(.ambiguousWeek, weekend.range, instead: ["주 토요일", "주 일요일"], at: token.start)
      }
      throw text.misread(
        .ambiguousWeek, token.start..<weekend.end,
        instead: ["saturday", "sunday"].map { means(.next) ? $0 + " next week" : $0 })
    }
    var period = self
    if let token, !means(.next), let day = period.dayOfPeriod() {
      let typed = period.range(from: index)
      throw text.misread(
        .ambiguousWeek, typed, instead: [day.replacing("*", with: text.text(typed))], at: token.start)
    }
    guard means(.next), means(.unit(.week), ahead: 1), let token, let week = self.token(ahead: 1) else {
      return
    }
    let isWhole = sentence.isEmpty && tokens.count == index + 2
    throw Misread(
      .ambiguousWeek, at: token.start,
      readings: (isWhole ? ["now + 1 week"] : []) + [
        text.replacing(token.start..<week.end, by: "next monday")
      ])
  }

  /// Several days or a plural recur: `Mon..Fri`, `mon-fri`, `monday to friday`, `mon, wed and fri`,
  /// `weekdays`.
  private mutating func recurringDays() throws(Misread) -> Bool {
    let first = index
    _ = takes(.on)
    guard let days = try dayList(),
      days.isRecurring || sentence.every != nil && sentence.every?.value.weekdays == 0
    else { return back(to: first) }
    _ = takes(.eachBehind)
    var said = sentence.every?.value ?? SaidEvery()
    guard said.weekdays == 0 else { throw Misread(offset: start(of: first), reason: .unexpected) }
    said.weekdays = days.bits
    sentence.every = Sentence.Part(value: said, range: sentence.every?.range ?? range(from: first))
    return true
  }

  /// `m-f`, `mo-fr`, without blanks.
  private mutating func shortRange() -> UInt8? {
    let bookmark = index
    if let first = take(\.shortWeekday), token?.isGlued == true, takes(.hyphen), token?.isGlued == true,
      let last = take(\.shortWeekday), first.rawValue < last.rawValue
    {
      return (first.rawValue...last.rawValue).reduce(0) { $0 | 1 << $1 }
    }
    return back(to: bookmark)
  }

  /// Weekdays joined by commas, `and` and ranges; nil, without moving, when none is next.
  mutating func dayList() throws(Misread) -> (bits: UInt8, isRecurring: Bool)? {
    var bits: UInt8 = 0
    var isRecurring = false
    var count = 0
    let isDayNext =
      sentence.every != nil || index > 0 && tokens[index - 1].meanings.contains(.every)
      || peek(\.weekday) != nil && peek(ahead: 1, \.weekday) != nil
    while true {
      let bookmark = index
      if count > 0 {
        let isListed = takes(.comma)
        // `월수금`, `mon wed fri`
        guard takes(.and) || isListed || token?.isGlued == true || isDayNext, count < 7 else { break }
      }
      if let days = shortRange() ?? take(\.weekdays) {
        bits |= days
        isRecurring = true
      } else if let day = take(\.weekday) {
        let rangeStart = index
        if takes(.range) || takes(.hyphen) || takes(.to), let last = take(\.weekday) {
          guard day.rawValue <= last.rawValue else {
            throw Misread(.badRepetition, at: start(of: rangeStart))
          }
          for each in day.rawValue...last.rawValue { bits |= 1 << each }
          isRecurring = true
        } else {
          index = rangeStart
          bits |= 1 << day.rawValue
        }
      } else {
        index = bookmark
        break
      }
      count += 1
    }
    guard count > 0 else { return nil }
    return (bits, isRecurring || count > 1)
  }
}
