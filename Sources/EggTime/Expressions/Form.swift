/// The parsed text, before any clock or zone is consulted: the same text always has the same form.
enum Form {
  /// Classes 1 and 5.
  case span(TimeSpan, hint: ExpressionHint?)
  /// `@`.
  case epoch(Instant)
  /// From now, in either direction: `+5min`, `5min ago`, `now`, `now + 2 hours`.
  case elapsed(TimeSpan, hint: ExpressionHint? = nil)
  /// Now, moved on the calendar at the same time of day: `next month`, `now + 2 days`, `1 month 3 h`.
  case shifted(CalendarShift, hint: ExpressionHint? = nil)
  /// A time, a date or a weekday on some clock, or several of these.
  indirect case civil(CivilForm)
  /// Class 7. `zone` is the IANA name as typed, and its offset in the text. `isDayAlone`: a sentence without
  /// a time of day.
  case calendar(
    CalendarEvent.Fields, zone: (name: String, offset: Int)?, isDayAlone: Bool = false,
    hint: ExpressionHint? = nil)
  /// A recurring time counted from a start.
  case interval(IntervalForm)
  /// Every day, or on these weekdays (bit 0 is Monday) or days of the month (negative from its end), at times that no
  /// calendar event has; without times, days alone.
  case times(
    [TimeOfDay], weekdays: UInt8, monthDays: Set<Int> = [], zone: (name: String, offset: Int)?)
  /// A recurring time with a beginning or an end.
  indirect case bounded(Form, RecurringBounds)
  /// The canonical form of an interval, including its start.
  case counted(RecurringInterval)
  /// A rule of RFC 5545; `offset` is where it begins.
  case rule(RecurrenceText, offset: Int)

  /// A day was typed without a time of day.
  var isDayAlone: Bool {
    switch self {
    case .civil(let civil): civil.time == nil && !civil.keepsTime
    case .calendar(_, _, let isDayAlone, _): isDayAlone
    case .interval(let form): form.isDayAlone
    case .times(let times, _, _, _): times.isEmpty
    case .bounded(let form, _): form.isDayAlone
    case .span, .epoch, .elapsed, .shifted, .counted, .rule: false
    }
  }

  /// Whether, read at some time, it could name a future moment.
  var canLieAhead: Bool {
    switch self {
    case .span: true
    case .epoch: false
    case .elapsed(let span, _): span > .zero
    case .shifted(let shift, _): shift.months > 0 || shift.days > 0 || shift.elapsed > .zero
    case .civil(let civil): civil.canLieAhead
    case .calendar, .interval, .times, .counted, .rule: true
    case .bounded(_, let bounds): bounds.until.map(\.canLieAhead) ?? true
    }
  }

  /// Whether it recurs within a day.
  var isShort: Bool {
    switch self {
    case .interval(let form):
      if case .elapsed(let span) = form.step { span < .seconds(86_400) } else { false }
    case .calendar(let fields, _, _, _): fields.hour.isAny
    default: false
    }
  }
}

/// A distance on the calendar: months, then days, at the same time of day; then elapsed time.
struct CalendarShift: Hashable {
  var months = 0
  var days = 0
  var elapsed = TimeSpan.zero
}

struct CivilForm {
  var date: DateForm?
  /// Next to a date it must be that date's.
  var day: DayForm?
  /// The byte offset of the day.
  var dayOffset = 0
  var time: TimeOfDay?
  /// The time of day of now.
  var keepsTime = false
  var zone: ZoneForm?
  /// Added to the time that the other parts name.
  var added: CalendarShift?
  /// For a date like `28-11-26`: the date with the day first, and the text with either date.
  var dayFirst: (date: CivilDate, offset: Int, readings: [String])?
  /// The text around a date with a weekday, and the text with the weekday alone.
  var apart: (before: String, behind: String, day: String)?
  /// What to type for the end of the day, which some mean by its midnight.
  var dayAfter: String?
  /// What to type for midnight, when `12시` is noon.
  var midnight: String?
  /// What to type for the day a week after `next friday`.
  var weekAfter: String?
  /// What to type for the year after that of `next christmas`.
  var yearAfter: String?
  /// What to type for twelve hours later, when the time may be one of a twelve-hour clock.
  var afternoon: Afternoon?

  var canLieAhead: Bool {
    switch date {
    case .full: false
    case .relative(let days):
      days > 0 || (days == 0 && time != .midnight) || added != nil
    case .inMonth, .yearly, .shifted, nil: true
    }
  }
}

/// The afternoon reading of a time.
struct Afternoon {
  var text: String
  /// What to type for the morning.
  var morning: [String] = []
  /// Always mentioned; otherwise only when it comes sooner.
  var isAlways = false
}

/// When a recurring time begins and ends, as typed.
struct RecurringBounds {
  /// A day begins at midnight.
  var from: CivilForm?
  /// A day ends with it.
  var until: CivilForm?
  /// From the beginning.
  var length: CalendarShift?
  /// How often it elapses.
  var count: Int?
  /// Where the first of them stands.
  var offset: Int
}

/// A recurring time counted from a start, as typed.
struct IntervalForm {
  enum Step {
    case elapsed(TimeSpan)
    case days(Int)
    /// Bit 0 is Monday; 0 means the weekday of the start.
    case weeks(Int, on: UInt8)
    /// nil means the day of the start; `from` is the month of the start.
    case months(Int, day: MonthDay?, from: Int? = nil)
  }

  var step: Step
  var time: TimeOfDay?
  var zone: ZoneForm?
  /// A day was typed without a time of day.
  var isDayAlone = false
  var hint: ExpressionHint?
}

enum DateForm {
  /// Known to exist.
  case full(year: Int, month: Int, day: Int)
  /// `offset` is its byte offset in the text.
  case inMonth(MonthForm, MonthDay, offset: Int)
  /// Without a year, the next one.
  case yearly(Holiday, year: Int?, yearsAhead: Int?, offset: Int)
  /// Days from today.
  case relative(days: Int)
  /// Today, moved on the calendar; `elapsed` is zero.
  case shifted(CalendarShift)
}

enum MonthForm {
  /// The first month, this one included, that has the day and has it ahead.
  case coming
  /// 0 is this month, 1 the next.
  case ahead(Int)
  /// 1 to 12, in the first year in which the day is not over.
  case named(Int)
  case full(year: Int, month: Int)
  /// In the present year (0) or one after it.
  case yearAhead(Int, month: Int)
}

struct DayForm {
  enum Week {
    /// The first such day; today counts while its time lies ahead.
    case coming
    /// `next friday`: the first such day after today.
    case afterToday
    /// In a week from Monday to Sunday; 1 is next week.
    case ahead(Int)
    /// The first such day on or after the shifted day.
    case from(CalendarShift)
  }

  var weekday: Weekday
  var week: Week
  var weeksLater = 0
}

public struct TimeOfDay: Hashable, Sendable {
  public var hour: Int
  public var minute: Int
  public var second = 0
  /// 1 000 000 when a seventh digit rounded up to the next second.
  var microsecond = 0

  public init(hour: Int, minute: Int, second: Int = 0) {
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Minutes from midnight.
  init(minutes: Int) { self.init(hour: minutes / 60, minute: minutes % 60) }

  public init(_ civil: CivilDateTime) {
    self.init(hour: civil.hour, minute: civil.minute, second: civil.second)
    microsecond = civil.microsecond
  }

  public static let midnight = TimeOfDay(hour: 0, minute: 0)
  /// Of days without one, unless config.toml names another.
  public static let usual = TimeOfDay(hour: 9, minute: 0)
}

enum ZoneForm {
  /// Seconds east of UTC.
  case offset(Int)
  /// An IANA name or an abbreviation; `offset` is its byte offset in the text.
  case named(String, offset: Int)

  /// Whether any zone on earth is that many seconds east of UTC.
  static func isOffset(_ seconds: Int) -> Bool { (-12 * 3_600...14 * 3_600).contains(seconds) }
}
