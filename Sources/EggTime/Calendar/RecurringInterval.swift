/// A recurring time counted from a start: a span of elapsed time, or a number of days, weeks or months on a
/// wall clock. The start itself elapses if it is one of the named days.
///
/// On the wall clock, a time in a gap does not elapse that day and a time in an overlap elapses the first
/// time, as in ``CalendarEvent``. A day that a month lacks is skipped (RFC 5545 §3.3.10).
public struct RecurringInterval: Hashable, Sendable {
  public let step: Step
  /// Steps are counted from here; nothing elapses earlier. On a wall clock all elapses share its time of day;
  /// for elapsed time it is in UTC.
  public let start: CivilDateTime
  /// The zone it names and is evaluated in (an IANA name, or UTC); nil for the evaluator's zone and for
  /// elapsed time.
  public let zoneName: String?

  public enum Step: Hashable, Sendable {
    /// At least a second.
    case elapsed(TimeSpan)
    case days(Int)
    /// Weeks begin on Monday; the week of the start is the first.
    case weeks(Int, on: Set<Weekday>)
    /// The month of the start is the first. A year is twelve months.
    case months(Int, on: MonthDay)
  }

  /// Ten thousand years.
  static let longest = (seconds: Int64(315_569_520_000), days: 3_652_425, weeks: 521_775, months: 120_000)

  /// nil when the span is below a second or above ten thousand years, or the start lies before 1970 or after
  /// ``Instant/latest``.
  public init?(every span: TimeSpan, from start: Instant) {
    guard span >= .seconds(1), span <= .seconds(Self.longest.seconds), start.microseconds >= 0,
      start <= .latest
    else { return nil }
    step = .elapsed(span)
    self.start = Zone.utc.civil(at: start)
    zoneName = nil
  }

  /// A step on a wall clock. nil for elapsed time, for a count below 1 or above ten thousand years, for no
  /// day or a day that no month has, for a start that does not exist, and for an impossible zone name. Reads
  /// no file: the zone may not exist.
  public init?(_ step: Step, from start: CivilDateTime, zoneName: String? = nil) {
    let isPossible =
      switch step {
      case .elapsed: false
      case .days(let count): (1...Self.longest.days).contains(count)
      case .weeks(let count, let days): (1...Self.longest.weeks).contains(count) && !days.isEmpty
      case .months(let count, let day): (1...Self.longest.months).contains(count) && day.isPossible
      }
    guard isPossible, start.isValid, zoneName.map(ZoneDirectory.isIdentifier) ?? true else { return nil }
    self.step = step
    self.start = start
    self.zoneName = zoneName
  }

  /// From when it counts elapsed time; nil on a wall clock.
  public var elapsesFrom: Instant? { isElapsed ? Zone.utc.resolve(start).instant : nil }

  /// Whether it counts elapsed time, which no zone affects.
  public var isElapsed: Bool {
    if case .elapsed = step { true } else { false }
  }

  /// Whether two elapses can lie closer together than `span`, which is above zero and at most a minute.
  public func isDenser(than span: TimeSpan) -> Bool {
    guard case .elapsed(let step) = step else { return false }
    return step < span
  }
}
