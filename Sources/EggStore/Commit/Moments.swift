import Alarms
import EggTime
import Ringing

/// Moments on the clocks of this transaction.
extension StoreTransaction {
  func wall(_ due: DuePoint, _ now: ClockReading) -> Instant {
    Instant(microseconds: due.microseconds)
      + TimeSpan(microseconds: clocks.offset(of: due.clock, now: now))
  }

  /// The scheduler's view of how the alarm recurs; nil for a one-shot.
  func recurrence(of alarm: Alarm) -> Recurrence? {
    guard case .every(let time, let name, let floats) = alarm.timing,
      let zone = zones.zone(name, floats: floats)
    else { return nil }
    return Recurrence(
      time: time, zone: zone, from: alarm.from, until: alarm.until, count: alarm.count)
  }
}
