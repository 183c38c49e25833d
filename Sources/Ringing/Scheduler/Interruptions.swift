import Alarms
import EggTime

/// What happened to the clocks while eggd ran, kept to say why an alarm is late.
///
/// Between two readings of the clocks CLOCK_BOOTTIME outruns CLOCK_MONOTONIC by the time slept, and the wall
/// clock moves against CLOCK_BOOTTIME by the step. A moment that lies between the two readings was passed over
/// by whichever happened.
package struct Interruptions: Sendable {
  /// A sleep or a step that is shorter makes nothing late; µs.
  private static let threshold: Int64 = 100_000
  /// The least that is told as a step, µs: less is the fineness of the measurement.
  private static let leastStep: Int64 = 1_000
  private static let kept = 16

  private struct Interruption: Sendable {
    var reason: LateReason
    var before: ClockReading
    var after: ClockReading
  }

  private let started: ClockReading
  private var last: ClockReading
  private var recent: [Interruption] = []

  /// eggd was started at that moment: whatever was due before it is late because eggd was down.
  package init(started: ClockReading) {
    self.started = started
    last = started
  }

  /// What the new reading shows to have happened since the one before.
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

  /// Why a moment of that clock was passed over; nil when nothing explains it. `onBoot` is nil for moments of
  /// the wall clock and of earlier boots.
  package func reason(wall: Instant, onBoot boot: Int64?) -> LateReason? {
    if let boot {
      if boot < started.boot { return .down }
      return recent.last { $0.reason == .asleep && ($0.before.boot...$0.after.boot).contains(boot) }?.reason
    }
    // What was over before the moment came did not pass it over, whatever the wall clock showed then: one that was
    // set back shows the same time twice.
    let ago = (last.wall - wall).microseconds
    for interruption in recent.reversed() where interruption.before.wall <= interruption.after.wall {
      guard (interruption.before.wall...interruption.after.wall).contains(wall) else { continue }
      if last.boot - interruption.after.boot <= ago { return interruption.reason }
    }
    // A step forwards moves the start of eggd, too: it is compared as the wall clock showed it then.
    return wall < started.wall && last.boot - started.boot <= ago ? .down : nil
  }
}
