/// What a civil time is on some zone's clock.
public enum CivilResolution: Hashable, Sendable {
  /// It exists once.
  case unique(Instant)
  /// The clock jumped over it. `instant` is as much after the jump as the time is into the gap: 02:30 becomes
  /// 03:30 where the gap is an hour; `length` is that of the gap.
  case gap(instant: Instant, length: TimeSpan)
  /// The clock was set back over it: it exists twice.
  case fold(first: Instant, second: Instant)

  /// The moment an alarm for that time rings: after a gap by the gap's length, at the first of a fold.
  public var instant: Instant {
    switch self {
    case .unique(let instant), .gap(let instant, _), .fold(let instant, _): instant
    }
  }
}
