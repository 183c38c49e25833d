/// Dates in digits alone, whose order depends on the country.
extension NumericDate {
  /// The date at `range` of `text`. Refuses one that may be two dates, with both.
  func form(in text: Scanner, at range: Range<Int>) throws(Misread) -> DateForm {
    guard parts.count == 3 else { return try twoNumbers(in: text, at: range) }
    if parts[0].digits == 4 { return try full(parts[0], parts[1], parts[2], in: text) }
    switch (separator, parts[2].digits) {
    case (.point, 4): return try full(parts[2], parts[1], parts[0], in: text)
    case (.hyphen, 1...2) where parts[0].digits == 2: return try full(parts[0], parts[1], parts[2], in: text)
    case (.slash, 1...2) where parts[1].value > 12 || parts[0].value == parts[1].value,
      (.slash, 4) where text.isForced || parts[1].value > 12 || parts[0].value == parts[1].value,
      (.hyphen, 4) where !text.isForced && parts[1].value > 12:
      return try full(parts[2], parts[0], parts[1], in: text)
    default:
      let year = parts[2].digits == 4 ? parts[2].value : 2_000 + parts[2].value
      throw refusal(
        [(year, parts[0].value, parts[1].value), (year, parts[1].value, parts[0].value)], in: text, at: range)
    }
  }

  /// For `28-11-26`, whose form begins with the year: the date with the day first, and the text with either.
  func dayFirst(
    in text: Scanner, at range: Range<Int>
  ) -> (date: CivilDate, offset: Int, readings: [String])? {
    guard !text.isForced, separator == .hyphen, parts.count == 3, parts.allSatisfy({ $0.digits <= 2 }),
      let yearFirst = CivilDate(
        year: parts[0].value + (parts[0].value < 70 ? 2_000 : 1_900), month: parts[1].value,
        day: parts[2].value),
      let dayFirst = CivilDate(year: 2_000 + parts[2].value, month: parts[1].value, day: parts[0].value)
    else { return nil }
    let readings = [yearFirst, dayFirst].map { text.replacing(range, by: $0.description) }
    return (dayFirst, parts[0].offset, readings)
  }

  /// `2/15`: month and day; refuses the other order and what may be either.
  private func twoNumbers(in text: Scanner, at range: Range<Int>) throws(Misread) -> DateForm {
    let (a, b) = (parts[0], parts[1])
    guard a.digits <= 2, b.digits <= 2 else { throw Misread(offset: text.end, reason: .incomplete) }
    func isDate(_ month: Int, _ day: Int) -> Bool {
      (1...12).contains(month) && (1...CivilDateTime.days(in: month, of: 2000)).contains(day)
    }
    // Koreans write the month first.
    let isKorean = separator == .slash && text.bytes.contains { $0 >= 0xEA && $0 <= 0xED }
    if isDate(a.value, b.value), b.value > 12 || a.value == b.value || isKorean {
      return .inMonth(.named(a.value), .day(b.value), offset: a.offset)
    }
    // `24.12.`, and `24/12` but to date(1)
    if separator == .point || !text.isForced, a.value > 12, isDate(b.value, a.value) {
      return .inMonth(.named(b.value), .day(a.value), offset: a.offset)
    }
    var misread = Misread(.ambiguousDate, at: a.offset)
    misread.dates = [(a.value, b.value), (b.value, a.value)].filter(isDate).map { (month: $0.0, day: $0.1) }
    misread.range = range
    if misread.dates.isEmpty { misread.reason = .noSuchDate }
    throw misread
  }

  private func full(_ year: Part, _ month: Part, _ day: Part, in text: Scanner) throws(Misread) -> DateForm {
    guard year.digits == 4 || year.digits == 2 else { throw Misread(.outOfBounds, at: year.offset) }
    let value = year.digits == 4 ? year.value : year.value + (year.value < 70 ? 2_000 : 1_900)
    return try text.fullDate(
      year: value, month: month.value, day: day.value, offsets: (year.offset, month.offset, day.offset))
  }

  private func refusal(
    _ candidates: [(year: Int, month: Int, day: Int)], in text: Scanner, at range: Range<Int>
  ) -> Misread {
    let dates = candidates.compactMap { CivilDate(year: $0.year, month: $0.month, day: $0.day)?.description }
    return text.misread(
      dates.isEmpty ? .noSuchDate : .ambiguousDate, range,
      instead: dates.first == dates.last ? Array(dates.prefix(1)) : dates)
  }
}
