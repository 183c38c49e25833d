import Alarms
import EggTime
import GRDB
import Ringing

/// What an alarm waits for after its leads, or the days on which it keeps quiet, have changed.
struct NextMoment {
  let tables: Tables
  let now: ClockReading

  /// The things of an alarm that are left, as its bounds count them; nil where nothing counts them.
  func counted(_ alarm: Alarm) throws -> Instant? {
    guard alarm.count != nil else { return nil }
    let due = alarm.due.map { Instant(microseconds: $0.microseconds) }
    guard let waits = try due ?? tables.alarms.pausedDue(of: alarm.number) else { return nil }
    return tables.recurrence(of: alarm)?.firstThing(after: waits - TimeSpan(microseconds: 1))
  }

  /// Gives an alarm what it waits for.
  ///
  /// - Parameters:
  ///   - alarm: As it is to be, with what it waited for: a moment that is past rings first.
  ///   - counted: See ``counted(_:)``, before the change.
  ///   - base: See ``base(of:)``; now at least, but for one that is paused.
  func give(_ alarm: inout Alarm, counted: Instant?, after base: Instant) {
    if let remaining = alarm.remaining {
      let left = Recurrence(
        .once(Instant(microseconds: 0) + remaining + alarm.ahead), zone: .utc, leads: alarm.rules.leads)
      let next = left.next(after: Instant(microseconds: 0))
      alarm.remaining = next.map { $0.ring - Instant(microseconds: 0) }
      alarm.ahead = next?.ahead ?? .zero
      return
    }
    let clock = alarm.due?.clock ?? .wall
    let present = tables.now(clock, now)
    if let due = alarm.due, due.microseconds <= present.microseconds { return }
    guard alarm.doneDue == nil else { return }
    if alarm.timing.kind != .every {
      guard let due = alarm.due else { return }
      // Without leads, what is left is the moment.
      let moment = Instant(microseconds: due.microseconds) + alarm.ahead
      let over = clock == .wall ? max(base, present) : present
      let next =
        alarm.rules.leads.isEmpty
        ? Recurrence.Moment(ring: moment) : tables.recurrence(of: alarm)?.next(after: over)
      set(&alarm, next, clock)
      return
    }
    guard var recurrence = tables.recurrence(of: alarm) else { return }
    let isPaused = alarm.state == .paused
    let base = isPaused ? base : max(base, present)
    if let counted, let count = alarm.count {
      guard let first = recurrence.uncounted.firstThing(after: base) else { return set(&alarm, nil, .wall) }
      let left = count - recurrence.things(from: counted, to: first)
      // It may ring again as soon as fewer days are quiet.
      guard left > 0 else {
        if !isPaused { set(&alarm, nil, .wall) }
        return
      }
      alarm.count = left
      recurrence = tables.recurrence(of: alarm) ?? recurrence
    }
    if isPaused { return }
    set(&alarm, recurrence.next(after: base), .wall)
  }

  private func set(_ alarm: inout Alarm, _ next: Recurrence.Moment?, _ clock: ClockID) {
    alarm.due = next.map { DuePoint(clock: clock, microseconds: $0.ring.microseconds) }
    alarm.ahead = next?.ahead ?? .zero
  }

  /// Refuses leads that are too long for a recurring alarm.
  func check(_ alarm: Alarm) throws {
    guard let longest = alarm.rules.leads.max(by: { abs($0) < abs($1) }), longest != .zero,
      let recurrence = tables.recurrence(of: alarm), case .every(let time) = recurrence.timing,
      let interval = time.shortestInterval(after: now.wall, in: recurrence.zone), abs(longest) >= interval
    else { return }
    throw ChangeError.leadTooLong(longest, interval: interval, number: alarm.number == 0 ? nil : alarm.number)
  }

  private func abs(_ lead: Lead) -> TimeSpan { max(lead.span, .zero - lead.span) }

  /// Stores what ``give(_:counted:after:)`` gave.
  ///
  /// - Returns: Whether it is another moment.
  @discardableResult
  func store(_ alarm: Alarm, over old: Alarm) throws -> Bool {
    guard
      alarm.due != old.due || alarm.ahead != old.ahead || alarm.count != old.count
        || alarm.remaining != old.remaining
    else { return false }
    try tables.alarms.set(
      [
        .clock: alarm.due?.clock.rawValue ?? 0, .due: alarm.due?.microseconds,
        .ahead: RecurrenceRows.column(alarm.ahead), .count: alarm.count,
        .remaining: alarm.remaining?.microseconds, .zoneDue: nil,
      ], of: [alarm.number])
    if old.state == .over, alarm.due != nil { try tables.alarms.reopen([alarm.number]) }
    try tables.alarms.settle([alarm.number], at: now.wall)
    return alarm.due != old.due
  }

  /// The last elapse of an alarm that waits: only what rings after it is to come. A skipped one lies ahead. Just before
  /// what a paused alarm waited for.
  func base(of number: Int64) throws -> Instant {
    if let paused = try tables.alarms.pausedDue(of: number) { return paused - TimeSpan(microseconds: 1) }
    return try tables.resolver.base(of: number, at: now.wall) ?? now.wall
  }
}
