extension CivilDateTime {
  /// 28 to 31; 0 when there is no such month.
  public static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    case 1...12: 31
    default: 0
    }
  }

  /// Whether the date exists, the year is 0 to 9999 and the time lies within a day (no 24:00, no :60).
  public var isValid: Bool {
    (0...9999).contains(year) && day >= 1 && day <= Self.days(in: month, of: year)
      && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
      && (0...999_999).contains(microsecond)
  }

  /// Days from 1970-01-01; negative before it. A month or a day out of range runs on into the next year or
  /// month.
  public var dayNumber: Int {
    let (wholeYears, monthOfYear) = Int.floorDivide(months, 12)
    // Years begin in March here, so that the leap day comes last.
    let (shifted, marchMonth) =
      monthOfYear >= 2 ? (wholeYears, monthOfYear - 2) : (wholeYears - 1, monthOfYear + 10)
    let (era, yearOfEra) = Int.floorDivide(shifted, 400)
    let dayOfYear = (153 * marchMonth + 2) / 5
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear + day - 1 - 719_468
  }

  /// The date `dayNumber` days after 1970-01-01.
  public init(dayNumber: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0) {
    let (era, dayOfEra) = Int.floorDivide(dayNumber + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    self.init(
      year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * marchMonth + 2) / 5 + 1, hour: hour, minute: minute, second: second,
      microsecond: microsecond)
  }

  /// Since January of the year 0.
  var months: Int { year * 12 + month - 1 }

  public var weekday: Weekday { Weekday(dayNumber: dayNumber) }

  /// Seconds since 1970-01-01 00:00:00 on this clock, 86 400 to the day, microseconds dropped.
  public var secondsOnClock: Int { dayNumber * 86_400 + hour * 3_600 + minute * 60 + second }

  /// The inverse of ``secondsOnClock``.
  public init(secondsOnClock: Int, microsecond: Int = 0) {
    let (day, second) = Int.floorDivide(secondsOnClock, 86_400)
    self.init(
      dayNumber: day, hour: second / 3_600, minute: second / 60 % 60, second: second % 60,
      microsecond: microsecond)
  }

  /// The same time of day, `days` later; earlier when negative.
  public func adding(days: Int) -> CivilDateTime {
    CivilDateTime(
      dayNumber: dayNumber + days, hour: hour, minute: minute, second: second, microsecond: microsecond)
  }

  /// The same day and time, `months` later. A day that the month lacks runs on: Jan 31 + 1 month = Mar 3 (Mar
  /// 2 in leap years); Feb 29 + 12 months = Mar 1.
  ///
  /// Across a new year the day runs on in the calendar of the year it started in, as in at(1): 2027-10-31 + 4
  /// months = 2028-03-03.
  public func adding(months: Int) -> CivilDateTime {
    let (years, month) = Int.floorDivide(self.month - 1 + months, 12)
    var moved = self
    moved.month = month + 1
    moved = moved.adding(days: 0)
    moved.year += years
    return moved.adding(days: 0)
  }
}

extension CivilDateTime: Comparable {
  public static func < (a: CivilDateTime, b: CivilDateTime) -> Bool {
    (a.year, a.month, a.day) != (b.year, b.month, b.day)
      ? (a.year, a.month, a.day) < (b.year, b.month, b.day)
      : (a.hour, a.minute, a.second, a.microsecond) < (b.hour, b.minute, b.second, b.microsecond)
  }
}

extension Int {
  /// The remainder is never negative.
  static func floorDivide(_ a: Int, _ b: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
  }

  /// Up to a multiple of `step`. Not for negative numbers.
  func rounded(upTo step: Int) -> Int { (self + step - 1) / step * step }
}
