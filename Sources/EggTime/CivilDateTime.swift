/// A date and time of day on a zone's clock, in the proleptic Gregorian calendar.
public struct CivilDateTime: Hashable, Sendable {
  /// 1970 to 9999 when read from an expression.
  public var year: Int
  /// 1 to 12.
  public var month: Int
  /// 1 to 31.
  public var day: Int
  /// 0 to 23.
  public var hour: Int
  /// 0 to 59.
  public var minute: Int
  /// 0 to 59.
  public var second: Int
  /// 0 to 999 999.
  public var microsecond: Int

  /// Checks nothing; see ``isValid``.
  public init(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.microsecond = microsecond
  }
}

extension CivilDateTime: CustomStringConvertible, LosslessStringConvertible {
  /// `2026-12-24 18:00:00`, followed by `.ffffff` unless the microseconds are 0. Stored in the database.
  public var description: String {
    let text = Digits.text(of: self, then: " ")
    return microsecond == 0 ? text : text + "." + Digits.padded(microsecond, to: 6)
  }

  /// Accepts only what ``description`` writes; nil otherwise and for dates that do not exist.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 19 || bytes.count == 26 else { return nil }
    func number(_ start: Int, _ count: Int) -> Int? { ASCII.number(bytes[start..<start + count]) }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2),
      let microsecond = bytes.count == 26 ? number(20, 6) : 0
    else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, microsecond: microsecond
    )
    guard isValid, description == text else { return nil }
  }
}
