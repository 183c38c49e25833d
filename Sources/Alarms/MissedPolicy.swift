import EggTime

/// How late an alarm may still ring. Later than that, it is recorded as missed.
public enum MissedPolicy: Hashable, Sendable {
  /// Ring however late.
  case ring
  /// Ring at most this late; longer than ``onTime``.
  case ringWithin(TimeSpan)
  /// Ring only on time.
  case record

  /// Up to this late counts as on time.
  public static let onTime = TimeSpan.seconds(1)

  /// The largest lateness at which it still rings; nil for no bound.
  public var mostLate: TimeSpan? {
    switch self {
    case .ring: nil
    case .ringWithin(let span): max(span, Self.onTime)
    case .record: Self.onTime
    }
  }
}
