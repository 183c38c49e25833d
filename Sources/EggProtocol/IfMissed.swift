import Alarms
import EggTime

/// ``MissedPolicy`` without its span.
public enum IfMissed: String, WireEnum {
  /// However late.
  case ring
  /// At most `ringWithin` late.
  case ringWithin
  /// Only on time.
  case record
}

extension MissedPolicy {
  /// The two fields of the wire; nil where the span is missing, is not positive, or has no place.
  public init?(_ policy: IfMissed, ringWithin span: TimeSpan?) {
    switch (policy, span) {
    case (.ring, nil): self = .ring
    case (.record, nil): self = .record
    case (.ringWithin, let span?) where span > .zero: self = .ringWithin(span)
    default: return nil
    }
  }

  /// The field `ifMissed`.
  public var wire: IfMissed {
    switch self {
    case .ring: .ring
    case .ringWithin: .ringWithin
    case .record: .record
    }
  }

  /// The field `ringWithin`.
  public var span: TimeSpan? {
    if case .ringWithin(let span) = self { span } else { nil }
  }
}
