/// The parts of a sentence, before they are combined.
struct Sentence {
  /// A part and its bytes in the text.
  struct Part<Value> {
    var value: Value
    var range: Range<Int>
  }

  var time: Part<SaidTime>?
  /// Further times of the same days: `and 8pm`.
  var moreTimes: [Part<TimeOfDay>] = []
  var partOfDay: Part<PartOfDay>?
  /// Typed before the hour, as in Korean.
  var meridiem: Part<Bool>?
  var date: Part<DateForm>?
  /// Several days of the month (`15th and 30th`), or several ordinals of the weekday (`first and third`); otherwise
  /// empty.
  var days: [Part<Int>] = []
  /// For a date like `28-11-26`: the date with the day first, and what to type for either.
  @Boxed var dayFirst: (date: CivilDate, offset: Int, readings: [String])?
  var day: Part<DayForm>?
  /// `in 3 days`, `2 weeks from now`.
  @Boxed var offset: Part<SaidSpan>?
  /// `+ 3 days` and `a week from`, added to the rest.
  @Boxed var added: Part<SaidSpan>?
  var saysNow = false
  /// `same time`
  var keepsTime = false
  var zone: ZoneForm?
  var every: Part<SaidEvery>?
  /// `all day`, without meaning.
  var allDay: Part<Void>?
  /// Weekdays that are left out. Bit 0 is Monday.
  var except: Part<UInt8>?
  /// The hours between which a short interval recurs.
  @Boxed var window: ClockRange?
  /// The first and the last of a recurring time, or how long or how often it recurs.
  @Boxed var from: Part<CivilForm>?
  @Boxed var until: Part<CivilForm>?
  @Boxed var length: Part<SaidSpan>?
  var count: Part<Int>?

  var isEmpty: Bool {
    time == nil && partOfDay == nil && meridiem == nil && date == nil && day == nil && offset == nil
      && added == nil
      && !saysNow && !keepsTime && zone == nil && every == nil && window == nil && from == nil && until == nil
      && length == nil && count == nil
  }

  var hasDay: Bool { date != nil || day != nil || every != nil || offset != nil }
}

extension Optional {
  /// Throws if the part was already said.
  @discardableResult
  mutating func say<Value>(_ value: Value, _ range: Range<Int>) throws(Misread) -> Bool
  where Wrapped == Sentence.Part<Value> {
    guard self == nil else { throw Misread(offset: range.lowerBound, reason: .unexpected) }
    self = Sentence.Part(value: value, range: range)
    return true
  }
}

/// Stores a large value, which most sentences lack, outside of them. A reader copies its sentence at each attempt: with all
/// values inside, each thread of eggd that reads one takes 100 kB more of stack.
@propertyWrapper struct Boxed<Value> {
  private var values: [Value] = []

  var wrappedValue: Value? {
    get { values.first }
    set { values = newValue.map { [$0] } ?? [] }
  }
}

/// A time of day as typed.
struct SaidTime {
  enum Clock {
    /// Certainly of a 24-hour clock: `07:30`, `19:30`, `noon`, or settled by am or pm.
    case settled
    /// `7:30`: of a 24-hour clock unless a part of the day says otherwise.
    case twelve
    /// `9시`: likewise, with a hint for the afternoon.
    case hourMark
    /// A bare hour, or `half past six`: needs a part of the day.
    case bare
  }

  var time: TimeOfDay
  var clock: Clock
  /// Typed as `midnight`.
  var isMidnight = false
  /// Typed after `at`.
  var isBehindAt = false
  /// Elsewhere a span: `2h`, `2000 hours`.
  var mayBeLength = false
}

struct SaidSpan {
  var months = 0
  var days = 0
  var weeks = 0
  /// Units below a day, and fractions of days and weeks.
  var elapsed = TimeSpan.zero
  /// The time of day that may be meant: `15:30` for `15h30`.
  var clock: TimeOfDay?
  /// Whether days move along the calendar too, as in `next day`.
  var isOnCalendar = false
  /// What to type for the first day of the next unit, which `next month` may mean.
  var firstDay: String?
  /// The last unit may also be the mark of a date (`7일`).
  var mayBeDate = false

  var negated: SaidSpan {
    SaidSpan(months: -months, days: -days, weeks: -weeks, elapsed: .zero - elapsed)
  }

  /// All but the months, as elapsed time; nil on overflow.
  var length: TimeSpan? {
    let (span, overflow) = Int64(days + 7 * weeks).multipliedReportingOverflow(by: SpanUnit.day)
    let (sum, overflows) = span.addingReportingOverflow(elapsed.microseconds)
    return overflow || overflows ? nil : TimeSpan(microseconds: sum)
  }

  /// Whole days on the calendar, the rest as elapsed time.
  var shift: CalendarShift { CalendarShift(months: months, days: days + 7 * weeks, elapsed: elapsed) }
}

/// How often, as typed.
struct SaidEvery {
  /// How many of the unit, where a number or `other` (2) was typed.
  var typedCount: Int?
  /// nil when days or dates say how often.
  var unit: PersonUnit?
  /// Bit 0 is Monday.
  var weekdays: UInt8 = 0
  /// Instead of a count and a unit: `1h30`.
  var length: TimeSpan?
  /// Of every hour.
  var minute: Int?
  /// `hourly`, a named event of systemd: on the full hour. `every hour` counts from now.
  var isNamed = false

  var count: Int { typedCount ?? 1 }
}
