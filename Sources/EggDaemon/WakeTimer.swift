import Dispatch
import EggTime
import Glibc

/// The one armed timer: a strict Dispatch timer on the wall clock, which follows clock steps and suspend by
/// itself (CLOCK_REALTIME, absolute).
///
/// It wakes a little early, lets the caller get ready, and then watches the clock, because a kernel timer and a
/// sleeping thread cost 0.1 ms and more. Confined to the scheduler's queue.
package final class WakeTimer {
  /// How much earlier than its moment it wakes, in µs.
  private static let lead: Int64 = 600
  /// How long it watches the clock at most, in µs: a clock that is set back meanwhile costs no more than this.
  private static let longestWatch: Int64 = 1_000

  /// How it came to wake, for the moment at which it called.
  package struct Waking: Hashable, Sendable {
    /// What the kernel's timer was set to.
    package var armedAt: Instant
    /// When it woke by that; from then on it watched the clock.
    package var wokeAt: Instant

    /// Both moments.
    package init(armedAt: Instant, wokeAt: Instant) {
      (self.armedAt, self.wokeAt) = (armedAt, wokeAt)
    }
  }

  private let source: any DispatchSourceTimer
  private let clock: any Clock
  private var moment: Instant?
  /// Called early, with the moment.
  package var onLead: (Instant) -> Void = { _ in }
  /// Called at the moment, never before it unless the clock was set back.
  package var onWake: (Waking) -> Void = { _ in }

  /// A timer that is not armed yet.
  package init(queue: DispatchQueue, clock: any Clock) {
    self.clock = clock
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    source.setEventHandler { [weak self] in self?.fire() }
    source.activate()
  }

  deinit { source.cancel() }

  /// Wakes at that moment in place of any other; nil: not at all.
  package func arm(_ moment: Instant?) {
    self.moment = moment
    guard let moment else { return source.schedule(wallDeadline: .distantFuture) }
    let early = Self.early(moment).microseconds
    let deadline = timespec(tv_sec: Int(early / 1_000_000), tv_nsec: Int(early % 1_000_000) * 1_000)
    source.schedule(wallDeadline: DispatchWallTime(timespec: deadline), leeway: .nanoseconds(0))
  }

  private static func early(_ moment: Instant) -> Instant {
    Instant(microseconds: max(moment.microseconds - lead, 0))
  }

  private func fire() {
    guard let moment else { return }
    self.moment = nil
    let woke = clock.read()
    onLead(moment)
    let start = clock.read()
    var now = start
    while now.wall < moment, now.monotonic - start.monotonic < Self.longestWatch { now = clock.read() }
    onWake(Waking(armedAt: Self.early(moment), wokeAt: woke.wall))
  }
}
