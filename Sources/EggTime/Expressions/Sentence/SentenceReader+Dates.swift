/// Dates: `march 1st`, `the 1st of next month`, `2027년 1월 20일`, `end of month`, `last friday of march`.
extension SentenceReader {
  mutating func datePart() throws(Misread) -> Bool {
    let first = index
    if case .number(let number) = token?.kind, number.digits == 4, try lateYear(number) { return true }
    skipDayWords()
    if case .date(let date) = token?.kind {
      index += 1
      let form = try date.form(in: text, at: range(from: index - 1))
      sentence.dayFirst = date.dayFirst(in: text, at: range(from: index - 1))
      return try sentence.date.say(form, range(from: index - 1))
    }
    guard let form = try dateInWords() else { return back(to: first) }
    try sentence.date.say(form, range(from: first))
    if case .inMonth(.coming, .day(let day), _) = form, day >= -1, sentence.days.isEmpty {
      try takeMoreDays(behind: part(day, from: first))
    }
    return true
  }

  /// `and 30th of every month`, `, 30일`, behind a day of the month.
  private mutating func takeMoreDays(behind day: Sentence.Part<Int>) throws(Misread) {
    while true {
      let bookmark = index
      let isListed = takes(.comma)
      let isJoined = takes(.and) || isListed
      _ = takes(.the)
      let first = index
      // `매달 15일 30일`
      guard isJoined || sentence.every != nil,
        let more = (isJoined ? takeOrdinal() : nil) ?? markedNumber(.day) ?? (takes(.lastDay) ? -1 : nil),
        more == -1 || (1...31).contains(more), !means(.until), !means(.starting)
      else {
        index = bookmark
        return
      }
      if takes(.of) {
        guard case .coming? = try monthBehindOf() else { throw stop }
      }
      sentence.days = (sentence.days.isEmpty ? [day] : sentence.days) + [part(more, from: first)]
    }
  }

  /// `on`, `the`, `around`, and `at` at the start of the sentence.
  private mutating func skipDayWords() {
    if index == 0 { _ = takes(.at) }
    _ = takesAbout()
    _ = takes(.on)
    _ = takes(.the)
  }

  /// The year at the end, as in date(1): `Fri Dec 24 18:00:00 UTC 2027`.
  private mutating func lateYear(_ number: TypedNumber) throws(Misread) -> Bool {
    guard sentence.time != nil, let said = sentence.date, let year = number.count, year >= 1970,
      case .inMonth(.named(let month), .day(let day), let offset) = said.value, day > 0
    else { return false }
    let form = try text.fullDate(
      year: year, month: month, day: day, offsets: (token?.start ?? offset, offset, offset))
    index += 1
    sentence.date = Sentence.Part(value: form, range: said.range)
    return true
  }

  private mutating func dateInWords() throws(Misread) -> DateForm? {
    let first = index
    if let days = take(\.day) { return .relative(days: days) }
    // `day after tomorrow`, `day before christmas`
    if takes(.unit(.day)), let days = takes(.after) ? 1 : takes(.before) ? -1 : nil {
      skipDayWords()
      if let form = try dateInWords() {
        if case .relative(let other) = form { return .relative(days: other + days) }
        try sentence.added.say(SaidSpan(days: days), range(from: first))
        return form
      }
    }
    index = first
    if let form = try holiday() { return form }
    if let form = try markedDate() { return form }
    if takes(.lastDay) { return .inMonth(.coming, .day(-1), offset: start(of: first)) }
    if let form = try endOfMonth() { return form }
    if let form = try countedDay() { return form }
    if let form = try dayBehindMonth() { return form }
    let years = yearBehind()
    if years != nil { skipDayWords() }
    var form = try dayAndMonth()
    if form == nil { form = try monthAndDay() }
    guard let form else { return back(to: first) }
    // `next year march 3`, `march 3 next year`; `next year the 15th` names no month.
    guard case .inMonth(.named(let month), let day, let offset) = form else {
      return years == nil ? form : back(to: first)
    }
    return (years ?? yearBehind()).map { .inMonth(.yearAhead($0, month: month), day, offset: offset) } ?? form
  }

  /// `next month on the 5th`, `next month first monday`
  private mutating func dayBehindMonth() throws(Misread) -> DateForm? {
    let first = index
    guard means(.next) || means(.this), case .ahead(let months)? = try monthBehindOf() else {
      return back(to: first)
    }
    skipDayWords()
    let offset = start(of: index)
    let counts = ordinals()
    guard counts.count == 1, let count = counts.first?.value else { return back(to: first) }
    if let day = takeDayOfMonth(count) {
      guard day.isPossible else { throw Misread(.noSuchDate, at: offset) }
      return .inMonth(.ahead(months), day, offset: offset)
    }
    guard count > 0 || takes(.unit(.day)) else { return back(to: first) }
    return try checked(.ahead(months), .day(count), at: offset)
  }

  /// `end of month`, `end of the month`, `end of next month`, `end of march`.
  private mutating func endOfMonth() throws(Misread) -> DateForm? {
    let first = index
    guard takes(.end), takes(.of), let month = try monthBehindOf() else { return back(to: first) }
    return try checked(month, .day(-1), at: start(of: first))
  }

  /// After `of`: `the month`, `next month`, `this month`, `march`, `this march`, `march 2027`.
  mutating func monthBehindOf() throws(Misread) -> MonthForm? {
    _ = takes(.the)
    if means(.every), means(.unit(.month), ahead: 1), sentence.every == nil {
      index += 2
      sentence.every = part(SaidEvery(unit: .month), from: index - 2)
      return .coming
    }
    let isNext = takes(.next)
    let isThis = !isNext && takes(.this)
    if takes(.unit(.month)) { return isNext ? .ahead(1) : isThis ? .ahead(0) : .coming }
    guard !isNext, let month = take(\.month) else { return nil }
    if isThis { return .yearAhead(0, month: month) }
    if let year = try takeYear() { return .full(year: year, month: month) }
    return .named(month)
  }

  /// Four digits, after an optional comma or `in`, that do not begin a time of day.
  mutating func takeYear() throws(Misread) -> Int? {
    let bookmark = index
    let isListed = takes(.comma) || takes(.in) || takes(.of)
    if case .number(let number) = token?.kind, number.digits == 4, let year = number.count,
      text.isForced || (1970...2199).contains(year) || number.asClock == nil
    {
      if !text.isForced, !isListed, sentence.time == nil, year >= 2_040, let time = number.asClock, let token,
        !followsTime(ahead: 1)
      {
        // `dec 24 2130`
        var misread = text.misread(
          .ambiguousDate, token.range, instead: [time.text, ", " + text.text(token.range)])
        misread.readings = misread.readings.map { $0.replacing(" , ", with: ", ") }
        throw misread
      }
      index += 1
      return year
    }
    return back(to: bookmark)
  }

  /// Whether a time of day follows the next token.
  func followsTime(ahead: Int) -> Bool {
    var rest = self
    rest.index += ahead
    _ = rest.takes(.comma) || rest.takes(.at)
    if case .clock = rest.token?.kind { return true }
    if rest.peek(\.time) != nil { return true }
    return rest.takeNumber() != nil && rest.peek(\.meridiem) != nil
  }

  /// `first monday of next month`, `last friday this month`, `last day of march`, `third day of october`.
  private mutating func countedDay() throws(Misread) -> DateForm? {
    let first = index
    let counts = ordinals()
    guard let count = counts.first?.value else { return nil }
    let day: MonthDay
    var most = 5
    if let found = takeDayOfMonth(count) {
      day = found
      if case .workday = found { most = 23 }
    } else if let weekday = takeWeekdayOrPlural() {
      // `first and third mondays`
      day = .weekday(weekday, count)
      sentence.every = sentence.every ?? part(SaidEvery(unit: .month), from: first)
    } else if takes(.unit(.day)) {
      day = .day(count)
      most = 31
    } else {
      return back(to: first)
    }
    let offset = start(of: first)
    guard counts.allSatisfy({ abs($0.value) <= most }) else { throw Misread(.noSuchDate, at: offset) }
    let bookmark = index
    var month: MonthForm?
    if takes(.of) || takes(.in) || means(.this) || means(.next) { month = try monthBehindOf() }
    if month == nil {
      index = bookmark
      // `every month on the last day`, `first friday 9am`
      if sentence.every?.value.unit == .month { month = .coming }
      if case .weekday(_, 1...) = day { month = .coming }
    }
    guard let month else { return back(to: first) }
    try take(counts, of: day)
    return try checked(month, day, at: offset)
  }

  /// `first and third`, `1st, 3rd`, `첫째 주와 셋째 주`, `last`, and `second last` before a day.
  mutating func ordinals() -> [Sentence.Part<Int>] {
    var found: [Sentence.Part<Int>] = []
    while true {
      let bookmark = index
      var isJoined = true
      if let last = found.last {
        _ = takes(.unit(.week))
        let isListed = takes(.comma)
        // `첫째 셋째 월요일`
        isJoined = takes(.and) || isListed || !text.text(last.range).isASCII
        _ = takes(.the)
      }
      let first = index
      guard isJoined, var count = takes(.last) ? -1 : takeOrdinal() else {
        index = bookmark
        return found
      }
      if count > 1, means(.last), isDayOfMonth(ahead: 1) || means(.and, ahead: 1) {
        index += 1
        count.negate()
      }
      found.append(part(count, from: first))
    }
  }

  private func isDayOfMonth(ahead: Int) -> Bool {
    token(ahead: ahead)?.meanings.contains {
      $0 == .unit(.day) || $0 == .workday || $0 == .weekdays(0x1F) || $0.weekday != nil
    } ?? false
  }

  /// Throws where one alarm cannot have all these days.
  mutating func take(_ counts: [Sentence.Part<Int>], of day: MonthDay) throws(Misread) {
    guard counts.count > 1 else { return }
    sentence.days = counts
    let isPossible =
      switch day {
      case .day: true
      case .weekday: counts.allSatisfy { $0.value > 0 }
      case .workday: false
      }
    guard recurs, isPossible else { throw SentenceMeaning(self).severalDays }
  }

  /// `monday`, `workday`, `월요일`, `주 월요일`, behind an ordinal.
  mutating func takeDayOfMonth(_ count: Int) -> MonthDay? {
    if takes(.weekdays(0x1F)) || takes(.workday) { return .workday(count) }
    if peek(ahead: 1, \.weekday) != nil { _ = takes(.unit(.week)) }
    return take(\.weekday).map { .weekday($0, count) }
  }

  /// `1st of march`, `1 march 2027`, `24-Dec-2027`, `24/dec`, `15th`, `20 of next month`, `15th next month`.
  private mutating func dayAndMonth() throws(Misread) -> DateForm? {
    let first = index
    let ordinal = takeOrdinal()
    guard let day = ordinal ?? takeNumber().flatMap({ $0.digits <= 2 ? $0.count : nil }) else {
      return back(to: first)
    }
    let offset = start(of: first)
    let bookmark = index
    let isHyphened = takes(.hyphen)
    let hasOf = !isHyphened && takes(.of)
    if let month = take(\.month) {
      let hasYear = isHyphened && takes(.hyphen)
      try refuseShortYear(day: day, month: month, from: first)
      return try inYear(month, day, hasYear, at: (offset, offset))
    }
    if hasOf || ordinal != nil && (means(.this) || means(.next)), let month = try monthBehindOf() {
      return try checked(month, .day(day), at: offset)
    }
    index = bookmark
    if ordinal != nil, takes(.unit(.day)), takes(.of), let month = try monthBehindOf() {
      return try checked(month, .day(day), at: offset)
    }
    index = bookmark
    // `on the 24`
    let isBehindThe = first > 0 && tokens[first - 1].meanings.contains(.the) && isDateEnd(ahead: 0)
    if ordinal != nil || isBehindThe && isAlone(ahead: 0) {
      return try checked(.coming, .day(day), at: offset)
    }
    return back(to: first)
  }

  /// `march 1`, `march the 1st`, `March 1, 2027`, `Dec-24`, `2027 march 1`.
  private mutating func monthAndDay() throws(Misread) -> DateForm? {
    let first = index
    var yearInFront: Int?
    if sentence.isEmpty, first == 0 || !tokens[first - 1].meanings.contains(.at),
      case .number(let number) = token?.kind, number.digits == 4, let year = number.count,
      (1970..<2_040).contains(year)
    {
      yearInFront = year
      index += 1
      _ = takes(.hyphen)
    }
    let offset = start(of: index)
    guard let month = take(\.month) else { return back(to: first) }
    let isHyphened = takes(.hyphen)
    _ = takes(.the)
    let dayAt = index
    if let day = takeOrdinal() ?? takeNumber().flatMap({ $0.digits <= 2 ? $0.count : nil }) {
      if let year = yearInFront {
        return try text.fullDate(
          year: year, month: month, day: day, offsets: (start(of: first), offset, start(of: dayAt)))
      }
      return try inYear(month, day, isHyphened && takes(.hyphen), at: (offset, start(of: dayAt)))
    }
    return back(to: first)
  }

  /// The date in the year that is next, if one is. `hasYear`: one has to be.
  private mutating func inYear(
    _ month: Int, _ day: Int, _ hasYear: Bool, at offsets: (month: Int, day: Int)
  ) throws(Misread) -> DateForm {
    if let year = try takeYear() {
      let offsets = (start(of: index - 1), offsets.month, offsets.day)
      return try text.fullDate(year: year, month: month, day: day, offsets: offsets)
    }
    guard !hasYear else { throw stop }
    return try checked(.named(month), .day(day), at: offsets.day)
  }

  /// `20 jan 27` may be 2027-01-20 or 2020-01-27. Day and month are already read.
  private func refuseShortYear(day: Int, month: Int, from first: Int) throws(Misread) {
    guard let token, case .number(let number) = token.kind, number.digits == 2, number.fraction == nil,
      let year = number.count, isDateEnd(ahead: 1)
    else { return }
    let dates = [(2000 + year, day), (2000 + day, year)].compactMap {
      CivilDate(year: $0.0, month: month, day: $0.1)?.description
    }
    throw text.misread(.ambiguousDate, start(of: first)..<token.end, instead: dates, at: token.start)
  }

  /// Whether the next token cannot turn the number before it into an hour.
  private func isDateEnd(ahead: Int) -> Bool {
    guard let token = token(ahead: ahead) else { return true }
    if case .word(let meanings) = token.kind {
      return !meanings.contains {
        switch $0 {
        case .meridiem, .oclock, .hourMark, .partOfDay, .unit: true
        default: false
        }
      }
    }
    return true
  }

  /// Throws unless the month can have the day.
  func checked(_ month: MonthForm, _ day: MonthDay, at offset: Int) throws(Misread) -> DateForm {
    guard case .day(let number) = day, number >= 0 else { return .inMonth(month, day, offset: offset) }
    let most: Int
    switch month {
    case .full(let year, let month):
      return try text.fullDate(year: year, month: month, day: number, offsets: (offset, offset, offset))
    // 2000 has every day that any year has.
    case .named(let month), .yearAhead(_, let month): most = CivilDateTime.days(in: month, of: 2000)
    case .coming, .ahead: most = 31
    }
    guard number >= 1, number <= most else { throw Misread(.noSuchDate, at: offset) }
    return .inMonth(month, day, offset: offset)
  }
}
