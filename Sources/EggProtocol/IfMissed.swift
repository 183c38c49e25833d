import Alarms
import EggTime

/// ``MissedPolicy`` without its span.
public enum IfMissed: String, WireEnum {
  /// It rings however late it is.
  case ring
  /// It rings if it is at most `ringWithin` late.
  case ringWithin
  /// It never rings late.
  case record
}

extension MissedPolicy {
  /// Joins the two wire fields. nil if the span is missing, not positive, or given without `ringWithin`.
  public init?(_ policy: IfMissed, ringWithin span: TimeSpan?) {
    switch (policy, span) {
    case (.ring, nil): self = .ring
    case (.record, nil): self = .record
    case (.ringWithin, let span?) where span > .zero: self = .ringWithin(span)
    default: return nil
    }
  }

  /// The wire field `ifMissed`.
  public var wire: IfMissed {
    switch self {
    case .ring: .ring
    case .ringWithin: .ringWithin
    case .record: .record
    }
  }

  /// The wire field `ringWithin`.
  public var span: TimeSpan? {
    if case .ringWithin(let span) = self { span } else { nil }
  }
}
