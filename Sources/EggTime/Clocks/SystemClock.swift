import Glibc
import Synchronization

/// The machine's own clocks, clock_gettime(2).
///
/// The kernel keeps CLOCK_REALTIME and CLOCK_BOOTTIME a constant apart between two clock steps. Two system calls
/// cannot be made at once, so their plain difference wavers; here the constant is measured, kept, and measured
/// anew when the clocks contradict it. So a countdown that is 5 s from now on the one clock is exactly 5 s
/// from now on the other. A step of less than 50 µs is not noticed: by so much the wall clock may then read behind
/// the machine's.
package final class SystemClock: Clock {
  /// A difference beyond this is a clock step, or a pause between two system calls: ns.
  private static let doubt: Int64 = 50_000
  private let offset: Atomic<Int64>

  /// The machine's clocks.
  package init() { offset = Atomic(Self.measuredOffset()) }

  package func read() -> ClockReading {
    let monotonic = Self.nanoseconds(CLOCK_MONOTONIC)
    let boot = Self.nanoseconds(CLOCK_BOOTTIME)
    let measured = Self.nanoseconds(CLOCK_REALTIME) - boot
    var kept = offset.load(ordering: .relaxed)
    if measured < kept || measured > kept + Self.doubt {
      let renewed = Self.measuredOffset()
      if renewed < kept || renewed > kept + Self.doubt {
        offset.store(renewed, ordering: .relaxed)
        kept = renewed
      }
    }
    let bootTime = boot / 1_000
    return ClockReading(
      wall: Instant(microseconds: bootTime + (kept / 1_000)), boot: bootTime, monotonic: monotonic / 1_000)
  }

  /// The least of some tries: each is too great by the time between its two system calls.
  private static func measuredOffset() -> Int64 {
    (0..<5).map { _ in
      let boot = nanoseconds(CLOCK_BOOTTIME)
      return nanoseconds(CLOCK_REALTIME) - boot
    }.reduce(Int64.max, min)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
