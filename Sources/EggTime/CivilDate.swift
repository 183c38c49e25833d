/// A date in the proleptic Gregorian calendar, in no zone.
public struct CivilDate: Hashable, Sendable {
  /// 0 to 9999.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int

  /// nil for a date that does not exist.
  public init?(year: Int, month: Int, day: Int) {
    guard CivilDateTime(year: year, month: month, day: day).isValid else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  public init?(_ civil: CivilDateTime) { self.init(year: civil.year, month: civil.month, day: civil.day) }

  public var midnight: CivilDateTime { CivilDateTime(year: year, month: month, day: day) }

  /// Days from 1970-01-01; negative before it.
  public var dayNumber: Int { midnight.dayNumber }

  /// The date `dayNumber` days after 1970-01-01, which is in the years 0 to 9999.
  public init(dayNumber: Int) {
    let day = CivilDateTime(dayNumber: dayNumber)
    year = day.year
    month = day.month
    self.day = day.day
  }
}

extension CivilDate: LosslessStringConvertible {
  /// `2024-02-29`, as stored in the database.
  public var description: String {
    var text = Digits()
    text.appendDate(of: midnight)
    return text.string
  }

  /// Accepts only what ``description`` writes; nil otherwise and for dates that do not exist.
  public init?(_ text: String) {
    guard let civil = CivilDateTime(text + " 00:00:00") else { return nil }
    self.init(civil)
  }
}
