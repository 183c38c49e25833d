/// A civil time on a zone's clock.
public enum CivilResolution: Hashable, Sendable {
  case unique(Instant)
  /// The clock jumps over it. `instant` is as far after the jump as the time is into the gap: in a gap of an
  /// hour 02:30 becomes 03:30. `length` is the gap's.
  case gap(instant: Instant, length: TimeSpan)
  /// The clock is set back: it shows the time twice.
  case fold(first: Instant, second: Instant)

  /// When an alarm for that time rings: later by the gap's length, or at the first of a fold.
  public var instant: Instant {
    switch self {
    case .unique(let instant), .gap(let instant, _), .fold(let instant, _): instant
    }
  }
}
