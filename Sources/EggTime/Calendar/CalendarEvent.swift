/// A recurring time as in systemd.time(7), Calendar Events, without its `dst` suffixes.
///
/// Elapses are found by searching the wall clock of its zone. A time in a gap does not elapse that day; a
/// time in an overlap elapses the first time.
public struct CalendarEvent: Hashable, Sendable {
  /// The zone it names and is evaluated in (an IANA name, or UTC); nil for the evaluator's zone.
  public let zoneName: String?
  /// The canonical form, as printed by `systemd-analyze calendar`: `Mon..Fri *-*-* 07:30:00`.
  public let description: String

  let fields: Fields

  struct Fields: Hashable, Sendable {
    /// Bit 0 is Monday.
    var weekdays: UInt8 = allWeekdays
    var year = CalendarList.any
    var month = CalendarList.any
    var day = CalendarList.any
    /// Whether days are counted from the end of the month, the last day being 1.
    var daysFromEnd = false
    var hour = CalendarList(0)
    var minute = CalendarList(0)
    /// In microseconds.
    var second = CalendarList(0)

    static let allWeekdays: UInt8 = 0x7F

    /// Counted from the start of a month of `length` days.
    func days(ofMonth length: Int) -> CalendarList {
      guard daysFromEnd else { return day }
      return CalendarList(components: day.components.map { $0.fromEnd(ofMonth: length) })
    }

    /// At each of these times of day, which share their minute and second.
    mutating func set(_ times: [TimeOfDay]) {
      guard let first = times.first else { return }
      hour = CalendarList(
        components: Set(times.map(\.hour)).sorted().map { CalendarComponent(start: $0, stop: nil, step: 0) })
      minute = CalendarList(first.minute)
      second = CalendarList(first.second * 1_000_000 + first.microsecond)
    }
  }

  /// The years in which it can elapse.
  public static let years = 1970...2199
  static let lastOfMinute = 59_999_999

  init(_ fields: Fields, zoneName: String? = nil) {
    self.fields = fields
    self.zoneName = zoneName
    description = CalendarText.of(fields) + (zoneName.map { " " + $0 } ?? "")
  }

  /// Reads what an expression may say after `every`; nil for any other text. Reads no file: the zone may not
  /// exist.
  public init?(_ text: String) {
    guard case .calendar(let fields, let zone, _, _) = try? ExpressionReader(text, as: .calendar).form()
    else {
      return nil
    }
    self.init(fields, zoneName: zone?.name)
  }

  /// Whether two elapses can lie closer together than `span`, which is above zero and at most a minute.
  public func isDenser(than span: TimeSpan) -> Bool {
    let list = fields.second
    guard let first = list.first(from: 0, through: Self.lastOfMinute) else { return false }
    var last = first
    // Each step is at least as long as the span, so there are few.
    while let next = list.first(from: last + 1, through: Self.lastOfMinute) {
      if next - last < span.microseconds { return true }
      last = next
    }
    return Self.lastOfMinute + 1 - last + first < span.microseconds
  }

  /// Equal when the canonical forms are.
  public static func == (a: CalendarEvent, b: CalendarEvent) -> Bool { a.description == b.description }

  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension CalendarEvent: CustomStringConvertible {}

extension CalendarEvent: WallClockSeries {
  /// The first elapse strictly after `base` on the clock of `zone`; nil when there is none. The caller loads
  /// the event's own zone.
  public func next(after base: Instant, in zone: Zone) -> Instant? { elapse(after: base, in: zone) }

  /// The first matching time from `start` on, whether or not a clock ever shows it.
  func match(from start: CivilDateTime) -> CivilDateTime? {
    var year = max(start.year, Self.years.lowerBound)
    while let found = fields.year.first(from: year, through: Self.years.upperBound) {
      let isFirst = found == start.year
      if let match = match(in: found, from: isFirst ? start : CivilDateTime(year: found, month: 1, day: 1)) {
        return match
      }
      year = found + 1
    }
    return nil
  }

  private func match(in year: Int, from start: CivilDateTime) -> CivilDateTime? {
    for month in start.month...12 where fields.month.contains(month) {
      let length = CivilDateTime.days(in: month, of: year)
      let days = fields.days(ofMonth: length)
      let monthStart = CivilDateTime(year: year, month: month, day: 1).dayNumber
      for day in (month == start.month ? start.day : 1)...length where days.contains(day) {
        guard fields.weekdays >> Weekday(dayNumber: monthStart + day - 1).rawValue & 1 != 0 else { continue }
        let isFirst = month == start.month && day == start.day
        let time = isFirst ? start : CivilDateTime(year: year, month: month, day: day)
        if let match = match(onDayOf: time) { return match }
      }
    }
    return nil
  }

  /// The first match from `start` on that day.
  private func match(onDayOf start: CivilDateTime) -> CivilDateTime? {
    for hour in start.hour...23 where fields.hour.contains(hour) {
      for minute in (hour == start.hour ? start.minute : 0)...59 where fields.minute.contains(minute) {
        let isFirst = hour == start.hour && minute == start.minute
        let least = isFirst ? start.second * 1_000_000 + start.microsecond : 0
        guard let second = fields.second.first(from: least, through: Self.lastOfMinute) else { continue }
        var time = start
        (time.hour, time.minute) = (hour, minute)
        (time.second, time.microsecond) = second.quotientAndRemainder(dividingBy: 1_000_000)
        return time
      }
    }
    return nil
  }
}
