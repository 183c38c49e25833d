import EggTime

/// A day of birth and the days that follow from it, in the Gregorian calendar. The time of day of arguments
/// is ignored.
public struct Anniversary: Hashable, Sendable {
  public let birth: CivilDate

  /// The earliest year of birth.
  public static let earliestYear = 1900

  /// nil before ``earliestYear``.
  public init?(birth: CivilDate) {
    guard birth.year >= Self.earliestYear else { return nil }
    self.birth = birth
  }

  /// When someone born on 29 February celebrates in a common year.
  public enum LeapDay: String, CaseIterable, Sendable {
    case february28 = "february-28"
    /// The day of coming of age in Korean law (Civil Act, articles 158 and 160).
    case march1 = "march-1"
  }

  /// Born on 29 February.
  public var isLeapDay: Bool { (birth.month, birth.day) == (2, 29) }

  /// At midnight. In the year of birth, the day of birth.
  public func birthday(in year: Int, leapDay: LeapDay) -> CivilDateTime {
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
    let isBefore = day.dayNumber < birthday(in: day.year, leapDay: leapDay).dayNumber
    return day.year - birth.year - (isBefore ? 1 : 0)
  }

  /// The number of the day in a life, as for the 100th day: the day of birth is 1; nil before it.
  public func dayCount(on day: CivilDateTime) -> Int? {
    let count = day.dayNumber - birth.midnight.dayNumber + 1
    return count >= 1 ? count : nil
  }

  /// 99 days after the birth, at midnight.
  public var hundredthDay: CivilDateTime { birth.midnight.adding(days: 99) }
}
