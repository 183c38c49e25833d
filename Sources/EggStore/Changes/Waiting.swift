import Alarms
import EggTime
import GRDB
import Ringing

/// What happens to alarms that wait: skip, pause, resume, extend.
extension StoreTransaction {
  /// Leaves out the next moment of each; a one-shot is over with that.
  func skip(_ selection: Selection, at now: ClockReading) throws -> ChangeOutcome {
    try changeWaiting(selection, where: "state = 'scheduled' AND due IS NOT NULL", at: now.wall) { alarm in
      guard alarm.state == .scheduled, let due = alarm.due else { return false }
      let dueAt = wall(due, now)
      let next = recurrence(of: alarm)?.course(from: dueAt, to: dueAt).next
      try database.cachedStatement(
        sql: "UPDATE alarm SET clock = 0, due = ?, zoneDue = NULL, count = max(count - 1, 0) WHERE number = ?"
      ).execute(arguments: [next?.microseconds, alarm.number])
      try noteOccurrence(.skipped, of: alarm.number, dueAt: dueAt, at: now.wall)
      return true
    }
  }

  /// Notes what was no ring.
  ///
  /// - Parameter elapsed: How many elapses it stands for.
  func noteOccurrence(
    _ outcome: Occurrence.Outcome, of number: Int64, dueAt: Instant, elapsed: Int64 = 1, at now: Instant
  ) throws {
    // Keys are moments; the greatest is the latest occurrence. Those of rings are even: one that is on its way has its
    // key already.
    try database.cachedStatement(
      sql: """
        INSERT INTO occurrence (id, alarm, dueAt, outcome, missedCount, lateness)
        SELECT max(?1, coalesce(max(id), 0) + 1) | 1, ?2, ?3, ?5, ?4, ?6 FROM occurrence WHERE id <= ?7
        """
    ).execute(arguments: [
      now.microseconds, number, dueAt.microseconds, elapsed > 1 ? elapsed : nil, outcome.rawValue,
      outcome == .missed ? (now - dueAt).microseconds : nil, Self.greatestKey(at: now),
    ])
    try forgetOldest(number)
  }

  /// A key beyond it is no moment that a clock has shown: nothing counts up from it.
  static func greatestKey(at now: Instant) -> Int64 { (now + .seconds(366 * 86_400)).microseconds }

  /// What has a date and time cannot be paused.
  static let isPausable = "state = 'scheduled' AND due IS NOT NULL AND kind <> 'at'"

  /// Freezes countdowns; recurring alarms wait for nothing.
  func pause(_ selection: Selection, at now: ClockReading) throws -> ChangeOutcome {
    try changeWaiting(
      selection, where: Self.isPausable, at: now.wall
    ) { alarm in
      guard alarm.state == .scheduled, let due = alarm.due else { return false }
      var remaining: TimeSpan?
      var passed: Instant?
      switch alarm.timing {
      case .countdown: remaining = max(wall(due, now) - now.wall, .zero)
      case .every: passed = wall(due, now)
      case .instant, .civil: return false
      }
      try database.cachedStatement(
        sql: """
          UPDATE alarm SET state = 'paused', clock = 0, due = NULL, zoneDue = NULL, remaining = ?, pausedDue = ?
          WHERE number = ?
          """
      ).execute(arguments: [remaining?.microseconds, passed?.microseconds, alarm.number])
      return true
    }
  }

  /// Countdowns go on with what was left of them; recurring alarms wait for what comes after now, and all that they
  /// passed over is one occurrence.
  func resume(_ selection: Selection, at now: ClockReading) throws -> ChangeOutcome {
    try changeWaiting(selection, where: "state = 'paused'", at: now.wall) { alarm in
      guard alarm.state == .paused else { return false }
      var due: DuePoint?
      var zone: String?
      if let remaining = alarm.remaining {
        let end = Instant(microseconds: now.boot) + remaining
        due = DuePoint(clock: clocks.current, microseconds: end.microseconds)
      } else if let recurrence = recurrence(of: alarm) {
        due = try passOver(alarm, recurrence, at: now.wall).map { .wall($0) }
        if case .every(_, let name, let floats) = alarm.timing {
          if floats { zone = recurrence.zone.identifier } else { try noteZone(name) }
        }
      }
      try database.cachedStatement(
        sql: """
          UPDATE alarm SET state = 'scheduled', clock = ?, due = ?, zone = coalesce(?, zone), remaining = NULL,
            pausedDue = NULL
          WHERE number = ?
          """
      ).execute(arguments: [due?.clock.rawValue ?? 0, due?.microseconds, zone, alarm.number])
      return true
    }
  }

  /// Notes what elapsed while an alarm was paused.
  ///
  /// - Returns: What it waits for now; nil where nothing is left.
  private func passOver(_ alarm: Alarm, _ recurrence: Recurrence, at now: Instant) throws -> Instant? {
    let passed = try Int64.fetchOne(
      try database.cachedStatement(sql: "SELECT pausedDue FROM alarm WHERE number = ?"),
      arguments: [alarm.number])
    // Paused while the clock stood wrong: then it would wait for what that clock would have shown.
    let isWrong = alarm.modifiedAt.map { $0 - now > Recurrence.farAhead } ?? false
    guard let passed, !isWrong else { return recurrence.next(after: now) }
    let first = recurrence.next(after: Instant(microseconds: passed) - TimeSpan(microseconds: 1))
    guard let first, first <= now else {
      // By other rules than it was paused by it may come sooner than what it waited for.
      let base = max(now, try lastElapse(of: alarm.number, at: now) ?? now)
      return [first, recurrence.next(after: base)].compactMap { $0 }.min()
    }
    let course = recurrence.course(from: first, to: now)
    try noteOccurrence(.skipped, of: alarm.number, dueAt: first, elapsed: course.elapsed, at: now)
    try database.cachedStatement(sql: "UPDATE alarm SET count = max(count - ?, 0) WHERE number = ?")
      .execute(arguments: [course.elapsed, alarm.number])
    return course.next
  }

  /// The last moment that elapsed or is left out; nil where there is none, or only one of a clock that stood wrong.
  private func lastElapse(of number: Int64, at now: Instant) throws -> Instant? {
    let last = try database.cachedStatement(
      sql: """
        SELECT max(\(Self.overBy), coalesce(o.firedAt, 0)), o.outcome FROM occurrence o
        WHERE o.id = \(Self.lastElapse(of: "?1"))
        """)
    guard let row = try Row.fetchOne(last, arguments: [number]),
      let moment = int(row, 0).map({ Instant(microseconds: $0) })
    else { return nil }
    if text(row, 1) == Occurrence.Outcome.skipped.rawValue { return moment }
    return moment - now > Recurrence.farAhead ? nil : moment
  }

  /// Moves the end of a snooze, else the moment of a one-shot, else what is left of a paused countdown.
  func extend(_ selection: Selection, by span: TimeSpan, at now: ClockReading) throws -> ChangeOutcome {
    try changeWaiting(
      selection,
      where: """
        due IS NOT NULL OR remaining IS NOT NULL
        OR EXISTS (SELECT 1 FROM occurrence WHERE alarm = a.number AND due IS NOT NULL)
        """, at: now.wall
    ) { alarm in
      if let latest = alarm.latest, let due = latest.due {
        try check(alarm, wall(due, now) + span, now)
        try database.cachedStatement(
          sql: "UPDATE occurrence SET clock = ?, due = ?, snoozedUntil = ? WHERE id = ?"
        ).execute(arguments: [
          due.clock.rawValue, Self.moved(due, by: span), (wall(due, now) + span).microseconds, latest.id,
        ])
        return true
      }
      if alarm.state == .paused, let remaining = alarm.remaining {
        try check(alarm, now.wall + remaining + span, now)
        try database.cachedStatement(sql: "UPDATE alarm SET remaining = ? WHERE number = ?")
          .execute(arguments: [max(now.wall + remaining + span - now.wall, .zero).microseconds, alarm.number])
        return true
      }
      guard alarm.state == .scheduled, let due = alarm.due else { return false }
      var timing = alarm.timing
      switch timing {
      case .every: return false
      case .countdown: break
      case .instant(let instant): timing = .instant(instant + span)
      case .civil(_, let name, let floats):
        guard let zone = zones.zone(name, floats: floats) else { return false }
        timing = .civil(zone.civil(at: wall(due, now) + span), zone: name, floats: floats)
      }
      try check(alarm, wall(due, now) + span, now)
      // The clock, too: one of an earlier boot is the wall clock's by now.
      let values: [(any StatementBinding)?] = [due.clock.rawValue, Self.moved(due, by: span)]
      try database.cachedStatement(
        sql: """
          UPDATE alarm SET clock = ?, due = ?, zoneDue = NULL, kind = ?, span = ?, instant = ?, civil = ?, zone = ?, floats = ?,
            calendarEvent = ?, interval = ? WHERE number = ?
          """
      ).run(values + timing.values + [alarm.number])
      return true
    }
  }

  /// What the scheduler would know of how the alarm goes on; nil for a one-shot.
  func recurrence(of alarm: Alarm) -> Recurrence? {
    guard case .every(let time, let name, let floats) = alarm.timing,
      let zone = zones.zone(name, floats: floats)
    else { return nil }
    return Recurrence(
      time: time, zone: zone, from: alarm.from, until: alarm.until, count: alarm.count)
  }

  func wall(_ due: DuePoint, _ now: ClockReading) -> Instant {
    Instant(microseconds: due.microseconds)
      + TimeSpan(microseconds: clocks.offset(of: due.clock, now: now))
  }

  private static func moved(_ due: DuePoint, by span: TimeSpan) -> Int64 {
    (Instant(microseconds: due.microseconds) + span).microseconds
  }

  private func check(_ alarm: Alarm, _ due: Instant, _ now: ClockReading) throws {
    guard due > now.wall, due <= .latest else { throw ChangeError.invalidDue(number: alarm.number, due: due) }
  }

  /// - Parameters:
  ///   - candidate: What can be changed at all, in SQL; others of a range are passed over.
  ///   - keepsOthers: Those that were named and are no candidates are so already: they are answered as they are.
  ///   - body: Changes one alarm; false where its state does not allow it. One that was named and doesn't allow it is
  ///     refused, others are passed over.
  ///   - afterwards: Ends the change, once all have been changed one by one.
  func changeWaiting(
    _ selection: Selection, where candidate: String, keepsOthers: Bool = false, at moment: Instant,
    _ body: (Alarm) throws -> Bool, afterwards: () throws -> Void = {}
  ) throws -> ChangeOutcome {
    let selected = try SelectedAlarms(
      selection, in: database, others: SelectedAlarms.between + " AND (\(candidate)) ORDER BY number")
    let named = Set(selected.named)
    var outcome = ChangeOutcome(sequence: 0)
    (outcome.missing, outcome.missingIDs) = (selected.missing, selected.missingIDs)
    let isCandidate = try database.cachedStatement(
      sql: "SELECT 1 FROM alarm a WHERE number = ? AND (\(candidate))")
    var answered: [Int64] = []
    if keepsOthers {
      answered = try selected.named.filter { try Int64.fetchOne(isCandidate, arguments: [$0]) == nil }
    }
    let numbers = Set(selected.numbers).subtracting(answered).sorted()
    if !numbers.isEmpty {
      try step(numbers) {
        let modify = try database.cachedStatement(sql: "UPDATE alarm SET modifiedAt = ? WHERE number = ?")
        for number in numbers {
          guard let alarm = try alarm(number) else { continue }
          if try body(alarm) {
            answered.append(number)
            try modify.execute(arguments: [moment.microseconds, number])
            try settle(number, at: moment)
          } else if named.contains(number) {
            throw ChangeError.wrongState(number: number, alarm.phase)
          }
        }
        try afterwards()
        return []
      }
    }
    outcome.changed = Int64(answered.count)
    outcome.alarms = try answered.sorted().prefix(Self.outcomeAlarms).compactMap { try alarm($0) }
    return outcome
  }
}
