/// What was typed, before any clock or zone is asked: the same text always has the same form.
enum Form {
  /// Classes 1 and 5.
  case span(TimeSpan, hint: ExpressionHint?)
  /// `@`.
  case epoch(Instant)
  /// Elapsed time from now, either way: `+5min`, `5min ago`, `now`, `now + 2 hours`.
  case elapsed(TimeSpan, hint: ExpressionHint? = nil)
  /// Now, moved on the calendar, at the same time of day: `next month`, `now + 2 days`.
  case shifted(days: Int, months: Int)
  /// A time, a date, a weekday, or several of these, on some clock.
  case civil(CivilForm)
  /// Class 7. `zone` is the IANA name that was typed, and where it stands in the text.
  case calendar(CalendarEvent.Fields, zone: (name: String, offset: Int)?)

  /// Whether it could name a moment to come, whenever it is read.
  var canLieAhead: Bool {
    switch self {
    case .span: true
    case .epoch: false
    case .elapsed(let span, _): span > .zero
    case .shifted(let days, let months): days > 0 || months > 0
    case .civil(let civil):
      switch civil.date {
      case .full: false
      case .relative(let days): days > 0 || (days == 0 && civil.time.map { $0 != .midnight } ?? false)
      case .monthDay, nil: true
      }
    case .calendar: true
    }
  }
}

/// The parts of a civil time that were typed.
struct CivilForm {
  var date: DateForm?
  /// Never together with a date.
  var day: DayForm?
  var time: TimeOfDay?
  var zone: ZoneForm?
}

enum DateForm {
  /// Checked to exist.
  case full(year: Int, month: Int, day: Int)
  /// The next one that is not before today. `offset` is where it stands in the text.
  case monthDay(month: Int, day: Int, offset: Int)
  /// Days from today.
  case relative(days: Int)
}

struct DayForm {
  var weekday: Weekday
  /// `next`: not today.
  var notToday: Bool
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
