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
  package func past(of which: AlarmReference) throws -> AlarmHistory {
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

  static let isUnjournaled = "o.firedAt IS NOT NULL AND o.journaledAt IS NULL"

  /// Rings that are not in the journal yet, in key order: the start resumes them.
  package func unjournaled() throws -> [Notice] { try rings(Self.isUnjournaled) }

  /// - Parameter condition: Of a partial index, in whose order they are read.
  static func rings(_ condition: String) -> String {
    """
    SELECT \(AlarmColumn.list(of: "a")), \(OccurrenceColumn.list(of: "o")), \(AlarmRows.card(of: "a"))
    FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
    WHERE o.id > ? AND \(condition) ORDER BY o.id
    """
  }

  private func rings(_ condition: String, after: Int64 = .min) throws -> [Notice] {
    try database.allRows(Self.rings(condition), [after]).map { row in
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
    return try rings(OccurrenceTable.rings, after: first.map { max($0, .min + 1) - 1 } ?? .min)
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

extension Reading {
  package func awaited(numbers: [Int64], ids: [AlarmID], since: Instant?) throws -> AwaitedAlarms {
    var found = AwaitedAlarms(
      alarms: [], rangSince: [], missing: [], missingIDs: [], sequence: try sequence())
    for which in numbers.map(AlarmReference.number) + ids.map(AlarmReference.id) {
      guard let alarm = try alarm(which) else {
        switch which {
        case .number(let number): found.missing.append(number)
        case .id(let id): found.missingIDs.append(id)
        }
        continue
      }
      found.alarms.append(alarm)
      if let since,
        try database.has(
          "SELECT 1 FROM occurrence WHERE alarm = ? AND outcome = 'rung' AND firedAt >= ? LIMIT 1",
          [alarm.number, since.microseconds])
      {
        found.rangSince.insert(alarm.number)
      }
    }
    return found
  }

  /// All groups by name, or one.
  package func groups(named name: String?) throws -> [GroupSums] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT g.id, g.name, g.color, g.icon, count(a.number), count(a.doneAt), total(a.eggs), min(\(try wall("a"))),
          (SELECT min(\(try wall("s"))) FROM occurrence s CROSS JOIN alarm m ON m.number = s.alarm
            WHERE s.due IS NOT NULL AND m."group" = g.id)
        FROM alarm_group g LEFT JOIN alarm a ON a."group" = g.id
        WHERE ?1 IS NULL OR g.name = ?1 GROUP BY g.id ORDER BY g.name
        """, arguments: [name])
    if let name, rows.isEmpty { throw ChangeError.noSuchGroup(name) }
    return rows.map { row in
      let group = Group(
        name: text(row, 1) ?? "", color: text(row, 2).flatMap { Group.Color(rawValue: $0) },
        icon: text(row, 3))
      return GroupSums(
        group: group, alarms: int(row, 4) ?? 0, done: int(row, 5) ?? 0,
        eggs: Int64(exactly: (Double.fromDatabaseValue(row[6]) ?? 0).rounded()) ?? .max,
        next: [int(row, 7), int(row, 8)].compactMap { $0 }.min().map { Instant(microseconds: $0) })
    }
  }
}
