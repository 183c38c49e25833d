/// A recurring time that counts from a start: every so much elapsed time, or every so many days, weeks or months on
/// a wall clock. The start itself elapses where it is one of the days that are named.
///
/// On the wall clock a time that falls into a gap does not elapse that day, and one that an overlap shows twice elapses
/// the first time, as ``CalendarEvent``s do. A day that a month lacks is left out (RFC 5545, 3.3.10).
public struct RecurringInterval: Hashable, Sendable {
  /// From one elapse to the next.
  public let step: Step
  /// Nothing elapses before it, and the steps are counted from it.
  public let start: Start
  /// The zone it names and is evaluated in (an IANA name, or UTC); nil for that of whoever evaluates it, and for elapsed
  /// time.
  public let zoneName: String?

  /// From one elapse to the next.
  public enum Step: Hashable, Sendable {
    /// Elapsed time, at least a second.
    case elapsed(TimeSpan)
    /// Every so many days.
    case days(Int)
    /// On some days of every so many weeks. Weeks begin on Monday; the week of the start is the first.
    case weeks(Int, on: Set<Weekday>)
    /// On one day of every so many months; the month of the start is the first. Years are twelve months.
    case months(Int, on: MonthDay)
  }

  /// What is counted from.
  public enum Start: Hashable, Sendable {
    /// That of elapsed time.
    case instant(Instant)
    /// The first possible elapse on a wall clock; all others have its time of day.
    case civil(CivilDateTime)
  }

  /// The longest step: ten thousand years.
  static let longest = (seconds: Int64(315_569_520_000), days: 3_652_425, weeks: 521_775, months: 120_000)

  /// Every so much elapsed time; nil where that is less than a second or more than ten thousand years, or the start
  /// lies before 1970 or after ``Instant/latest``.
  public init?(every span: TimeSpan, from start: Instant) {
    guard span >= .seconds(1), span <= .seconds(Self.longest.seconds), start.microseconds >= 0,
      start <= .latest
    else { return nil }
    (step, self.start, zoneName) = (.elapsed(span), .instant(start), nil)
  }

  /// A step on a wall clock; nil for one of elapsed time, of no length, on no day or on one that no month has, or longer
  /// than ten thousand years, for a start that does not exist and for what cannot be a zone's name. Reads no file:
  /// whether there is a zone of its name is not asked.
  public init?(_ step: Step, from start: CivilDateTime, zoneName: String? = nil) {
    let isPossible =
      switch step {
      case .elapsed: false
      case .days(let count): (1...Self.longest.days).contains(count)
      case .weeks(let count, let days): (1...Self.longest.weeks).contains(count) && !days.isEmpty
      case .months(let count, let day): (1...Self.longest.months).contains(count) && day.isPossible
      }
    guard isPossible, start.isValid, zoneName.map(ZoneDirectory.isIdentifier) ?? true else { return nil }
    (self.step, self.start, self.zoneName) = (step, .civil(start), zoneName)
  }

  /// Whether it counts elapsed time, which no zone's clock changes.
  public var isElapsed: Bool {
    if case .elapsed = step { true } else { false }
  }

  /// Whether it elapses several times in some minute.
  public var isDense: Bool { isDenser(than: .seconds(60)) }

  /// Whether two elapses can lie closer together than `span`, which is above zero and at most a minute.
  public func isDenser(than span: TimeSpan) -> Bool {
    guard case .elapsed(let step) = step else { return false }
    return step < span
  }
}
