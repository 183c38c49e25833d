/// The days that a rule names: those that pass each of its BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY and BYDAY.
/// What a rule leaves open comes from its start (RFC 5545 §3.3.10).
struct RuleDays: Sendable {
  /// Bit n is month n.
  private let months: UInt64
  /// Bit n is day n of the month; and from its end.
  private let monthDays: (fromStart: UInt64, fromEnd: UInt64)?
  private let yearDays: Set<Int>?
  private let weeks: Set<Int>?
  private let firstWeekday: Int
  /// Bit 0 is Monday.
  private let weekdays: UInt64
  private let numbered: [RecurrenceRule.Day]
  private let namesWeekdays: Bool
  /// Whether numbers in BYDAY count within the year, not the month.
  private let countsInYear: Bool

  init(_ rule: RecurrenceRule, from start: CivilDateTime) {
    var (months, monthDays, days) = (rule.months, rule.monthDays, rule.days)
    if rule.yearDays == nil, monthDays == nil, days == nil {
      switch rule.frequency {
      case .yearly where rule.weeks != nil, .weekly:
        days = [RecurrenceRule.Day(ordinal: 0, weekday: start.weekday.rawValue)]
      case .yearly:
        months = months ?? [start.month]
        monthDays = [start.day]
      case .monthly: monthDays = [start.day]
      default: break
      }
    }
    func bits(_ values: some Sequence<Int>) -> UInt64 { values.reduce(0) { $0 | 1 << UInt64($1) } }
    self.months = bits(months ?? Set(1...12))
    self.monthDays = monthDays.map { all in
      (bits(all.filter { $0 > 0 }), bits(all.filter { $0 < 0 }.map { -$0 }))
    }
    yearDays = rule.yearDays
    weeks = rule.weeks
    firstWeekday = rule.firstWeekday
    weekdays = bits(days?.filter { $0.ordinal == 0 }.map(\.weekday) ?? [])
    numbered = days?.filter { $0.ordinal != 0 } ?? []
    namesWeekdays = days != nil
    countsInYear = rule.frequency == .yearly && rule.months == nil
  }

  /// The first day, this one included, in a month that the rule names; days since 1970-01-01.
  func firstInMonths(from day: Int) -> Int {
    let date = CivilDateTime(dayNumber: day)
    guard months >> UInt64(date.month) & 1 == 0 else { return day }
    var month = date.month + 1
    while months >> UInt64((month - 1) % 12 + 1) & 1 == 0 { month += 1 }
    return CivilDateTime(year: date.year, month: month, day: 1).dayNumber
  }

  func contains(_ day: Int) -> Bool {
    let date = CivilDateTime(dayNumber: day)
    guard months >> UInt64(date.month) & 1 != 0 else { return false }
    if let monthDays {
      let left = CivilDateTime.days(in: date.month, of: date.year) + 1 - date.day
      guard monthDays.fromStart >> UInt64(date.day) & 1 != 0 || monthDays.fromEnd >> UInt64(left) & 1 != 0
      else { return false }
    }
    if namesWeekdays {
      let weekday = Weekday(dayNumber: day).rawValue
      guard
        weekdays >> UInt64(weekday) & 1 != 0
          || numbered.contains(where: { $0.weekday == weekday && isNumber($0.ordinal, date, day) })
      else { return false }
    }
    if let yearDays {
      let (place, length) = Self.placeInYear(date, day)
      guard yearDays.contains(place) || yearDays.contains(place - length - 1) else { return false }
    }
    if let weeks {
      let (number, count) = Self.week(of: day, in: date.year, from: firstWeekday)
      guard weeks.contains(number) || weeks.contains(number - count - 1) else { return false }
    }
    return true
  }

  /// Whether it is the nth of its weekday in the month or year, counted from the end if n is negative.
  private func isNumber(_ ordinal: Int, _ date: CivilDateTime, _ day: Int) -> Bool {
    let (place, length) =
      countsInYear
      ? Self.placeInYear(date, day) : (date.day, CivilDateTime.days(in: date.month, of: date.year))
    return ordinal > 0 ? (place + 6) / 7 == ordinal : (length - place + 7) / 7 == -ordinal
  }

  /// The day of the year, counted from 1, and the year's days.
  private static func placeInYear(_ date: CivilDateTime, _ day: Int) -> (place: Int, length: Int) {
    (day - newYear(date.year) + 1, newYear(date.year + 1) - newYear(date.year))
  }

  private static func newYear(_ year: Int) -> Int { CivilDateTime(year: year, month: 1, day: 1).dayNumber }

  /// The number of a day's week, and how many weeks that week's year has. Week 1 is the first with four days
  /// of its year or more.
  private static func week(of day: Int, in year: Int, from weekday: Int) -> (number: Int, count: Int) {
    func first(_ year: Int) -> Int {
      let newYear = newYear(year)
      let into = (Weekday(dayNumber: newYear).rawValue - weekday + 7) % 7
      return newYear - into + (into > 3 ? 7 : 0)
    }
    var (begin, end) = (first(year), first(year + 1))
    if day < begin { (begin, end) = (first(year - 1), begin) }
    if day >= end { (begin, end) = (end, first(year + 2)) }
    return ((day - begin) / 7 + 1, (end - begin) / 7)
  }
}
