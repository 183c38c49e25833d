import CLinux
import EggTime
import Glibc

/// The one door to the clocks. Tests hand in a clock of their own.
package protocol Clock: Sendable {
  /// All clocks, read one right after the other.
  func read() -> ClockReading
}

/// What the clocks showed at one moment; microseconds.
package struct ClockReading: Hashable, Sendable {
  /// CLOCK_REALTIME.
  package var wall: Instant
  /// CLOCK_BOOTTIME: elapsed since boot, suspend included.
  package var boot: Int64
  /// CLOCK_MONOTONIC: elapsed since boot, suspend left out.
  package var monotonic: Int64

  /// Three clocks' readings.
  package init(wall: Instant, boot: Int64, monotonic: Int64) {
    self.wall = wall
    self.boot = boot
    self.monotonic = monotonic
  }

  /// Wall clock minus CLOCK_BOOTTIME, in microseconds: changes with each clock step and nothing else.
  package var bootOffset: Int64 { wall.microseconds - boot }
}

/// The machine's own clocks, clock_gettime(2).
package struct SystemClock: Clock {
  /// The machine's clocks.
  package init() {}

  package func read() -> ClockReading {
    ClockReading(
      wall: Instant(microseconds: Self.microseconds(CLOCK_REALTIME)),
      boot: Self.microseconds(CLOCK_BOOTTIME), monotonic: Self.microseconds(CLOCK_MONOTONIC))
  }

  private static func microseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
