import Alarms
import EggTime

/// Sleeps and clock steps while eggd ran: the reasons of late alarms.
///
/// Between two readings, CLOCK_BOOTTIME outruns CLOCK_MONOTONIC by the sleep, and the wall clock moves
/// against CLOCK_BOOTTIME by the step. These explain why a moment between the two readings was passed over.
package struct Interruptions: Sendable {
  /// A shorter sleep or step makes nothing late; µs.
  private static let threshold: Int64 = 100_000
  /// The smallest reported step, µs: less is measurement noise.
  package static let leastStep: Int64 = 1_000
  private static let kept = 16
  /// The store has followed a step by then, unless it is late itself; µs.
  private static let following: Int64 = 10_000_000

  private struct Interruption: Sendable {
    var reason: LateReason
    var before: ClockReading
    var after: ClockReading
  }

  private let started: ClockReading
  private var last: ClockReading
  private var recent: [Interruption] = []

  /// eggd started at that moment: what was due before is late because eggd was down.
  package init(started: ClockReading) {
    self.started = started
    last = started
  }

  /// What happened between the last reading and this one.
  package mutating func note(_ now: ClockReading) -> (slept: TimeSpan?, stepped: TimeSpan?) {
    defer { last = now }
    let slept = (now.boot - now.monotonic) - (last.boot - last.monotonic)
    let stepped = now.bootOffset - last.bootOffset
    if slept > Self.threshold { keep(.asleep, now) }
    if abs(stepped) > Self.threshold { keep(.clockStep, now) }
    return (
      slept > Self.threshold ? TimeSpan(microseconds: slept) : nil,
      abs(stepped) >= Self.leastStep ? TimeSpan(microseconds: stepped) : nil
    )
  }

  private mutating func keep(_ reason: LateReason, _ now: ClockReading) {
    recent.append(Interruption(reason: reason, before: last, after: now))
    if recent.count > Self.kept { recent.removeFirst() }
  }

  /// Why a moment was passed over; nil if nothing explains it. `onBoot` is nil for moments of the wall clock
  /// and of earlier boots.
  package func reason(wall: Instant, onBoot boot: Int64?) -> LateReason? {
    if let boot {
      if boot < started.boot { return .down }
      return recent.last { $0.reason == .asleep && ($0.before.boot...$0.after.boot).contains(boot) }?.reason
    }
    // Compare ages, not wall-clock times: an interruption that ended before the moment did not pass it over,
    // and a clock that was set back shows the same time twice.
    let ago = (last.wall - wall).microseconds
    for interruption in recent.reversed() where interruption.before.wall <= interruption.after.wall {
      guard (interruption.before.wall...interruption.after.wall).contains(wall) else { continue }
      if last.boot - interruption.after.boot <= ago { return interruption.reason }
    }
    // A forward step also moves the start of eggd, so compare it by the clock of that time.
    return wall < started.wall && last.boot - started.boot <= ago ? .down : nil
  }

  /// Whether the clock was just set back to after that moment: what was made while it was ahead may get a moment that is
  /// past.
  func wasJustSetBack(past wall: Instant) -> Bool {
    guard let step = recent.last(where: { $0.reason == .clockStep }) else { return false }
    return step.after.wall < step.before.wall && wall <= step.after.wall
      && last.boot - step.after.boot <= Self.following
  }
}
