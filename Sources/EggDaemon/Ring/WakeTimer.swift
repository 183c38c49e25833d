import Dispatch
import EggTime
import Glibc

/// The one armed timer: a strict Dispatch timer on the wall clock, which follows clock steps and suspend by
/// itself (CLOCK_REALTIME, absolute).
///
/// It wakes early, lets the caller get ready, and sleeps again. Shortly before its moment it wakes once more and watches
/// the clock, because a kernel timer and a sleeping thread cost 0.1 ms and more. Confined to the scheduler's queue.
package final class WakeTimer {
  /// How much earlier than its moment it lets the caller get ready, in µs.
  private static let lead: Int64 = 1_200
  /// How much earlier than its moment it wakes to watch the clock, in µs; less where getting ready took very long.
  private static let longestWatch: Int64 = 400
  /// Processor time before a moment, in µs: beyond it no clock is watched. The 50 that lack to a millisecond are for what
  /// the two wake-ups take before and after that is counted.
  private static let budget: Int64 = 950

  /// How it came to wake, for the moment at which it called.
  package struct Waking: Hashable, Sendable {
    /// What the kernel's timer was set to.
    package var armedAt: Instant
    /// When it woke by that. From then on it watched the clock, or had the caller get ready where it woke too late for
    /// sleep after it.
    package var wokeAt: Instant
    /// How long it had been awake before that, for the caller to get ready.
    package var readying: TimeSpan
    /// Processor time of its thread from waking to getting ready and from waking to the moment, together.
    package var spent: TimeSpan

    /// All fields.
    package init(armedAt: Instant, wokeAt: Instant, readying: TimeSpan, spent: TimeSpan) {
      (self.armedAt, self.wokeAt, self.readying, self.spent) = (armedAt, wokeAt, readying, spent)
    }
  }

  private let source: any DispatchSourceTimer
  private let clock: any Clock
  private var moment: Instant?
  /// What the caller got ready for, how long that took, and of that the processor time, in µs.
  private var readied: (moment: Instant, span: TimeSpan, spent: Int64)?
  /// What the kernel's timer is set to.
  private var armedAt = Instant(microseconds: 0)
  /// Called early, with the moment; not again while that stays armed, and not where there is no time left for it.
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
    if readied?.moment != moment { readied = nil }
    guard let moment else { return source.schedule(wallDeadline: .distantFuture) }
    set(to: Self.early(moment, by: readied.map { Self.watch(after: $0.spent) } ?? Self.lead))
  }

  private func set(to moment: Instant) {
    armedAt = moment
    let deadline = timespec(
      tv_sec: Int(moment.microseconds / 1_000_000), tv_nsec: Int(moment.microseconds % 1_000_000) * 1_000)
    source.schedule(wallDeadline: DispatchWallTime(timespec: deadline), leeway: .nanoseconds(0))
  }

  private static func early(_ moment: Instant, by span: Int64) -> Instant {
    Instant(microseconds: max(moment.microseconds - span, 0))
  }

  /// How much earlier than its moment it wakes to watch the clock, and how long it does at most, in µs: within what getting
  /// ready has left of `budget`.
  private static func watch(after spent: Int64) -> Int64 { max(0, min(longestWatch, budget - spent)) }

  private func fire() {
    guard let moment else { return }
    let begin = clock.processorTime()
    let woke = clock.read()
    var start = woke
    var spent = readied?.spent ?? 0
    if readied == nil, woke.wall < Self.early(moment, by: Self.longestWatch) {
      onLead(moment)
      start = clock.read()
      spent = clock.processorTime() - begin
      let watch = Self.early(moment, by: Self.watch(after: spent))
      if start.wall < watch {
        readied = (moment, TimeSpan(microseconds: start.monotonic - woke.monotonic), spent)
        return set(to: watch)
      }
    }
    self.moment = nil
    let before = readied
    readied = nil
    let longest = Self.watch(after: spent)
    var now = start
    while now.wall < moment, now.monotonic - start.monotonic < longest { now = clock.read() }
    let all = (before?.spent ?? 0) + clock.processorTime() - begin
    onWake(
      Waking(
        armedAt: armedAt, wokeAt: woke.wall, readying: before?.span ?? .zero,
        spent: TimeSpan(microseconds: all)))
  }
}
