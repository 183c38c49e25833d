/// Dates in digits alone, whose order depends on the country.
extension SentenceReader {
  /// The date, its token already read. Refuses one that may be two dates, with both.
  mutating func numeric(_ date: NumericDate) throws(Misread) -> DateForm {
    let parts = date.parts
    guard parts.count == 3 else { return try twoNumbers(date) }
    if parts[0].digits == 4 { return try full(parts[0], parts[1], parts[2]) }
    switch (date.separator, parts[2].digits) {
    case (.point, 4): return try full(parts[2], parts[1], parts[0])
    case (.hyphen, 1...2) where parts[0].digits == 2:
      let form = try full(parts[0], parts[1], parts[2])
      if !text.isForced, case .full(let year, let month, let day) = form,
        let yearFirst = CivilDate(year: year, month: month, day: day),
        let dayFirst = CivilDate(year: 2_000 + parts[2].value, month: month, day: parts[0].value)
      {
        let readings = [yearFirst, dayFirst].map {
          text.replacing(range(from: index - 1), by: $0.description)
        }
        sentence.dayFirst = (dayFirst, parts[0].offset, readings)
      }
      return form
    case (.slash, 4) where text.isForced || parts[1].value > 12 || parts[0].value == parts[1].value:
      return try full(parts[2], parts[0], parts[1])
    default:
      let year = parts[2].digits == 4 ? parts[2].value : 2_000 + parts[2].value
      throw refusal(date, [(year, parts[0].value, parts[1].value), (year, parts[1].value, parts[0].value)])
    }
  }

  /// `2/15`: month and day; refuses the other order and what may be either.
  private func twoNumbers(_ date: NumericDate) throws(Misread) -> DateForm {
    let (a, b) = (date.parts[0], date.parts[1])
    guard a.digits <= 2, b.digits <= 2 else {
      throw Misread(offset: text.end, reason: .incomplete)
    }
    let isMonthFirst =
      (1...12).contains(a.value) && (1...CivilDateTime.days(in: a.value, of: 2000)).contains(b.value)
    if isMonthFirst, b.value > 12 || a.value == b.value {
      return .inMonth(.named(a.value), .number(b.value), offset: a.offset)
    }
    var misread = Misread(offset: a.offset, reason: .ambiguousDate, isDecisive: true)
    misread.dates = [(a.value, b.value), (b.value, a.value)].filter {
      (1...12).contains($0.0) && $0.1 >= 1 && $0.1 <= CivilDateTime.days(in: $0.0, of: 2000)
    }.map { (month: $0.0, day: $0.1) }
    misread.range = range(from: index - 1)
    if misread.dates.isEmpty { misread.reason = .noSuchDate }
    throw misread
  }

  private func full(
    _ year: (value: Int, digits: Int, offset: Int), _ month: (value: Int, digits: Int, offset: Int),
    _ day: (value: Int, digits: Int, offset: Int)
  ) throws(Misread) -> DateForm {
    guard year.digits == 4 || year.digits == 2 else {
      throw Misread(offset: year.offset, reason: .outOfBounds, isDecisive: true)
    }
    let value = year.digits == 4 ? year.value : year.value + (year.value < 70 ? 2_000 : 1_900)
    return try text.fullDate(
      year: value, month: month.value, day: day.value, offsets: (year.offset, month.offset, day.offset))
  }

  private func refusal(_ date: NumericDate, _ candidates: [(year: Int, month: Int, day: Int)]) -> Misread {
    let range = range(from: index - 1)
    var readings: [String] = []
    for candidate in candidates {
      guard let date = CivilDate(year: candidate.year, month: candidate.month, day: candidate.day) else {
        continue
      }
      let reading = text.replacing(range, by: date.description)
      if !readings.contains(reading) { readings.append(reading) }
    }
    return Misread(
      offset: range.lowerBound, reason: readings.isEmpty ? .noSuchDate : .ambiguousDate, isDecisive: true,
      readings: readings)
  }
}
