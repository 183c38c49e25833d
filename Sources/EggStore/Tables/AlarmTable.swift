import Alarms
import EggTime
import GRDB
import Ringing

/// Statements on the table `alarm`.
struct AlarmTable {
  let database: Database
  let rows: AlarmRows

  /// The present alarm; nil for none.
  func read(_ number: Int64) throws -> Alarm? {
    try database.first(AlarmRows.selectOne, [number]) { rows.alarm($0) }
  }

  /// The first of these, as many as an outcome holds.
  func read(firstOf numbers: [Int64]) throws -> [Alarm] {
    try numbers.prefix(ChangeOutcome.mostAlarms).compactMap { try read($0) }
  }

  /// Those of these alarms, ascending, that are over because they rang, no later than that. Rings that the hold found
  /// are recorded by now.
  func rung(among numbers: [Int64], before moment: Instant = .latest) throws -> [Int64] {
    try database.numbers(
      """
      SELECT a.number \(AlarmRows.from)
      WHERE a.number IN (SELECT value FROM json_each(?)) AND a.state = 'over' AND o.outcome = 'rung'
        AND o.firedAt <= ? ORDER BY a.number
      """, [numbers.jsonList, moment.microseconds])
  }

  /// Those that exist, ascending.
  func numbers(of ids: [AlarmID]) throws -> [Int64] { try Set(ids.compactMap(database.number(of:))).sorted() }

  /// 0 for an empty list.
  func lastPosition() throws -> Int64 {
    try database.first("SELECT position FROM alarm ORDER BY position DESC LIMIT 1") { int($0, 0) ?? 0 } ?? 0
  }

  private static let insert = """
    INSERT INTO alarm (\(AlarmColumn.list())) VALUES (\(AlarmColumn.allCases.map { _ in "?" }.joined(separator: ", ")))
    """

  /// - Parameter group: Its key.
  /// - Returns: The new alarm's number.
  func insert(_ alarm: Alarm, group: String?, keyedRequest: String?) throws -> Int64 {
    try database.cachedStatement(sql: Self.insert).run { values in
      for column in AlarmColumn.allCases {
        switch column {
        case .group: values.add(group)
        case .keyedRequest: values.add(keyedRequest)
        case .calledAt: values.add(alarm.createdAt.microseconds)
        default: values.add(column, of: alarm)
        }
      }
    }
    return database.lastInsertedRowID
  }

  typealias Value = (column: AlarmColumn, value: (any StatementBinding)?)

  func set(_ values: KeyValuePairs<AlarmColumn, (any StatementBinding)?>, of numbers: [Int64]) throws {
    try set(values.map { ($0, $1) }, of: numbers)
  }

  func set(_ values: [Value], of numbers: [Int64]) throws {
    let assignments = values.map { "\"\($0.column.name)\" = ?" }.joined(separator: ", ")
    // Row by row, a list of one would take twice as long.
    let one = numbers.count == 1 ? numbers.first : nil
    try database.run(
      "UPDATE alarm SET \(assignments) WHERE number \(one == nil ? "IN (SELECT value FROM json_each(?))" : "= ?")",
      values.map(\.value) + [one ?? numbers.jsonList])
  }

  /// Those of these alarms that do not have these values already.
  func numbers(among numbers: [Int64], without values: [Value]) throws -> [Int64] {
    let equal = values.map { "\"\($0.column.name)\" IS ?" }.joined(separator: " AND ")
    let rows = try database.rows(
      "SELECT number FROM alarm WHERE NOT (\(equal)) AND number IN (SELECT value FROM json_each(?)) ORDER BY number",
      values.map(\.value) + [numbers.jsonList])
    var found: [Int64] = []
    while let row = try rows.next() { found.append(int(row, 0) ?? 0) }
    return found
  }

  /// Sets the moment of a change; alarms that it left without anything to wait for are over.
  func noteChange(_ numbers: [Int64], at moment: Instant) throws {
    try set([.modifiedAt: moment.microseconds], of: numbers)
    try settle(numbers, at: moment)
  }

  /// Alarms that wait for nothing and have no snooze are over.
  func settle(_ numbers: [Int64], at moment: Instant) throws {
    try database.run(
      """
      UPDATE alarm SET state = 'over', overAt = ?
      WHERE number IN (SELECT value FROM json_each(?)) AND state = 'scheduled' AND due IS NULL
        AND NOT EXISTS (SELECT 1 FROM occurrence o WHERE o.alarm = alarm.number AND o.due IS NOT NULL)
      """, [moment.microseconds, numbers.jsonList])
  }

  /// Sets again whether alarms are over: one is if nothing is to come and no snooze is pending. It may have
  /// rung for the last time since the answer that is undone.
  func settleAnew(_ numbers: [Int64], at moment: Instant) throws {
    guard !numbers.isEmpty else { return }
    try reopen(
      numbers,
      """
      doneAt IS NULL AND EXISTS (SELECT 1 FROM occurrence o WHERE o.alarm = alarm.number AND o.due IS NOT NULL)
      """)
    try settle(numbers, at: moment)
  }

  /// Alarms that were over wait again.
  func reopen(_ numbers: [Int64], _ condition: String = "true") throws {
    try database.run(
      """
      UPDATE alarm SET state = 'scheduled', overAt = NULL
      WHERE number IN (SELECT value FROM json_each(?)) AND state = 'over' AND \(condition)
      """, [numbers.jsonList])
  }

  /// A moment has rung or was missed: waits for the next; nil for none.
  func elapse(_ ring: RingRecord) throws {
    let next = ring.next.map(rows.clocks.present)
    try database.run(
      """
      UPDATE alarm SET clock = ?, due = ?, ahead = ?, count = max(count - ?, 0),
        doneAt = iif(? AND kind = 'every', NULL, doneAt) WHERE number = ?
      """,
      [
        next?.clock.rawValue ?? 0, next?.microseconds, RecurrenceRows.column(ring.nextAhead), ring.used,
        ring.rang,
        ring.key.number,
      ])
  }

  /// A moment passes without ringing: waits for the next; nil for none.
  ///
  /// - Parameter used: How much of its count that uses up.
  func pass(_ number: Int64, to next: Recurrence.Moment?, on clock: ClockID = .wall, used: Int64) throws {
    try database.run(
      """
      UPDATE alarm SET clock = ?, due = ?, ahead = ?, zoneDue = NULL, count = max(count - ?, 0) WHERE number = ?
      """,
      [
        next == nil ? 0 : clock.rawValue, next?.ring.microseconds,
        RecurrenceRows.column(next?.ahead ?? .zero), used,
        number,
      ])
  }

  func setDone(_ numbers: [Int64], at moment: Instant) throws {
    let these = "number IN (SELECT value FROM json_each(?2))"
    try database.run(
      "UPDATE alarm SET doneAt = ?1 WHERE kind = 'every' AND \(these)",
      [moment.microseconds, numbers.jsonList])
    try database.run(
      """
      UPDATE alarm SET doneAt = ?1, doneClock = clock, doneDue = due, clock = 0, due = NULL, zoneDue = NULL,
        overAt = iif(state = 'over', overAt, ?1), state = 'over' WHERE kind <> 'every' AND \(these)
      """, [moment.microseconds, numbers.jsonList])
  }

  /// Restores what one-shots waited for.
  ///
  /// - Returns: Those that are one-shots. Their moments may be past.
  func clearDone(_ numbers: [Int64]) throws -> [Int64] {
    let these = "number IN (SELECT value FROM json_each(?))"
    try database.run(
      """
      UPDATE alarm SET doneAt = NULL, doneClock = NULL, doneDue = NULL,
        state = CASE WHEN doneDue IS NOT NULL THEN 'scheduled' WHEN remaining IS NOT NULL THEN 'paused' ELSE state END,
        overAt = iif(doneDue IS NULL AND remaining IS NULL, overAt, NULL),
        clock = coalesce(doneClock, clock), due = coalesce(doneDue, due)
      WHERE \(these)
      """, [numbers.jsonList])
    return try database.numbers(
      "SELECT number FROM alarm WHERE kind <> 'every' AND \(these)", [numbers.jsonList])
  }

  func pausedDue(of number: Int64) throws -> Instant? {
    try database.number(
      "SELECT pausedDue FROM alarm WHERE number = ?", [number]
    ).map { Instant(microseconds: $0) }
  }
}
