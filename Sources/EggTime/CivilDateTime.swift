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
