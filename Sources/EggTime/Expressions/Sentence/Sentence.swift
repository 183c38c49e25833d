/// What a sentence has said, part by part, before the parts are put together.
struct Sentence {
  /// A part and where it stands in the text, in bytes.
  struct Part<Value> {
    var value: Value
    var range: Range<Int>
  }

  var time: Part<SaidTime>?
  var partOfDay: Part<PartOfDay>?
  /// One that stands before its hour, as in Korean.
  var meridiem: Part<Bool>?
  var date: Part<DateForm>?
  /// Of a date with a two-digit year in front: the date that it is where the day stands in front, and how both are typed.
  var dayFirst: (date: CivilDate, offset: Int, readings: [String])?
  var day: Part<DayForm>?
  /// `in 3 days`, `2 weeks from now`.
  var offset: Part<SaidSpan>?
  /// `+ 3 days` and `a week from`, counted from what else is said.
  var added: Part<SaidSpan>?
  var saysNow = false
  var zone: ZoneForm?
  var every: Part<SaidEvery>?

  var isEmpty: Bool {
    time == nil && partOfDay == nil && meridiem == nil && date == nil && day == nil && offset == nil
      && added == nil
      && !saysNow && zone == nil && every == nil
  }
}

/// A time of day as it was typed.
struct SaidTime {
  enum Clock {
    /// Of a 24-hour clock without doubt: `07:30`, `19:30`, `noon`, and what am or pm settled.
    case settled
    /// `7:30`: of a 24-hour clock unless a part of the day says otherwise.
    case twelve
    /// `9시`: the same, and the hint says how the afternoon is typed.
    case hourMark
    /// An hour alone, or `half past six`: a part of the day has to say which.
    case bare
  }

  var time: TimeOfDay
  var clock: Clock
  /// Whether it was typed as `midnight`.
  var isMidnight = false
  /// Whether `at` stands before it.
  var isBehindAt = false
}

/// A span as it was typed.
struct SaidSpan {
  var months = 0
  var days = 0
  var weeks = 0
  /// What is shorter than a day, and parts of days and weeks.
  var elapsed = TimeSpan.zero
  /// A time of day that some write this way: `15:30` for `15h30`.
  var clock: TimeOfDay?
  /// Whether days count on the calendar too, as in `next day`.
  var isOnCalendar = false
  /// How the first day of what follows is typed, which `next month` is to some.
  var firstDay: String?

  /// Days and weeks as well as what is shorter, as elapsed time; nil where 64 bits do not hold it.
  var length: TimeSpan? {
    let (span, overflow) = Int64(days + 7 * weeks).multipliedReportingOverflow(by: SpanUnit.day)
    let (sum, overflows) = span.addingReportingOverflow(elapsed.microseconds)
    return overflow || overflows ? nil : TimeSpan(microseconds: sum)
  }

  /// On the calendar as far as it has whole days.
  var shift: CalendarShift { CalendarShift(months: months, days: days + 7 * weeks, elapsed: elapsed) }
}

/// What was said of recurring.
struct SaidEvery {
  /// How many of the unit; 2 for `every other`.
  var count = 1
  /// Whether a number, or `other`, was typed.
  var hasCount = false
  /// nil where days or dates say how often.
  var unit: PersonUnit?
  /// Bit 0 is Monday.
  var weekdays: UInt8 = 0
  /// In place of a count and a unit: `1h30`.
  var length: TimeSpan?
}
