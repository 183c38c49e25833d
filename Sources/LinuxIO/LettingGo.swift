import Glibc

/// What another process holds until it ends.
package enum LettingGo {
  /// How long a process that was killed may still hold it: a program that it was about to start has its descriptors until
  /// that program runs.
  package static let patience = Duration.seconds(1)

  /// Tries until it succeeds, every 10 ms, or until `patience` is over. Blocks the thread.
  package static func waits(for attempt: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + patience
    while !attempt() {
      guard clock.now < end else { return false }
      usleep(10_000)
    }
    return true
  }
}
