import Alarms
import EggTime

/// Says when points of clocks come on the wall clock, as that stood at one reading.
struct WallClock: Sendable {
  /// The clock of this boot's countdowns.
  let boot: ClockID
  let now: ClockReading

  /// The wall clock's time of that point.
  func callAsFunction(_ point: DuePoint) -> Instant {
    guard point.clock != .wall else { return Instant(microseconds: point.microseconds) }
    return Instant(microseconds: point.microseconds) + TimeSpan(microseconds: now.bootOffset)
  }
}
