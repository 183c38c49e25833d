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
  private let months: UInt64
  /// For months of 28, 29, 30 and 31 days.
  private let days: [UInt64]
  private let hours: UInt64
  private let minutes: UInt64

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
    months = fields.month.bits(through: 12)
    days = (28...31).map { length in
      guard fields.daysFromEnd, !fields.day.isAny else { return fields.day.bits(through: length) }
      let counted = fields.day.components.map { $0.fromEnd(ofMonth: length) }
      return CalendarList(components: counted).bits(through: length)
    }
    hours = fields.hour.bits(through: 23)
    minutes = fields.minute.bits(through: 59)
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
    for month in start.month...12 where months >> month & 1 != 0 {
      let length = CivilDateTime.days(in: month, of: year)
      let possible = days[length - 28]
      let firstDay = month == start.month ? start.day : 1
      let monthStart = CivilDateTime(year: year, month: month, day: 1).dayNumber
      guard firstDay <= length else { continue }
      for day in firstDay...length where possible >> day & 1 != 0 {
        guard fields.weekdays >> Weekday(dayNumber: monthStart + day - 1).rawValue & 1 != 0 else { continue }
        var time = CivilDateTime(year: year, month: month, day: day)
        if month == start.month, day == start.day {
          time = start
          guard advance(&time) else { continue }
        } else {
          time.hour = hours.trailingZeroBitCount
          time.minute = minutes.trailingZeroBitCount
          guard let second = fields.second.first(from: 0, through: Self.lastOfMinute) else { return nil }
          (time.second, time.microsecond) = second.quotientAndRemainder(dividingBy: 1_000_000)
        }
        return time
      }
    }
    return nil
  }

  /// Moves `time` to the first match on its day, itself included; false when there is none.
  private func advance(_ time: inout CivilDateTime) -> Bool {
    func set(_ hour: Int, _ minute: Int, _ second: Int) -> Bool {
      time.hour = hour
      time.minute = minute
      (time.second, time.microsecond) = second.quotientAndRemainder(dividingBy: 1_000_000)
      return true
    }
    guard let firstSecond = fields.second.first(from: 0, through: Self.lastOfMinute) else { return false }
    let firstMinute = minutes.trailingZeroBitCount
    if hours >> time.hour & 1 != 0 {
      let second = time.second * 1_000_000 + time.microsecond
      if minutes >> time.minute & 1 != 0,
        let found = fields.second.first(from: second, through: Self.lastOfMinute)
      {
        return set(time.hour, time.minute, found)
      }
      let later = minutes & (.max << (time.minute + 1))
      if later != 0 { return set(time.hour, later.trailingZeroBitCount, firstSecond) }
    }
    let later = hours & (.max << (time.hour + 1))
    return later != 0 && set(later.trailingZeroBitCount, firstMinute, firstSecond)
  }
}
