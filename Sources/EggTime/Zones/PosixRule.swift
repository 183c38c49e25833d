/// A POSIX `TZ`, as in the footer of a zone file: RFC 9636 §3.3.1, hours up to 167 either way.
struct PosixRule: Hashable, Sendable {
  var standard: LocalTimeType
  /// nil when there is none.
  var daylight: Daylight?

  /// Daylight saving time. It may span the turn of the year, or last forever.
  struct Daylight: Hashable, Sendable {
    var type: LocalTimeType
    var start: YearlyMoment
    var end: YearlyMoment
  }

  /// A day of every year and a time on the clock in force just before.
  struct YearlyMoment: Hashable, Sendable {
    var day: Day
    /// Seconds from the day's 00:00; below 0 or above 86 400 on another day.
    var time: Int

    enum Day: Hashable, Sendable {
      /// `Jn`: 1 to 365, February 29 is never counted.
      case julian(Int)
      /// `n`: 0 to 365, February 29 is counted.
      case zeroBased(Int)
      /// `Mm.w.d`: week 5 is the last; Sunday is 0.
      case weekday(month: Int, week: Int, day: Int)
    }
  }

  /// The period that holds a moment, in seconds since the epoch.
  func period(at seconds: Int64) -> ZonePeriod {
    guard let daylight else { return ZonePeriod(start: .min, end: .max, type: standard) }
    let year = CivilDateTime(secondsOnClock: Int(seconds) + standard.offset).year
    var start = Int64.min
    var end = Int64.max
    var type = standard
    // Where daylight saving never ends, the end of one period is the start of the next: apply ends first.
    // Hours reach a week beyond the year, so both of a year's moments can lie in the year before or after.
    for year in year - 2...year + 2 {
      let ends = Int64(daylight.end.seconds(in: year) - daylight.type.offset)
      let starts = Int64(daylight.start.seconds(in: year) - standard.offset)
      if ends <= starts {
        apply(ends, standard)
        apply(starts, daylight.type)
      } else {
        apply(starts, daylight.type)
        apply(ends, standard)
      }
    }
    func apply(_ moment: Int64, _ begins: LocalTimeType) {
      if moment <= seconds {
        if moment > start || (moment == start && begins == daylight.type) { (start, type) = (moment, begins) }
      } else {
        end = min(end, moment)
      }
    }
    return ZonePeriod(start: start, end: end, type: type)
  }
}

extension PosixRule.YearlyMoment {
  /// Seconds from 1970-01-01 00:00:00 on the same clock.
  func seconds(in year: Int) -> Int {
    let newYear = CivilDateTime(year: year, month: 1, day: 1).dayNumber
    let dayNumber: Int
    switch day {
    case .julian(let day):
      dayNumber = newYear + day - 1 + (day > 59 && CivilDateTime.days(in: 2, of: year) == 29 ? 1 : 0)
    case .zeroBased(let day): dayNumber = newYear + day
    case .weekday(let month, let week, let day):
      let first = CivilDateTime(year: year, month: month, day: 1).dayNumber
      let firstWeekday = (Weekday(dayNumber: first).rawValue + 1) % 7
      var ordinal = (day - firstWeekday + 7) % 7 + (week - 1) * 7
      if ordinal >= CivilDateTime.days(in: month, of: year) { ordinal -= 7 }
      dayNumber = first + ordinal
    }
    return dayNumber * 86_400 + time
  }
}
