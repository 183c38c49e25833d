import EggTime

/// When an alarm is to ring: its `in`, `at` or `every`.
public enum Timing: Hashable, Sendable {
  /// A countdown: elapsed time, suspend included, from the moment the call was read.
  case countdown(TimeSpan)
  /// A moment that no zone can move: `@`, `Z` or an offset was typed.
  case instant(Instant)
  /// A civil time on the clock of `zone` (an IANA name). A floating one follows the machine's zone when that
  /// changes; `zone` is then the machine's zone at which it was last resolved.
  case civil(CivilDateTime, zone: String, floats: Bool)
  /// Recurring, on the clock of `zone`, which is its own where it names one. A floating one follows the machine's zone
  /// as a civil time does; what an interval counts from stays the same civil time.
  case every(RecurringTime, zone: String, floats: Bool)

  /// What the wire and the database call it.
  public enum Kind: String, CaseIterable, Sendable {
    case `in`
    case at
    case every

    /// The class of expressions that has it.
    public var expressionKind: ExpressionKind {
      switch self {
      case .in: .span
      case .at: .timestamp
      case .every: .calendar
      }
    }
  }

  /// Countdowns are `in`, recurring times `every`, the rest is `at`.
  public var kind: Kind {
    switch self {
    case .countdown: .in
    case .instant, .civil: .at
    case .every: .every
    }
  }
}
