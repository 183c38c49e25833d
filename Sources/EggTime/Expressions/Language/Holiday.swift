/// A day of the year known by a name.
enum Holiday: Hashable {
  case fixed(month: Int, day: Int)
  /// Likewise, so many days later where that is a Saturday or a Sunday.
  case moved(month: Int, day: Int, saturday: Int, sunday: Int)
  /// The nth such weekday of a month, or the last (-1), and so many days later.
  case weekday(Weekday, Int, month: Int, later: Int = 0)
  /// Days after Easter Sunday of the western churches.
  case easter(Int)
  /// Of the orthodox churches.
  case orthodoxEaster(Int)
  /// Of the Korean lunar calendar.
  case lunar(month: Int, day: Int)

  /// In a year of the solar calendar, at midnight, a lunar day in the lunar year; nil for a day that the year lacks.
  func day(in year: Int) -> CivilDateTime? {
    switch self {
    case .fixed(let month, let day):
      let date = CivilDateTime(year: year, month: month, day: day)
      return date.isValid ? date : nil
    case .weekday(let weekday, let count, let month, let later):
      return MonthDay.weekday(weekday, count).day(in: month, of: year)
        .map { CivilDateTime(year: year, month: month, day: $0).adding(days: later) }
    case .moved(let month, let day, let saturday, let sunday):
      let date = CivilDateTime(year: year, month: month, day: day)
      return date.adding(days: [.saturday: saturday, .sunday: sunday][date.weekday] ?? 0)
    case .easter(let days): return Self.easterSunday(of: year).adding(days: days)
    case .orthodoxEaster(let days): return Self.orthodoxEasterSunday(of: year).adding(days: days)
    case .lunar(let month, let day): return LunarDate(year: year, month: month, day: day)?.solar
    }
  }

  /// The algorithm of Meeus, Jones and Butcher, as in Meeus, Astronomical Algorithms, chapter 8.
  private static func easterSunday(of year: Int) -> CivilDateTime {
    let (century, rest) = year.quotientAndRemainder(dividingBy: 100)
    let moon = (19 * (year % 19) + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30
    let sunday = (32 + 2 * (century % 4) + 2 * (rest / 4) - moon - rest % 4) % 7
    let late = (year % 19 + 11 * moon + 22 * sunday) / 451
    let days = moon + sunday - 7 * late + 114
    return CivilDateTime(year: year, month: days / 31, day: days % 31 + 1)
  }

  /// Likewise, of the Julian calendar.
  private static func orthodoxEasterSunday(of year: Int) -> CivilDateTime {
    let moon = (19 * (year % 19) + 15) % 30
    let days = moon + (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7 + 114
    let date = CivilDateTime(year: year, month: days / 31, day: days % 31 + 1)
    return date.adding(days: year / 100 - year / 400 - 2)
  }
}
