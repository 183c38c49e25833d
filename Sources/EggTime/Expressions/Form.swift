/// What was typed, before any clock or zone is asked: the same text always has the same form.
enum Form {
  /// Classes 1 and 5.
  case span(TimeSpan, hint: ExpressionHint?)
  /// `@`.
  case epoch(Instant)
  /// Elapsed time from now, either way: `+5min`, `5min ago`, `now`, `now + 2 hours`.
  case elapsed(TimeSpan, hint: ExpressionHint? = nil)
  /// Now, moved on the calendar, at the same time of day: `next month`, `now + 2 days`, `1 month 3 h`.
  case shifted(CalendarShift, hint: ExpressionHint? = nil)
  /// A time, a date, a weekday, or several of these, on some clock.
  case civil(CivilForm)
  /// Class 7. `zone` is the IANA name that was typed, and where it stands in the text. `isDayAlone`: no time of day was
  /// typed in a sentence.
  case calendar(
    CalendarEvent.Fields, zone: (name: String, offset: Int)?, isDayAlone: Bool = false,
    hint: ExpressionHint? = nil)
  /// A recurring time that counts from a start.
  case interval(IntervalForm)
  /// The one form of an interval, start and all.
  case counted(RecurringInterval)

  /// Whether a day was typed without a time of day.
  var isDayAlone: Bool {
    switch self {
    case .civil(let civil): civil.time == nil
    case .calendar(_, _, let isDayAlone, _): isDayAlone
    case .interval(let form): form.isDayAlone
    case .span, .epoch, .elapsed, .shifted, .counted: false
    }
  }

  /// Whether it could name a moment to come, whenever it is read.
  var canLieAhead: Bool {
    switch self {
    case .span: true
    case .epoch: false
    case .elapsed(let span, _): span > .zero
    case .shifted(let shift, _): shift.months > 0 || shift.days > 0 || shift.elapsed > .zero
    case .civil(let civil): civil.canLieAhead
    case .calendar, .interval, .counted: true
    }
  }
}

/// A way along the calendar: months, then days, at the same time of day; then elapsed time.
struct CalendarShift: Hashable {
  var months = 0
  var days = 0
  var elapsed = TimeSpan.zero
}

/// The parts of a civil time that were typed.
struct CivilForm {
  var date: DateForm?
  /// Together with a date it has to be that date's.
  var day: DayForm?
  /// Where the day stands in the text.
  var dayOffset = 0
  var time: TimeOfDay?
  var zone: ZoneForm?
  /// Added to what the other parts name.
  var added: CalendarShift?
  /// What a date with a two-digit year in front is where the day stands in front, and the text with either date.
  var dayFirst: (date: CivilDate, offset: Int, readings: [String])?
  /// The text around a date and a weekday beside it, and the text with that weekday alone.
  var apart: (before: String, behind: String, day: String)?
  /// How the end of the day is typed, which some mean by its midnight.
  var dayAfter: String?
  /// How the day a week after `next friday` is typed.
  var weekAfter: String?
  /// How the same text is typed for twelve hours later, where the time was typed as twelve-hour clocks show it.
  var afternoon: Afternoon?

  fileprivate var canLieAhead: Bool {
    switch date {
    case .full: false
    case .relative(let days):
      days > 0 || (days == 0 && time.map { $0 != .midnight } ?? false) || added != nil
    case .inMonth, .shifted, nil: true
    }
  }
}

/// The other reading of a time that may be one of a twelve-hour clock.
struct Afternoon {
  var text: String
  /// Whether it is always named, and not only where it comes sooner.
  var isAlways = false
}

/// A recurring time that counts from a start, as it was typed.
struct IntervalForm {
  enum Step {
    case elapsed(TimeSpan)
    case days(Int)
    /// Bit 0 is Monday; none for the weekday of the start.
    case weeks(Int, on: UInt8)
    /// On that day of the month; nil for that of the start.
    case months(Int, day: DayOfMonth?)
    /// In that month, on that day.
    case years(Int, month: Int, day: Int)
  }

  var step: Step
  var time: TimeOfDay?
  var zone: ZoneForm?
  /// Whether a day was typed without a time of day.
  var isDayAlone = false
  var hint: ExpressionHint?
}

enum DateForm {
  /// Checked to exist.
  case full(year: Int, month: Int, day: Int)
  /// A day of a month. `offset` is where it stands in the text.
  case inMonth(MonthForm, DayOfMonth, offset: Int)
  /// Days from today.
  case relative(days: Int)
  /// Today, moved on the calendar; the elapsed part is zero.
  case shifted(CalendarShift)
}

enum MonthForm {
  /// The first one, from this on, that has the day, and has it ahead.
  case coming
  /// 0 is this month, 1 the next.
  case ahead(Int)
  /// 1 to 12, of the first year in which the day is not before today.
  case named(Int)
  case full(year: Int, month: Int)
}

enum DayOfMonth {
  /// 1 to 31.
  case number(Int)
  /// From the end; 1 is the last.
  case fromEnd(Int)
  /// The first is 1, the last -1.
  case weekday(Weekday, count: Int)
}

struct DayForm {
  enum Week {
    /// The first such day; today counts while its time is still ahead.
    case coming
    /// `next friday`: the first such day after today.
    case afterToday
    /// Of a week from Monday to Sunday; 1 is the next.
    case ahead(Int)
    /// The first such day from the day on that the shift leads to.
    case from(CalendarShift)
  }

  var weekday: Weekday
  var week: Week
  /// Further weeks.
  var weeksLater = 0
}

struct TimeOfDay: Hashable {
  var hour: Int
  var minute: Int
  var second = 0
  /// 1 000 000 where a seventh digit rounded up to the next second.
  var microsecond = 0

  static let midnight = TimeOfDay(hour: 0, minute: 0)
}

enum ZoneForm {
  /// Seconds east of UTC.
  case offset(Int)
  /// An IANA name or an abbreviation; `offset` is where it stands in the text.
  case named(String, offset: Int)
}
