import EggTime

/// How late an alarm may still ring. What does not ring is recorded as missed.
public enum MissedPolicy: Hashable, Sendable {
  /// However late.
  case ring
  /// At most so late; longer than ``onTime``.
  case ringWithin(TimeSpan)
  /// Only on time.
  case record

  /// What is no later than this is on time.
  public static let onTime = TimeSpan.seconds(1)

  /// The most that it may be late; nil for any lateness.
  public var mostLate: TimeSpan? {
    switch self {
    case .ring: nil
    case .ringWithin(let span): max(span, Self.onTime)
    case .record: Self.onTime
    }
  }
}
