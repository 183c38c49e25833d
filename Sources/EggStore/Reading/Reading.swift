import Alarms
import EggTime
import GRDB
import Ringing

/// A snapshot and the moment of the question.
package struct Reading {
  let database: Database
  let rows: AlarmRows
  let now: ClockReading

  func alarm(_ which: AlarmReference) throws -> Alarm? {
    switch which {
    case .number(let number):
      try database.first(AlarmRows.selectOne, [number]) { rows.alarm($0) }
    case .id(let id):
      try database.first(AlarmRows.select + " WHERE a.id = ?", [id.description]) { rows.alarm($0) }
    }
  }

  /// One alarm with its occurrences, the last one first.
  func past(of which: AlarmReference) throws -> AlarmHistory {
    guard let alarm = try alarm(which) else { throw which.absence }
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT \(OccurrenceColumn.list(of: "o")) FROM occurrence o WHERE o.alarm = ? ORDER BY o.id DESC",
      arguments: [alarm.number])
    return AlarmHistory(
      alarm: alarm, occurrences: rows.map { self.rows.occurrence($0) }, quiet: try quiet(alarm.rules))
  }

  private func quiet(_ rules: MomentRules) throws -> QuietDays {
    guard rules != .none else { return .none }
    let daysOff = try DaysOffTable.all(in: database)
    return QuietDays(rules) { daysOff[$0] }
  }

  /// All calendars of days off by name, or one.
  package func daysOff(named name: String?) throws -> [DaysOffSums] {
    let all = try DaysOffTable.all(in: database)
    let found = all.filter { name == nil || $0.key == name }
    if let name, found.isEmpty { throw ChangeError.noSuchDaysOff(name, known: all.keys.sorted()) }
    return try found.sorted { $0.key < $1.key }.map {
      DaysOffSums(
        name: $0.key, days: $0.value, alarms: Int64(try DaysOffTable.users(of: $0.key, in: database).count))
    }
  }

  /// The number of the last change.
  func sequence() throws -> Int64 {
    try database.number("SELECT sequence FROM schedule") ?? 0
  }

  func unfinished(_ which: Unfinished, after: Int64 = .min) throws -> [Notice] {
    let statement = try database.cachedStatement(sql: which.sql)
    return try Row.fetchAll(statement, arguments: [after]).map { row in
      AlarmRows.ring(
        row, at: AlarmColumn.width, of: row.int(.number) ?? 0,
        AlarmCard(row, groupAt: AlarmColumn.width + OccurrenceColumn.width))
    }
  }

  /// The last rings that nobody has answered, at most so many, in key order.
  func ringing(last count: Int) throws -> [Notice] {
    let first = try database.number(
      "SELECT id FROM occurrence WHERE \(OccurrenceTable.rings) ORDER BY id DESC LIMIT 1 OFFSET ?",
      [count - 1])
    return try unfinished(.ringing, after: first.map { max($0, .min + 1) - 1 } ?? .min)
  }

  /// Each from a partial index, in its order.
  private static let wakes = [
    "SELECT due FROM alarm WHERE wake = 1 AND due IS NOT NULL AND clock = ?1 AND due > ?2 ORDER BY due LIMIT 1",
    """
    SELECT o.due FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
    WHERE o.clock = ?1 AND o.due IS NOT NULL AND o.due > ?2 AND a.wake = 1 ORDER BY o.due LIMIT 1
    """,
  ]

  /// The next moment for which the machine is to wake, snoozes included; nil for none. On the wall clock as it is now.
  package func nextWake() throws -> Instant? {
    var next: Instant?
    for clock in try DueRows.clocksInUse(database) {
      let offset = TimeSpan(microseconds: rows.clocks.offset(of: clock, now: now))
      // What is due now rings now, although its record may be late.
      let present = (now.wall - offset).microseconds
      for sql in Self.wakes {
        let statement = try database.cachedStatement(sql: sql)
        guard let due = try Int64.fetchOne(statement, arguments: [clock.rawValue, present]) else { continue }
        let moment = Instant(microseconds: due) + offset
        next = min(next ?? moment, moment)
      }
    }
    return next
  }
}

extension Reading {
  /// The change that undo would take back; nil for none.
  package func lastChange() throws -> UndoStep? { try UndoLog(database: database).last() }

  /// The change that redo would make again; nil for none.
  package func lastUndone() throws -> UndoStep? { try UndoLog(database: database).last(isUndone: true) }

  /// What a synchronised calendar asks before it compares.
  ///
  /// - Parameter gone: Identities of alarms that it misses.
  package func syncMark(of calendar: String, gone: [AlarmID] = []) throws -> SyncMark {
    let mark = try String.fetchOne(
      database, sql: "SELECT mark FROM synced WHERE calendar = ?", arguments: [calendar])
    return SyncMark(mark: mark, sequence: try sequence(), cleared: try cleared(among: gone))
  }
}

extension Unfinished {
  /// In key order, from the partial index of its kind.
  var sql: String {
    let condition =
      switch self {
      case .ringing: OccurrenceTable.rings
      case .unjournaled: "o.firedAt IS NOT NULL AND o.journaledAt IS NULL"
      }
    return """
      SELECT \(AlarmColumn.list(of: "a")), \(OccurrenceColumn.list(of: "o")), \(AlarmRows.card(of: "a"))
      FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
      WHERE o.id > ? AND \(condition) ORDER BY o.id
      """
  }
}
