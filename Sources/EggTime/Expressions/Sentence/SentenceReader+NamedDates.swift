/// Dates by the marks of their numbers (`2027년 1월 20일`) and by their names (`christmas`, `음력 8월 15일`).
extension SentenceReader {
  /// `christmas`, `next christmas`, `christmas 2027`, `easter next year`, `내년 설날`, `음력 8월 15일`
  mutating func holiday() throws(Misread) -> DateForm? {
    let first = index
    let offset = start(of: first)
    var yearsAhead = take(\.yearFromNow)
    var year = yearsAhead == nil ? markedNumber(.year) : nil
    if takes(.lunar) {
      guard let month = markedNumber(.month), let day = markedNumber(.day) else { return back(to: first) }
      let holiday = Holiday.lunar(month: month, day: day)
      return .yearly(holiday, year: year, yearsAhead: yearsAhead, offset: offset)
    }
    if peek(ahead: 1, \.holiday) != nil { _ = takes(.this) || takes(.coming) || takes(.next) }
    guard let holiday = take(\.holiday) else { return back(to: first) }
    if year == nil, yearsAhead == nil {
      yearsAhead = yearBehind()
      if yearsAhead == nil { year = try takeYear() }
    }
    func form(_ month: Int) -> MonthForm {
      year.map { .full(year: $0, month: month) } ?? yearsAhead.map { .yearAhead($0, month: month) }
        ?? .named(month)
    }
    switch holiday {
    case .fixed(let month, let day): return try checked(form(month), .day(day), at: offset)
    case .weekday(let weekday, let count, let month, 0):
      return .inMonth(form(month), .weekday(weekday, count), offset: offset)
    default: return .yearly(holiday, year: year, yearsAhead: yearsAhead, offset: offset)
    }
  }

  /// `next year`, `of this year`: in years from now.
  mutating func yearBehind() -> Int? {
    let bookmark = index
    _ = takes(.of)
    let isNext = takes(.next)
    if isNext || takes(.this), takes(.unit(.year)) { return isNext ? 1 : 0 }
    return back(to: bookmark)
  }

  /// `2027년 1월 20일`, `1월 20일`, `20일`, `다음 달 1일`, `3월 마지막 월요일`.
  mutating func markedDate() throws(Misread) -> DateForm? {
    let first = index
    let offset = start(of: first)
    var year: Int?
    var month: MonthForm = .coming
    let yearAhead = take(\.yearFromNow)
    if yearAhead == nil, let number = markedNumber(.year) { year = number < 100 ? number + 2_000 : number }
    if let number = markedNumber(.month) {
      guard (1...12).contains(number) else { throw Misread(.noSuchDate, at: offset) }
      month =
        yearAhead.map { .yearAhead($0, month: number) } ?? year.map { .full(year: $0, month: number) }
        ?? .named(number)
    } else if yearAhead != nil || year != nil {
      // A year needs its month.
      return back(to: first)
    } else if let months = take(\.monthFromNow) {
      month = .ahead(months)
    } else if means(.unit(.month), ahead: 1),
      let months = takes(.this) ? 0 : takes(.next) ? 1 : takes(.afterNext) ? 2 : nil
    {
      month = .ahead(months)
      index += 1
    }
    let hasMonth = index > first
    if hasMonth { _ = takes(.nothing) }
    let bookmark = index
    if let day = markedNumber(.day) { return try checked(month, .day(day), at: offset) }
    index = bookmark
    guard hasMonth else { return back(to: first) }
    if takes(.last), takes(.unit(.day)) || takes(.dateMark(.day)) {
      return try checked(month, .day(-1), at: offset)
    }
    index = bookmark
    if takes(.end) { return try checked(month, .day(-1), at: offset) }
    if let count = takes(.last) ? -1 : take(\.ordinal), let day = takeDayOfMonth(count) {
      return try checked(month, day, at: offset)
    }
    return back(to: first)
  }

  /// A number with that mark after it.
  mutating func markedNumber(_ mark: DateMark) -> Int? {
    let bookmark = index
    if let number = takeNumber()?.count, takes(.dateMark(mark)) {
      // `3일 뒤` and `3일 동안` count days.
      if !means(.later), !means(.ago), !means(.every), !means(.during) { return number }
    }
    return back(to: bookmark)
  }
}
