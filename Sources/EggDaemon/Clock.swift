import Dispatch
import EggTime
import Glibc

/// The one door to the clocks. Tests hand in a clock of their own.
package protocol Clock: Sendable {
  /// All clocks at one moment.
  func read() -> ClockReading
  /// Calls back on that queue when so many seconds have passed, suspend left out.
  func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)
}

extension Clock {
  package func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .seconds(seconds), execute: body)
  }
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

  /// Wall clock minus CLOCK_BOOTTIME: changes with each clock step and with nothing else.
  package var bootOffset: Int64 { wall.microseconds - boot }
}
