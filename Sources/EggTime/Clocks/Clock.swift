import Glibc

/// The only way to read a clock. Tests pass in their own.
package protocol Clock: Sendable {
  /// All clocks at the same moment.
  func read() -> ClockReading
  /// Processor time of the calling thread (CLOCK_THREAD_CPUTIME_ID), in µs.
  func processorTime() -> Int64
}

extension Clock {
  package func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
