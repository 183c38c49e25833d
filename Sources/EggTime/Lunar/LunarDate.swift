/// A date of the Korean lunar calendar (음력), 1900 to 2100. Its days begin at midnight in Korea.
public struct LunarDate: Hashable, Sendable {
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 30.
  public let day: Int
  /// Whether the month is the second of its number in that year (윤달).
  public let isLeapMonth: Bool

  public static let years = LunarTable.firstYear...LunarTable.lastYear

  /// nil for a date that does not exist or is not in ``years``.
  public init?(year: Int, month: Int, day: Int, isLeapMonth: Bool = false) {
    guard Self.years.contains(year), let length = Self.days(in: month, of: year, isLeapMonth: isLeapMonth),
      (1...length).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.isLeapMonth = isLeapMonth
  }

  /// The date of a day; nil outside of ``years``. The time of day is ignored.
  public init?(_ solar: CivilDateTime) {
    // A lunar year begins in January or February.
    let years = (solar.year - 1...solar.year).filter(Self.years.contains)
    let number = solar.dayNumber
    guard let year = years.last(where: { LunarTable.firstDays[$0 - LunarTable.firstYear] <= number }) else {
      return nil
    }
    var left = number - LunarTable.firstDays[year - LunarTable.firstYear]
    for (place, length) in LunarTable.lengths(of: year).enumerated() {
      guard left >= length else {
        let leap = LunarTable.leapMonth(of: year)
        isLeapMonth = leap > 0 && place == leap
        month = leap > 0 && place >= leap ? place : place + 1
        self.year = year
        day = left + 1
        return
      }
      left -= length
    }
    return nil
  }

  /// How many days the month has; nil if there is no such month.
  public static func days(in month: Int, of year: Int, isLeapMonth: Bool = false) -> Int? {
    guard years.contains(year), (1...12).contains(month) else { return nil }
    let leap = LunarTable.leapMonth(of: year)
    guard !isLeapMonth || month == leap else { return nil }
    return LunarTable.lengths(of: year)[place(of: month, isLeapMonth, leap)]
  }

  private static func place(of month: Int, _ isLeapMonth: Bool, _ leap: Int) -> Int {
    month - 1 + (isLeapMonth || (leap > 0 && month > leap) ? 1 : 0)
  }

  /// The day in the solar calendar, at midnight.
  public var solar: CivilDateTime {
    var number = LunarTable.firstDays[year - LunarTable.firstYear]
    let place = Self.place(of: month, isLeapMonth, LunarTable.leapMonth(of: year))
    number += LunarTable.lengths(of: year).prefix(place).reduce(0, +)
    return CivilDateTime(dayNumber: number + day - 1)
  }

  /// The day on which this date is celebrated in a lunar year; nil outside of ``years``.
  ///
  /// Someone born in a leap month celebrates in the leap month of years that have the same one, else in the
  /// month of its number (평달). The 30th of a month that has 29 days is its last day.
  public func celebrated(in year: Int) -> CivilDateTime? {
    let recurs = isLeapMonth && Self.days(in: month, of: year, isLeapMonth: true) != nil
    guard let length = Self.days(in: month, of: year, isLeapMonth: recurs) else { return nil }
    return LunarDate(year: year, month: month, day: min(day, length), isLeapMonth: recurs)?.solar
  }
}
