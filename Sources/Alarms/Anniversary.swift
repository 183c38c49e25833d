import EggTime

/// The day on which somebody was born, and what follows from it on any other day. Days are of the Gregorian
/// calendar; the time of day of what is passed in does not count.
public struct Anniversary: Hashable, Sendable {
  /// The day of birth.
  public let birth: CivilDate

  /// The first year that one may be born in.
  public static let earliestYear = 1900

  /// nil for a date before ``earliestYear``.
  public init?(birth: CivilDate) {
    guard birth.year >= Self.earliestYear else { return nil }
    self.birth = birth
  }

  /// When those who were born on 29 February have their birthday in a year that has none. All others have it on
  /// their day.
  public enum LeapDay: String, CaseIterable, Sendable {
    /// The last day of February.
    case february28 = "february-28"
    /// The day after it, which is when they come of age by Korean law (Civil Act, articles 158 and 160).
    case march1 = "march-1"
  }

  /// Whether the day of birth is a 29 February.
  public var isLeapDay: Bool { (birth.month, birth.day) == (2, 29) }

  /// The birthday in a year, at midnight; in the year of birth that day itself.
  public func birthday(in year: Int, leapDay: LeapDay) -> CivilDateTime {
    guard isLeapDay, CivilDateTime.days(in: 2, of: year) == 28 else {
      return CivilDateTime(year: year, month: birth.month, day: birth.day)
    }
    return switch leapDay {
    case .february28: CivilDateTime(year: year, month: 2, day: 28)
    case .march1: CivilDateTime(year: year, month: 3, day: 1)
    }
  }

  /// The age in full years (만 나이), which goes up with the birthday; nil before the birth.
  public func age(on day: CivilDateTime, leapDay: LeapDay) -> Int? {
    guard dayCount(on: day) != nil else { return nil }
    let isBefore = day.dayNumber < birthday(in: day.year, leapDay: leapDay).dayNumber
    return day.year - birth.year - (isBefore ? 1 : 0)
  }

  /// The days of a life as they are counted towards the 100th: the day of birth is the first; nil before it.
  public func dayCount(on day: CivilDateTime) -> Int? {
    let count = day.dayNumber - birth.midnight.dayNumber + 1
    return count >= 1 ? count : nil
  }

  /// The 100th day, at midnight: 99 days after the birth.
  public var hundredthDay: CivilDateTime { birth.midnight.adding(days: 99) }
}
