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

  /// The next moment for which the machine is to wake, snoozes included; nil for none. On the wall clock as it is now.
  package func nextWake() throws -> Instant? {
    // What is due now rings now, although its record may be late.
    let next = try Int64.fetchOne(
      database,
      sql: """
        SELECT min(moment) FROM (
          SELECT \(try wall("a")) AS moment FROM alarm a WHERE a.wake = 1 AND a.due IS NOT NULL
          UNION ALL
          SELECT \(try wall("o")) FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
          WHERE o.due IS NOT NULL AND a.wake = 1)
        WHERE moment > ?
        """, arguments: [now.wall.microseconds])
    return next.map { Instant(microseconds: $0) }
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
