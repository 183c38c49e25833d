import Alarms
import EggTime

/// Says when points of clocks come on the wall clock, as that stood at one reading. The store hands out points
/// of the wall clock and of this boot's only.
struct WallClock: Sendable {
  let now: ClockReading

  /// The wall clock's time of that point.
  func callAsFunction(_ point: DuePoint) -> Instant {
    guard point.clock != .wall else { return Instant(microseconds: point.microseconds) }
    return Instant(microseconds: point.microseconds) + TimeSpan(microseconds: now.bootOffset)
  }
}
