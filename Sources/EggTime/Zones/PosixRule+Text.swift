extension PosixRule {
  /// Reads `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0330>-3:30`; nil for anything else. Without dates, the rules of
  /// the United States apply, as in tzset(3).
  init?(_ bytes: some Collection<UInt8>) {
    var reader = PosixReader(bytes: Array(bytes))
    guard let name = reader.name(), let west = reader.time(hours: 24) else { return nil }
    standard = LocalTimeType(offset: -west, abbreviation: name)
    daylight = nil
    guard !reader.atEnd else { return }
    guard let summer = reader.name() else { return nil }
    var offset = standard.offset + 3_600
    if !reader.atEnd, !reader.sees(",") {
      guard let west = reader.time(hours: 24) else { return nil }
      offset = -west
    }
    var start = YearlyMoment(day: .weekday(month: 3, week: 2, day: 0), time: 7_200)
    var end = YearlyMoment(day: .weekday(month: 11, week: 1, day: 0), time: 7_200)
    if !reader.atEnd {
      guard reader.takes(","), let first = reader.moment(), reader.takes(","), let second = reader.moment(),
        reader.atEnd
      else { return nil }
      start = first
      end = second
    }
    daylight = Daylight(type: LocalTimeType(offset: offset, abbreviation: summer), start: start, end: end)
  }
}

/// Reads the text of a POSIX `TZ` from left to right.
private struct PosixReader {
  let bytes: [UInt8]
  var position = 0

  var atEnd: Bool { position == bytes.count }

  func sees(_ character: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] == UInt8(ascii: character)
  }

  mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard sees(character) else { return false }
    position += 1
    return true
  }

  /// Three to 30 letters; between `<` and `>`, digits and signs too.
  mutating func name() -> String? {
    let quoted = takes("<")
    let start = position
    while position < bytes.count, ASCII.isLetter(bytes[position]) || (quoted && isQuotable(bytes[position])) {
      position += 1
    }
    let name = bytes[start..<position]
    guard (3...30).contains(name.count), !quoted || takes(">") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  private func isQuotable(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }

  mutating func number(in range: ClosedRange<Int>) -> Int? {
    let start = position
    var value = 0
    while position < bytes.count, ASCII.isDigit(bytes[position]), position - start < 4 {
      value = value * 10 + Int(bytes[position] - UInt8(ascii: "0"))
      position += 1
    }
    return position > start && range.contains(value) ? value : nil
  }

  /// `[+-]h[:mm[:ss]]` in seconds.
  mutating func time(hours: Int) -> Int? {
    let negative = takes("-")
    if !negative { _ = takes("+") }
    guard var seconds = number(in: 0...hours) else { return nil }
    seconds *= 3_600
    if takes(":") {
      guard let minutes = number(in: 0...59) else { return nil }
      seconds += minutes * 60
      if takes(":") {
        guard let rest = number(in: 0...59) else { return nil }
        seconds += rest
      }
    }
    return negative ? -seconds : seconds
  }

  /// `date[/time]`; the time defaults to 02:00.
  mutating func moment() -> PosixRule.YearlyMoment? {
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
    return time(hours: 167).map { PosixRule.YearlyMoment(day: day, time: $0) }
  }
}
