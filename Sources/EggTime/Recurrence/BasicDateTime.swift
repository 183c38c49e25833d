/// A date, or a date and time, as iCalendar writes it: RFC 5545 §3.3.4 and §3.3.5.
public struct BasicDateTime: Hashable, Sendable {
  /// 00:00 for a date.
  public var civil: CivilDateTime
  /// Whether it is a date without a time.
  public var isDay = false
  /// Whether it is in UTC (`Z`); else it is on the clock of its context.
  public var isUTC = false

  public init(_ civil: CivilDateTime, isDay: Bool = false, isUTC: Bool = false) {
    self.civil = civil
    self.isDay = isDay
    self.isUTC = isUTC
  }

  /// Reads `20261224`, `20261224T180000` and `20261224T180000Z`, the letters in either case (RFC 5234 §2.3); nil for
  /// anything else, also for a day that does not exist.
  public init?(_ text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 8 || (15...16).contains(digits.count) else { return nil }
    func number(_ start: Int, _ count: Int) -> Int? { ASCII.number(digits[start..<start + count]) }
    guard let year = number(0, 4), let month = number(4, 2), let day = number(6, 2) else { return nil }
    civil = CivilDateTime(year: year, month: month, day: day)
    isDay = digits.count == 8
    if !isDay {
      guard digits[8] & ~0x20 == UInt8(ascii: "T"), let hour = number(9, 2), let minute = number(11, 2),
        let second = number(13, 2)
      else { return nil }
      // A leap second becomes the second before it: civil times here have none.
      civil.hour = hour
      civil.minute = minute
      civil.second = second == 60 ? 59 : second
      isUTC = digits.count == 16
      if isUTC, digits[15] & ~0x20 != UInt8(ascii: "Z") { return nil }
    }
    guard civil.isValid else { return nil }
  }
}

extension BasicDateTime: CustomStringConvertible {
  public var description: String {
    isDay
      ? Digits.text(of: civil, date: "")
      : Digits.text(of: civil, date: "", then: "T", time: "") + (isUTC ? "Z" : "")
  }
}
