/// Parts of a phrase that begin with a digit or a month.
extension Scanner {
  /// `TIME` or `H[:MM[:SS]] am|pm`; nil, without moving, when no time is next.
  mutating func timeItem() throws(Misread) -> TimeOfDay? {
    let start = self
    guard let hour = number(digits: 1...2) else { return nil }
    var time = TimeOfDay(hour: hour, minute: 0)
    let hasMinutes = takes(":")
    if hasMinutes {
      time = try minutesAndSeconds(hour: hour)
      time.second = max(time.second, 0)
    }
    let afterDigits = self
    skipBlanks()
    let isAfternoon = takes(word: "pm")
    if isAfternoon || takes(word: "am") {
      guard (1...12).contains(hour) else {
        throw Misread(offset: start.position, reason: .noSuchTime, isDecisive: true)
      }
      time.hour = hour % 12 + (isAfternoon ? 12 : 0)
      self = afterDigits
      skipBlanks()
      position += 2
      return time
    }
    self = start
    return hasMinutes ? try self.time() : nil
  }

  /// `DATE | YYYY/M/D | M/D/YYYY | D.M.YYYY | D MONTH [YYYY]`.
  mutating func dateItem() throws(Misread) -> DateForm {
    let start = position
    let count = digitCount
    switch peek(count) {
    case UInt8(ascii: "-"): return try date()
    case UInt8(ascii: "/") where count == 4:
      let (year, month, day) = try threeNumbers("/", lengths: (4...4, 1...2, 1...2))
      return try fullDate(
        year: year.value, month: month.value, day: day.value, offsets: (start, month.offset, day.offset))
    case UInt8(ascii: "/"):
      let (month, day, year) = try threeNumbers("/", lengths: (1...2, 1...2, 4...4))
      return try fullDate(
        year: year.value, month: month.value, day: day.value, offsets: (year.offset, start, day.offset))
    case UInt8(ascii: "."):
      let (day, month, year) = try threeNumbers(".", lengths: (1...2, 1...2, 4...4))
      return try fullDate(
        year: year.value, month: month.value, day: day.value, offsets: (year.offset, month.offset, start))
    default:
      guard let day = number(digits: 1...2) else {
        position += count
        throw stop
      }
      skipBlanks()
      let monthStart = position
      guard let word = word(), let month = Vocabulary.month(word) else { throw stop }
      position += word.utf8.count
      return try monthDay(month, day, year: yearIfNext(afterComma: false), offsets: (monthStart, start))
    }
  }

  /// `MONTH D[,] [YYYY]`, after the month; nil when the word is no month.
  mutating func monthFirst(_ word: String, from start: Int) throws(Misread) -> DateForm? {
    guard let month = Vocabulary.month(word) else { return nil }
    skipBlanks()
    let dayStart = position
    guard let day = number(digits: 1...2) else { throw stop }
    return try monthDay(month, day, year: yearIfNext(afterComma: true), offsets: (start, dayStart))
  }

  private func monthDay(
    _ month: Int, _ day: Int, year: (value: Int, offset: Int)?, offsets: (month: Int, day: Int)
  ) throws(Misread) -> DateForm {
    if let year {
      return try fullDate(
        year: year.value, month: month, day: day, offsets: (year.offset, offsets.month, offsets.day))
    }
    // 2000 has every day that any year has.
    guard day >= 1, day <= CivilDateTime.days(in: month, of: 2000) else {
      throw Misread(offset: offsets.day, reason: .noSuchDate, isDecisive: true)
    }
    return .inMonth(.named(month), .number(day), offset: offsets.day)
  }

  /// Four digits that begin nothing else; otherwise nil, without moving.
  private mutating func yearIfNext(afterComma: Bool) -> (value: Int, offset: Int)? {
    let bookmark = self
    let blank = skipBlanks()
    let comma = afterComma && takes(",")
    if comma { skipBlanks() }
    let start = position
    if blank || comma, let year = number(digits: 4...4),
      peek().map({ ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }) ?? true
    {
      return (year, start)
    }
    self = bookmark
    return nil
  }

  private mutating func threeNumbers(
    _ separator: Unicode.Scalar, lengths: (ClosedRange<Int>, ClosedRange<Int>, ClosedRange<Int>)
  ) throws(Misread) -> (
    (value: Int, offset: Int), (value: Int, offset: Int), (value: Int, offset: Int)
  ) {
    let starts = position
    guard let first = number(digits: lengths.0), takes(separator) else { throw stop }
    let second = position
    guard let middle = number(digits: lengths.1), takes(separator) else { throw stop }
    let third = position
    guard let last = number(digits: lengths.2) else { throw stop }
    return ((first, starts), (middle, second), (last, third))
  }
}
