/// The clocks at one moment, in microseconds.
package struct ClockReading: Hashable, Sendable {
  /// CLOCK_REALTIME.
  package var wall: Instant
  /// CLOCK_BOOTTIME: since boot, suspend included.
  package var boot: Int64
  /// CLOCK_MONOTONIC: since boot, suspend excluded.
  package var monotonic: Int64

  package init(wall: Instant, boot: Int64, monotonic: Int64) {
    self.wall = wall
    self.boot = boot
    self.monotonic = monotonic
  }

  /// Wall clock minus CLOCK_BOOTTIME. Only a clock step changes it.
  package var bootOffset: Int64 { wall.microseconds - boot }
}

/// The one door to the clocks. Tests pass in a clock of their own.
package protocol Clock: Sendable {
  /// All clocks at one moment.
  func read() -> ClockReading
}
