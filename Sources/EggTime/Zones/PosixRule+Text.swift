extension PosixRule {
  /// Reads `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0330>-3:30`; nil for anything else. Without dates, the rules of
  /// the United States apply, as in tzset(3).
  init?(_ bytes: some Collection<UInt8>) {
    var reader = Scanner(String(decoding: bytes, as: UTF8.self))
    // It has no blanks around it.
    guard reader.position == 0, reader.end == reader.bytes.count, let name = reader.posixName(),
      let west = reader.posixTime(hours: 24)
    else { return nil }
    standard = LocalTimeType(offset: -west, abbreviation: name)
    daylight = nil
    guard !reader.atEnd else { return }
    guard let summer = reader.posixName() else { return nil }
    var offset = standard.offset + 3_600
    if !reader.atEnd, !reader.sees(",") {
      guard let west = reader.posixTime(hours: 24) else { return nil }
      offset = -west
    }
    var start = YearlyMoment(day: .weekday(month: 3, week: 2, day: 0), time: 7_200)
    var end = YearlyMoment(day: .weekday(month: 11, week: 1, day: 0), time: 7_200)
    if !reader.atEnd {
      guard reader.takes(","), let first = reader.posixMoment(), reader.takes(","),
        let second = reader.posixMoment(),
        reader.atEnd
      else { return nil }
      start = first
      end = second
    }
    daylight = Daylight(type: LocalTimeType(offset: offset, abbreviation: summer), start: start, end: end)
  }
}

/// The parts of a POSIX `TZ`.
extension Scanner {
  /// Three to 30 letters; between `<` and `>`, digits and signs too.
  fileprivate mutating func posixName() -> String? {
    let quoted = takes("<")
    let start = position
    while let byte = peek(),
      ASCII.isLetter(byte) || quoted && (ASCII.isDigit(byte) || "+-".utf8.contains(byte))
    {
      position += 1
    }
    guard (3...30).contains(position - start) else { return nil }
    let name = text(from: start)
    return !quoted || takes(">") ? name : nil
  }

  private mutating func number(in range: ClosedRange<Int>) -> Int? {
    number(digits: 1...4).flatMap { range.contains($0) ? $0 : nil }
  }

  /// `[+-]h[:mm[:ss]]` in seconds.
  fileprivate mutating func posixTime(hours: Int) -> Int? {
    let negative = takes("-")
    if !negative { _ = takes("+") }
    guard var seconds = number(in: 0...hours) else { return nil }
    seconds *= 3_600
    for unit in [60, 1] where takes(":") {
      guard let count = number(in: 0...59) else { return nil }
      seconds += count * unit
    }
    return negative ? -seconds : seconds
  }

  /// `date[/time]`; the time defaults to 02:00.
  fileprivate mutating func posixMoment() -> PosixRule.YearlyMoment? {
    let day: PosixRule.YearlyMoment.Day
    if takes("J") {
      guard let ordinal = number(in: 1...365) else { return nil }
      day = .julian(ordinal)
    } else if takes("M") {
      guard let month = number(in: 1...12), takes("."), let week = number(in: 1...5), takes("."),
        let weekday = number(in: 0...6)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else {
      guard let ordinal = number(in: 0...365) else { return nil }
      day = .zeroBased(ordinal)
    }
    guard takes("/") else { return PosixRule.YearlyMoment(day: day, time: 7_200) }
    return posixTime(hours: 167).map { PosixRule.YearlyMoment(day: day, time: $0) }
  }
}
