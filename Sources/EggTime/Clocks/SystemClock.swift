import Glibc
import Synchronization

/// The machine's own clocks, clock_gettime(2).
///
/// Between two clock steps CLOCK_REALTIME and CLOCK_BOOTTIME are a constant apart. Two system calls never
/// happen at the same time, so the plain difference wavers. The constant is therefore measured once, kept,
/// and measured again when the clocks contradict it. A countdown that is 5 s away on one clock is then
/// exactly 5 s away on the other. A step below 50 µs goes unnoticed: the wall clock may then read up to 50 µs
/// behind the machine's.
package final class SystemClock: Clock {
  /// In ns. A larger difference means a clock step, or a pause between two system calls.
  private static let doubt: Int64 = 50_000
  private let offset: Atomic<Int64>

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

  /// The wall clock alone, for who reads it once.
  package static func now() -> Instant { Instant(microseconds: nanoseconds(CLOCK_REALTIME) / 1_000) }

  /// The least of five tries: each is too large by the time between its two system calls.
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
