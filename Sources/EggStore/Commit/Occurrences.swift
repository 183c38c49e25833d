import Alarms
import EggTime
import GRDB
import Ringing

/// Writes and reads of the table `occurrence`.
extension StoreTransaction {
  /// Records an occurrence that is not a ring.
  ///
  /// - Parameter elapsed: The number of elapses that it stands for.
  func noteOccurrence(
    _ outcome: Occurrence.Outcome, of number: Int64, dueAt: Instant, elapsed: Int64 = 1, at now: Instant
  ) throws {
    // Keys are moments; the greatest is the latest occurrence. Keys of rings are even: a ring in progress has
    // its key already.
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

  /// A greater key is no moment that a clock has shown; nothing counts up from it.
  static func greatestKey(at now: Instant) -> Int64 { (now + .seconds(366 * 86_400)).microseconds }

  /// Those of these alarms, ascending, that are over because they rang, no later than that. Rings that the hold found
  /// are recorded by now.
  func rung(among numbers: [Int64], before moment: Instant = .latest) throws -> [Int64] {
    try Int64.fetchAll(
      try database.cachedStatement(
        sql: """
          SELECT a.number \(AlarmRows.from)
          WHERE a.number IN (SELECT value FROM json_each(?)) AND a.state = 'over' AND o.outcome = 'rung'
            AND o.firedAt <= ? ORDER BY a.number
          """), arguments: [numbers.jsonList, moment.microseconds])
  }

  /// Dismisses ringing and snoozed occurrences of these alarms.
  ///
  /// - Parameter last: The key of the last one; later ones ring on.
  func endRinging(_ numbers: [Int64], upTo last: Int64 = .max, at moment: Instant) throws {
    guard !numbers.isEmpty else { return }
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?, snoozedUntil = NULL, clock = 0, due = NULL
        WHERE alarm IN (SELECT value FROM json_each(?)) AND outcome = 'rung' AND dismissedAt IS NULL AND id <= ?
        """
    ).run([moment.microseconds, numbers.jsonList, last])
  }

  /// Records an alarm's past moment as missed instead of ringing; a recurring alarm advances.
  ///
  /// - Returns: Whether there was one.
  func missPast(_ number: Int64, at now: ClockReading) throws -> Bool {
    guard let alarm = try alarm(number), alarm.state == .scheduled,
      let due = alarm.due.map({ wall($0, now) }),
      due <= now.wall
    else { return false }
    let course = recurrence(of: alarm)?.course(from: due, to: now.wall)
    let elapsed = course?.elapsed ?? 1
    try database.cachedStatement(
      sql:
        "UPDATE alarm SET clock = 0, due = ?, zoneDue = NULL, count = max(count - ?, 0) WHERE number = ?"
    ).execute(arguments: [course?.next?.microseconds, elapsed, number])
    try noteOccurrence(.missed, of: number, dueAt: due, elapsed: elapsed, at: now.wall)
    try settle([number], at: now.wall)
    return true
  }
}
