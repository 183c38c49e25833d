import Glibc

/// The one door to the clocks. Tests pass in a clock of their own.
package protocol Clock: Sendable {
  /// All clocks at one moment.
  func read() -> ClockReading
  /// Processor time of the calling thread, in µs (CLOCK_THREAD_CPUTIME_ID).
  func processorTime() -> Int64
}

extension Clock {
  package func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
