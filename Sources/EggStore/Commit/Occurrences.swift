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

  /// Those of these alarms, ascending, that have rung for the last time.
  func rung(among numbers: [Int64]) throws -> [Int64] {
    guard numbers.count > Self.fewAlarms, let first = numbers.first, let last = numbers.last else {
      return try numbers.filter { try hasRung($0) }
    }
    let rung = try Int64.fetchAll(
      database,
      sql: """
        SELECT a.number \(AlarmRows.from)
        WHERE \(FilterCondition.isNotScheduled) AND a.number BETWEEN ? AND ? AND a.state = 'over'
          AND o.outcome = 'rung' ORDER BY +a.number
        """, arguments: [first, last])
    guard !rung.isEmpty else { return [] }
    let numbers = Set(numbers)
    return rung.filter(numbers.contains)
  }

  /// Whether the alarm is over because it rang. Rings that the hold found are recorded by now.
  func hasRung(_ number: Int64, before moment: Instant = .latest) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: """
        SELECT 1 \(AlarmRows.from)
        WHERE a.number = ? AND a.state = 'over' AND o.outcome = 'rung' AND o.firedAt <= ?
        """)
    return try Int64.fetchOne(statement, arguments: [number, moment.microseconds]) != nil
  }

  /// Dismisses all ringing and snoozed occurrences of the alarm.
  func endRinging(_ number: Int64, at moment: Instant) throws {
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?, snoozedUntil = NULL, clock = 0, due = NULL
        WHERE alarm = ? AND outcome = 'rung' AND dismissedAt IS NULL
        """
    ).execute(arguments: [moment.microseconds, number])
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
        "UPDATE main.alarm SET clock = 0, due = ?, zoneDue = NULL, count = max(count - ?, 0) WHERE number = ?"
    ).execute(arguments: [course?.next?.microseconds, elapsed, number])
    try noteOccurrence(.missed, of: number, dueAt: due, elapsed: elapsed, at: now.wall)
    try settle(number, at: now.wall)
    return true
  }
}
