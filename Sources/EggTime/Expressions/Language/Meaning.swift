/// What a word says about time. A word may have several meanings: `second` is a unit and an ordinal.
enum Meaning: Hashable {
  /// A number in words. English combines tens and ones (`twenty five`); Korean combines places (`삼십오`, where
  /// `십` is a ``place(_:)``).
  case number(Int)
  /// 10, 100 or 1 000.
  case place(Int)
  /// `first` is 1.
  case ordinal(Int)
  /// `a`, `an`.
  case one
  case half
  case quarter
  /// `a couple of`
  case couple
  /// `a few`: a number of them that is not said, with two that may be meant.
  case few(Int, Int)
  /// `5 more minutes`, `5분 더`
  case more
  case and

  case unit(PersonUnit)
  /// `2027년`, `1월`, `20일`: follows the numbers of a date.
  case dateMark(DateMark)
  /// `시`, after an hour of the day.
  case hourMark
  /// `o'clock`, after an hour of a twelve-hour clock.
  case oclock
  /// Behind a span, without meaning: `10 minute timer`.
  case timer

  case weekday(Weekday)
  /// Recurring days: `mondays`, `weekdays`. Bit 0 is Monday.
  case weekdays(UInt8)
  /// Behind `every` or an ordinal; elsewhere it is of a label: `business day`.
  case workday
  /// `fr`, in a range only: `mo-fr`.
  case shortWeekday(Weekday)
  /// 1 to 12.
  case month(Int)
  /// Days from today.
  case day(Int)
  case partOfDay(PartOfDay)
  /// Recurring: `mornings`.
  case partsOfDay(PartOfDay)
  /// `tonight`: today and a part of the day.
  case partOfToday(PartOfDay)
  case meridiem(isAfternoon: Bool)
  /// `noon`.
  case time(TimeOfDay)
  /// A word for no exact time, with what it may mean: `eod`.
  case someTime([String])
  /// `same time`: that of now.
  case sameTime
  case now
  case holiday(Holiday)
  /// `음력`: the date behind it is of the lunar calendar.
  case lunar
  /// `말일`: of the month.
  case lastDay

  case next
  /// `coming friday`
  case coming
  /// `다다음`
  case afterNext
  case this
  /// `차주` is 1.
  case week(ahead: Int)
  /// `금월` is 0.
  case monthFromNow(Int)
  /// `내년` is 1.
  case yearFromNow(Int)
  case last
  case end
  case every
  /// Before or behind the last of a recurring time: `until`, `까지`.
  case until
  /// Before the last of a recurring time; elsewhere it begins a label: `ending`.
  case ending
  /// Before the first of a recurring time: `starting`.
  case starting
  /// Before or behind how long it recurs.
  case `for`
  case during
  /// Beside what recurs within a day, without meaning.
  case allDay
  /// `on the hour`
  case onTheHour
  /// `once a day`
  case once
  /// Counts how often: `twice`, `번`.
  case times
  /// `마다`, after what recurs.
  case eachBehind
  /// `other` in `every other week`.
  case other
  /// `daily`, `매주`.
  case everyUnit(PersonUnit)
  /// `격주`: every second one.
  case everyOtherUnit(PersonUnit)

  case `in`
  case at
  case on
  case of
  case the
  case from
  case to
  /// `to` in `ten to six`.
  case toTheHour
  case past
  case after
  /// `before`; `전` behind a time.
  case before
  /// Before the first of two times: `between 9 and 17`.
  case between
  /// `exactly`, `쯤`: a moment all the same.
  case about
  /// Likewise, but never behind a span, where it begins a label: `10m about the trip`.
  case around
  /// A zone by its city, in a language in which the zone database has no names.
  case zone(String)
  /// `time` in `london time`.
  case clockTime
  /// A first name too: `tom`.
  case name
  /// In a label, before what someone else is told: `that`.
  case told
  /// Goes on with a label behind a time.
  case with
  /// `later`, `hence`, `뒤`: after a span, counted from now.
  case later
  /// `ago`, `전`.
  case ago
  /// Before or behind days that are left out.
  case except
  /// Before the only days on which it recurs.
  case onlyOn
  /// Between two times of which one is meant.
  case or
  /// A word of time that cannot be read: `since`.
  case unread
  /// Without meaning: `에`.
  case nothing
  /// Likewise, but begins a label behind a time of day: `내일은`.
  case topic
}

enum DateMark: Hashable {
  case year
  case month
  case day
}

enum PersonUnit: Int64, Hashable {
  case microsecond
  case millisecond
  case second
  case minute
  case hour
  case day
  case week
  case fortnight
  case month
  case year

  /// In microseconds; nil when the calendar decides.
  var length: Int64? {
    switch self {
    case .microsecond: 1
    case .millisecond: 1_000
    case .second: SpanUnit.second
    case .minute: SpanUnit.minute
    case .hour: SpanUnit.hour
    case .day: SpanUnit.day
    case .week: SpanUnit.week
    case .fortnight: 2 * SpanUnit.week
    case .month, .year: nil
    }
  }
}

/// Parts of a day, which settle the hours of a twelve-hour clock. The raw value is the hour taken for a recurring one
/// without an hour, and offered for one that comes once.
enum PartOfDay: Int, Hashable {
  case earlyMorning = 5
  case morning = 8
  case midday = 12
  case afternoon = 15
  case evening = 19
  case night = 22

  var usualTime: TimeOfDay { TimeOfDay(hour: rawValue, minute: 0) }

  /// The 24-hour hour of a twelve-hour one within this part; nil when unclear.
  func hour(_ hour: Int) -> Int? {
    switch (self, hour) {
    case (.earlyMorning, 1...6): hour
    case (.morning, 1...11): hour
    case (.midday, 10...12): hour
    case (.midday, 1...4): hour + 12
    case (.afternoon, 12): 12
    case (.afternoon, 1...6): hour + 12
    case (.evening, 4...11): hour + 12
    case (.night, 6...11): hour + 12
    default: nil
    }
  }

  /// Whether an hour of a 24-hour clock lies in it.
  func holds(_ hour: Int) -> Bool {
    switch self {
    case .earlyMorning: (0...7).contains(hour)
    case .morning: (0...12).contains(hour)
    case .midday: (10...16).contains(hour)
    case .afternoon: (12...18).contains(hour)
    case .evening: (16...23).contains(hour)
    case .night: hour >= 18
    }
  }
}
