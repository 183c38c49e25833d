import Alarms
import EggTime
import LinuxIO

/// Converts points of clocks to the wall clock as it stood at one reading. The store returns points of the
/// wall clock and of this boot's clock only.
struct WallClock: Sendable {
  let now: ClockReading

  func callAsFunction(_ point: DuePoint) -> Instant {
    guard point.clock != .wall else { return Instant(microseconds: point.microseconds) }
    return Instant(microseconds: point.microseconds) + TimeSpan(microseconds: now.bootOffset)
  }
}

extension SystemClock: DelayedCalls {}
