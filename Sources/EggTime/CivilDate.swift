/// A date in the proleptic Gregorian calendar, in no zone.
public struct CivilDate: Hashable, Sendable {
  public let midnight: CivilDateTime

  /// 0 to 9999.
  public var year: Int { midnight.year }
  /// 1 to 12.
  public var month: Int { midnight.month }
  /// 1 to 31.
  public var day: Int { midnight.day }

  /// nil for a date that does not exist.
  public init?(year: Int, month: Int, day: Int) {
    midnight = CivilDateTime(year: year, month: month, day: day)
    guard midnight.isValid else { return nil }
  }

  public init?(_ civil: CivilDateTime) { self.init(year: civil.year, month: civil.month, day: civil.day) }

  /// Days from 1970-01-01; negative before it.
  public var dayNumber: Int { midnight.dayNumber }

  /// The date `dayNumber` days after 1970-01-01, which is in the years 0 to 9999.
  public init(dayNumber: Int) { midnight = CivilDateTime(dayNumber: dayNumber) }
}

extension CivilDate: LosslessStringConvertible {
  /// `2024-02-29`, as stored in the database.
  public var description: String { Digits.text(of: midnight) }

  /// Accepts only what ``description`` writes; nil otherwise and for dates that do not exist.
  public init?(_ text: String) {
    guard let civil = CivilDateTime(text + " 00:00:00") else { return nil }
    self.init(civil)
  }
}
