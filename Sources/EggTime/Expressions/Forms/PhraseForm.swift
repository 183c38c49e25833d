extension Scanner {
  /// Class 6: phrases of at(1) and GNU date.
  mutating func phrase() throws(Misread) -> Form {
    if word() == "now" { return try nowAndSome() }
    if let form = nextUnit() { return form }
    var form = CivilForm()
    while true {
      try item(&form)
      if atEnd { return .civil(form) }
      guard form.zone == nil, skipSeparator() else { throw stop }
    }
  }

  /// Blanks, a comma, or both; false when there is neither.
  private mutating func skipSeparator() -> Bool {
    let blank = skipBlanks()
    let comma = takes(",")
    if comma { skipBlanks() }
    return blank || comma
  }

  /// `now (+|-) N UNITWORD`.
  private mutating func nowAndSome() throws(Misread) -> Form {
    position += 3
    skipBlanks()
    let isPast = takes("-")
    guard isPast || takes("+") else { throw stop }
    skipBlanks()
    let start = position
    guard seesDigit else { throw stop }
    let count = try wholeNumber()
    // Beyond any calendar; keeps the sums below small.
    guard count <= 1_000_000_000_000 else {
      throw Misread(offset: start, reason: .outOfBounds, isDecisive: true)
    }
    skipBlanks()
    let unitStart = position
    guard let word = word() else { throw stop }
    position += word.utf8.count
    guard let form = Self.moved(by: isPast ? -count : count, word) else {
      throw Misread(offset: unitStart, reason: .unknownUnit)
    }
    try finish()
    return form
  }

  /// `next (minute|hour|day|week|month|year)` and nothing else; otherwise nil, without moving.
  private mutating func nextUnit() -> Form? {
    let bookmark = self
    if takes(word: "next"), skipBlanks(), let word = word(),
      ["minute", "hour", "day", "week", "month", "year"].contains(word)
    {
      position += word.utf8.count
      if atEnd { return Self.moved(by: 1, word) }
    }
    self = bookmark
    return nil
  }

  /// Seconds, minutes and hours are elapsed time; longer units move along the calendar.
  private static func moved(by count: Int64, _ unit: String) -> Form? {
    switch unit {
    case "s", "sec", "secs", "second", "seconds": .elapsed(.seconds(count))
    case "min", "mins", "minute", "minutes": elapsed(count, SpanUnit.minute)
    case "hour", "hours", "hr", "hrs": elapsed(count, SpanUnit.hour)
    case "day", "days": .shifted(CalendarShift(days: Int(count)))
    case "week", "weeks": .shifted(CalendarShift(days: Int(count) * 7))
    case "month", "months": .shifted(CalendarShift(months: Int(count)))
    case "year", "years": .shifted(CalendarShift(months: Int(count) * 12))
    default: nil
    }
  }

  private static func elapsed(_ count: Int64, _ unit: Int64) -> Form {
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    guard overflow else { return .elapsed(TimeSpan(microseconds: product)) }
    return .elapsed(TimeSpan(microseconds: count < 0 ? .min : .max))
  }

  /// One part; parts come in any order, each at most once.
  private mutating func item(_ form: inout CivilForm) throws(Misread) {
    let start = self
    if seesDigit {
      if let time = try timeItem() {
        guard form.time == nil else { throw start.stop }
        form.time = time
      } else {
        let date = try dateItem()
        guard form.date == nil, form.day == nil else { throw start.stop }
        form.date = date
      }
    } else if let word = word(), Vocabulary.isReserved(word), peek(word.utf8.count) != UInt8(ascii: "/") {
      position += word.utf8.count
      if let time = Vocabulary.time(word) {
        guard form.time == nil else { throw start.stop }
        form.time = time
      } else if let date = Vocabulary.relativeDate(word) {
        guard form.date == nil, form.day == nil else { throw start.stop }
        form.date = date
      } else if let date = try monthFirst(word, from: start.position) {
        guard form.date == nil, form.day == nil else { throw start.stop }
        form.date = date
      } else {
        let day = try dayItem(word, start)
        guard form.date == nil, form.day == nil else { throw start.stop }
        form.day = day
      }
    } else {
      // A zone comes last and means nothing alone.
      guard form.date != nil || form.day != nil || form.time != nil else { throw stop }
      form.zone = try zone()
    }
  }

  /// `[next|this] WEEKDAY`, after its first word.
  private mutating func dayItem(_ word: String, _ start: Scanner) throws(Misread) -> DayForm {
    if let weekday = Vocabulary.weekday(word) { return DayForm(weekday: weekday, week: .coming) }
    guard word == "next" || word == "this" else { throw start.stop }
    guard skipBlanks(), let name = self.word(), let weekday = Vocabulary.weekday(name) else { throw stop }
    position += name.utf8.count
    return DayForm(weekday: weekday, week: word == "next" ? .afterToday : .coming)
  }
}
