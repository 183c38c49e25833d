import Alarms
import GRDB

/// Moves what waits on the clocks of earlier boots to the wall clock, and forgets those boots. eggd's own change; cannot be
/// undone.
struct LeaveEarlierBootsChange: Change {
  var kind: ChangeKind? { nil }

  func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let tables = transaction.tables
    let inUse = try DueRows.clocksInUse(tables.database)
    var numbers: Set<Int64> = []
    for clock in inUse where tables.clocks.earlier[clock] != nil {
      numbers.formUnion(try move("alarm", "number", from: clock, tables))
      numbers.formUnion(try move("occurrence", "alarm", from: clock, tables))
      numbers.formUnion(
        try move("occurrence", "alarm", point: ("unansweredClock", "unansweredDue"), from: clock, tables))
    }
    try forget(tables, besides: inUse.filter { tables.clocks.earlier[$0] == nil })
    transaction.touched.formUnion(numbers)
    var outcome = ChangeOutcome()
    outcome.changed = Int64(numbers.count)
    return outcome
  }

  /// - Returns: The alarms of the rows.
  private func move(
    _ table: String, _ number: String, point: (clock: String, due: String) = ("clock", "due"),
    from clock: ClockID, _ tables: Tables
  ) throws -> [Int64] {
    let rows = try tables.database.allRows(
      "SELECT rowid, \(number), \(point.due) FROM \(table) WHERE \(point.clock) = ? AND \(point.due) IS NOT NULL",
      [clock.rawValue])
    let move = try tables.database.cachedStatement(
      sql: "UPDATE \(table) SET \(point.clock) = 0, \(point.due) = ? WHERE rowid = ?")
    return try rows.compactMap { row in
      let due = tables.clocks.present(DuePoint(clock: clock, microseconds: int(row, 2) ?? 0))
      try move.execute(arguments: [due.microseconds, int(row, 0)])
      return int(row, 1)
    }
  }

  private func forget(_ tables: Tables, besides inUse: Set<ClockID>) throws {
    try tables.database.execute(
      sql: """
        DELETE FROM boot WHERE id NOT IN (SELECT value FROM json_each(?)) AND id <> ? AND id NOT IN (
          SELECT doneClock FROM alarm WHERE doneDue IS NOT NULL
          UNION SELECT iif(due IS NULL, doneClock, clock) FROM alarm_image
            WHERE due IS NOT NULL OR doneDue IS NOT NULL
          UNION SELECT clock FROM occurrence_image WHERE due IS NOT NULL
          UNION SELECT unansweredClock FROM occurrence_image WHERE unansweredDue IS NOT NULL)
        """, arguments: [inUse.map(\.rawValue).jsonList, tables.clocks.current.rawValue])
  }
}
