import EggTime

/// A day of birth and the days that follow from it. The time of day of arguments is ignored.
public struct Anniversary: Hashable, Sendable {
  /// In the Gregorian calendar.
  public let birth: CivilDate
  /// The date of birth where birthdays are kept by the Korean lunar calendar; nil by the Gregorian one.
  public let lunar: LunarDate?

  /// The earliest year of birth.
  public static let earliestYear = 1900

  /// nil before ``earliestYear``.
  public init?(birth: CivilDate) {
    guard birth.year >= Self.earliestYear else { return nil }
    self.birth = birth
    lunar = nil
  }

  /// Someone who keeps lunar birthdays; nil only for a date without a day in the solar calendar.
  public init?(lunar: LunarDate) {
    guard let birth = CivilDate(lunar.solar) else { return nil }
    self.birth = birth
    self.lunar = lunar
  }

  /// When someone born on 29 February celebrates in a common year.
  public enum LeapDay: String, CaseIterable, Sendable {
    case february28 = "february-28"
    /// The day of coming of age in Korean law (Civil Act, articles 158 and 160).
    case march1 = "march-1"
  }

  /// Born on 29 February.
  public var isLeapDay: Bool { lunar == nil && (birth.month, birth.day) == (2, 29) }

  /// At midnight. In the year of birth, the day of birth. A lunar birthday is that of the lunar year: it may be
  /// in January or February of the next. From 2101 on, lunar birthdays are unknown; the solar one stands for them.
  public func birthday(in year: Int, leapDay: LeapDay) -> CivilDateTime {
    if let lunar, let day = lunar.celebrated(in: year) { return day }
    guard isLeapDay, CivilDateTime.days(in: 2, of: year) == 28 else {
      return CivilDateTime(year: year, month: birth.month, day: birth.day)
    }
    return switch leapDay {
    case .february28: CivilDateTime(year: year, month: 2, day: 28)
    case .march1: CivilDateTime(year: year, month: 3, day: 1)
    }
  }

  /// The age in full years (만 나이); nil before the birth.
  public func age(on day: CivilDateTime, leapDay: LeapDay) -> Int? {
    guard dayCount(on: day) != nil else { return nil }
    let year = year(of: day)
    let isBefore = day.dayNumber < birthday(in: year, leapDay: leapDay).dayNumber
    return year - yearOfBirth - (isBefore ? 1 : 0)
  }

  /// In the calendar of the birthdays.
  public var yearOfBirth: Int { lunar?.year ?? birth.year }

  /// The year of a day in the calendar of the birthdays.
  public func year(of day: CivilDateTime) -> Int {
    lunar == nil ? day.year : LunarDate(day)?.year ?? day.year
  }

  /// The number of the day in a life, as for the 100th day: the day of birth is 1; nil before it.
  public func dayCount(on day: CivilDateTime) -> Int? {
    let count = day.dayNumber - birth.midnight.dayNumber + 1
    return count >= 1 ? count : nil
  }

  /// 99 days after the birth, at midnight.
  public var hundredthDay: CivilDateTime { birth.midnight.adding(days: 99) }
}
