import Dispatch
import EggTime
import Glibc

/// The one armed timer: a strict Dispatch timer on the wall clock, which follows clock steps and suspend by
/// itself (CLOCK_REALTIME, absolute).
///
/// Wakes once, shortly before its moment, and then spins on the clock: a kernel timer wakes a sleeping thread
/// at least 0.1 ms late. Confined to the scheduler's queue.
package final class WakeTimer {
  /// How early it wakes, and how long it spins at most, in µs.
  package static let lead: Int64 = 600

  private let source: any DispatchSourceTimer
  private let clock: any Clock
  private var moment: Instant?
  /// Called at the moment; earlier only if the clock was set back.
  package var onWake: () -> Void = {}

  package init(queue: DispatchQueue, clock: any Clock) {
    self.clock = clock
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    source.setEventHandler { [weak self] in self?.fire() }
    source.activate()
  }

  deinit { source.cancel() }

  /// Replaces the moment; nil to disarm.
  package func arm(_ moment: Instant?) {
    self.moment = moment
    guard let moment else { return source.schedule(wallDeadline: .distantFuture) }
    let early = max(moment.microseconds - Self.lead, 0)
    let deadline = timespec(tv_sec: Int(early / 1_000_000), tv_nsec: Int(early % 1_000_000) * 1_000)
    source.schedule(wallDeadline: DispatchWallTime(timespec: deadline), leeway: .nanoseconds(0))
  }

  private func fire() {
    guard let moment else { return }
    self.moment = nil
    let woke = clock.read()
    // Bounded: a clock that is set back must not be watched for ever.
    var now = woke
    while now.wall < moment, now.monotonic - woke.monotonic < Self.lead { now = clock.read() }
    onWake()
  }
}
