import Alarms
import EggTime
import GRDB
import Ringing

/// Recurring alarms that advanced, or were changed, while the wall clock was more than a day ahead. They would be silent
/// until that time comes; instead they wait for their next elapse after now. Those that were made then: ``WrongClock``.
extension StoreTransaction {
  /// - Parameter step: By how much the clock was set since the boot's row was written. Unless it was set back, rows are
  ///   read only if the youngest of them show that the clock was once wrong.
  func followClock(at reading: ClockReading, step: TimeSpan) throws {
    let clock = WrongClock(now: reading, step: step)
    let wrong = reading.wall + Recurrence.farAhead
    if try step < .zero - Recurrence.farAhead || Self.stoodWrong(after: wrong, database) {
      try followFar(clock, wrong: wrong)
    }
    try setCallsRight(clock)
  }

  /// Rings that could not be recorded before the clock was set back give their alarms the next moments of that clock.
  func followClock(at now: ClockReading, recording last: Instant) throws {
    let wrong = now.wall + Recurrence.farAhead
    if last > wrong { try followFar(WrongClock(now: now), wrong: wrong) }
  }

  private func followFar(_ clock: WrongClock, wrong: Instant) throws {
    var candidates: [Int64] = []
    let rows = try Row.fetchCursor(
      database, sql: Self.farAhead + " AND a.due > ? AND ifnull(a.calledAt, 0) <= ?",
      arguments: [wrong.microseconds, clock.latest.microseconds])
    while let row = try rows.next() {
      if let number = row.int(.number), try moment(row, clock, wrong: wrong) != nil {
        candidates.append(number)
      }
    }
    guard !candidates.isEmpty else { return }
    try hold(NumberSet(candidates))
    // Recording rings may have changed some rows.
    var moved: [(number: Int64, due: Instant)] = []
    for number in candidates {
      let statement = try database.cachedStatement(sql: Self.farAhead + " AND a.number = ?")
      guard let row = try Row.fetchOne(statement, arguments: [number]),
        let due = try moment(row, clock, wrong: wrong)
      else { continue }
      moved.append((number, due))
    }
    guard !moved.isEmpty else { return }
    try step(moved.map(\.number)) {
      let update = try database.cachedStatement(sql: Self.move)
      for alarm in moved { try update.execute(arguments: [alarm.due.microseconds, alarm.number]) }
      return []
    }
  }

  /// The same for alarms that an undo brings back, which the caller holds.
  ///
  /// - Parameter list: Their numbers, for `json_each`.
  func followFar(_ list: String, _ clock: WrongClock) throws {
    let wrong = clock.now.wall + Recurrence.farAhead
    let rows = try Row.fetchAll(
      database,
      sql: Self.farAhead + """
         AND a.due > ?1 AND ifnull(a.calledAt, 0) <= ?2 AND a.number IN (SELECT value FROM json_each(?3))
          AND max(a.createdAt, ifnull(a.modifiedAt, 0), ifnull(o.firedAt, 0), ifnull(o.dueAt + o.lateness, 0)) > ?1
        """, arguments: [wrong.microseconds, clock.latest.microseconds, list])
    let update = try database.cachedStatement(sql: Self.move)
    for row in rows {
      guard let number = row.int(.number), let due = try moment(row, clock, wrong: wrong) else { continue }
      try update.execute(arguments: [due.microseconds, number])
    }
  }

  private static let move = "UPDATE alarm SET due = ?, zoneDue = NULL WHERE number = ?"

  /// Whether the last occurrence, alarm or change is later than that moment.
  static func stoodWrong(after moment: Instant, _ database: Database) throws -> Bool {
    let last = try [
      "SELECT max(id) FROM occurrence", "SELECT createdAt FROM alarm ORDER BY number DESC LIMIT 1",
      "SELECT max(madeAt) FROM undo",
    ].compactMap { try database.cachedStatement(sql: $0).first { int($0, 0) } ?? nil }
    return last.contains { $0 > moment.microseconds }
  }

  private static let farAhead = """
    SELECT \(AlarmColumn.list(of: "a")), \(OccurrenceColumn.list(of: "o"))
    FROM alarm a LEFT JOIN occurrence o
      ON o.id = (SELECT id FROM occurrence WHERE alarm = a.number AND id > coalesce(a.wrongUntil, 0)
        ORDER BY id DESC LIMIT 1)
    WHERE a.kind = 'every' AND a.clock = 0
    """

  /// The new moment for a row of ``farAhead``; nil to keep the old one.
  private func moment(_ row: Row, _ clock: WrongClock, wrong: Instant) throws -> Instant? {
    let now = clock.now.wall
    // It moves by the step.
    if clock.step < .zero, let call = row.instant(.calledAt), countsElapsed(row, from: call) { return nil }
    guard let due = row.int(.due), let recurrence = RecurrenceRows.recurrence(row, zones: zones) else {
      return nil
    }
    let last = AlarmColumn.width
    let dueAt = row.instant(.dueAt, from: last)
    let isSkipped = row.text(.outcome, from: last) == Occurrence.Outcome.skipped.rawValue
    // A skipped elapse is always in the future.
    let fired =
      isSkipped ? nil : dueAt.map { $0 + TimeSpan(microseconds: row.int(.lateness, from: last) ?? 0) }
    // The end of a snooze has a lateness of its own.
    let rang = isSkipped ? nil : row.int(.firedAt, from: last).map { Instant(microseconds: $0) }
    let known = [row.instant(.createdAt), row.instant(.modifiedAt), fired, rang].compactMap { $0 }
    guard let latest = known.max(), latest > wrong else { return nil }
    var next = recurrence.next(after: now)
    // The elapse that the user skipped, by whichever clock.
    if isSkipped, let skipped = dueAt, next == skipped { next = recurrence.next(after: skipped) }
    guard let next, next.microseconds < due else { return nil }
    return next
  }
}

extension AlarmStore {
  /// The clock may have been set back before eggd started.
  func followClockAtStart() {
    guard opened?.isReadOnly == false, pending.bootOffset != nil else { return }
    pending.bootOffset = clock.read().bootOffset
    commit()
  }
}
