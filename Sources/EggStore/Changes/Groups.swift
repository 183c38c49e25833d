import Alarms
import EggTime
import GRDB

/// A group and what its alarms sum up to.
package struct GroupSums: Hashable, Sendable {
  package var group: Group
  package var alarms: Int64
  /// How many of them are marked done.
  package var done: Int64
  package var eggs: Int64
  /// The earliest moment to come, snoozes included.
  package var next: Instant?
}

extension StoreTransaction {
  /// The key of the group of that name.
  func groupID(_ name: String) throws -> String {
    let statement = try database.cachedStatement(sql: "SELECT id FROM alarm_group WHERE name = ?")
    guard let id = try String.fetchOne(statement, arguments: [name]) else {
      throw ChangeError.noSuchGroup(name)
    }
    return id
  }

  /// Its alarms, ascending.
  func members(ofGroup id: String) throws -> [Int64] {
    let statement = try database.cachedStatement(
      sql: "SELECT number FROM alarm WHERE \"group\" = ? ORDER BY number")
    return try Int64.fetchAll(statement, arguments: [id])
  }

  func createGroup(_ group: Group, at now: ClockReading) throws -> ChangeOutcome {
    try checkIsFree(group.name)
    let id = AlarmID().description
    try step([], groups: [id]) {
      try self.database.execute(
        sql: "INSERT INTO alarm_group (id, name, color, icon, createdAt) VALUES (?, ?, ?, ?, ?)",
        arguments: [id, group.name, group.color?.rawValue, group.icon, now.wall.microseconds])
      return []
    }
    return try outcome(of: group.name, at: now)
  }

  func editGroup(_ name: String, _ edit: GroupEdit, at now: ClockReading) throws -> ChangeOutcome {
    let id = try groupID(name)
    if let new = edit.name, new != name { try checkIsFree(new) }
    var columns = ["modifiedAt = ?"]
    var values: StatementArguments = [now.wall.microseconds]
    if let name = edit.name {
      columns.append("name = ?")
      values += [name]
    }
    if let color = edit.color {
      columns.append("color = ?")
      values += [color?.rawValue]
    }
    if let icon = edit.icon {
      columns.append("icon = ?")
      values += [icon]
    }
    // Its alarms show its name and its icon.
    let shown = edit.name != nil || edit.icon != nil ? try members(ofGroup: id) : []
    try step(shown, groups: [id], moves: edit.icon != nil, hasImages: false) {
      try self.database.execute(
        sql: "UPDATE alarm_group SET \(columns.joined(separator: ", ")) WHERE id = ?",
        arguments: values + [id])
      return []
    }
    return try outcome(of: edit.name ?? name, at: now)
  }

  func deleteGroup(_ name: String, withAlarms: Bool, at now: ClockReading) throws -> ChangeOutcome {
    let id = try groupID(name)
    let members = try members(ofGroup: id)
    var outcome = ChangeOutcome(sequence: 0)
    outcome.deleted = members
    if withAlarms { outcome.rang = try members.filter { try hasRung($0) } }
    try step(members, groups: [id], deletes: withAlarms) {
      try self.database.execute(
        sql: withAlarms
          ? "DELETE FROM alarm WHERE \"group\" = ?1"
          : "UPDATE alarm SET \"group\" = NULL, modifiedAt = ?2 WHERE \"group\" = ?1",
        arguments: withAlarms ? [id] : [id, now.wall.microseconds])
      try self.database.execute(sql: "DELETE FROM alarm_group WHERE id = ?", arguments: [id])
      return []
    }
    return outcome
  }

  private func checkIsFree(_ name: String) throws {
    let statement = try database.cachedStatement(sql: "SELECT 1 FROM alarm_group WHERE name = ?")
    if try Int64.fetchOne(statement, arguments: [name]) != nil { throw ChangeError.groupExists(name) }
  }

  private func outcome(of name: String, at now: ClockReading) throws -> ChangeOutcome {
    var outcome = ChangeOutcome(sequence: 0)
    outcome.group = try Reading(database: database, rows: rows, now: now).groups(named: name).first
    return outcome
  }
}

extension AlarmStore {
  /// The groups by name, or one. Any thread; answered on a thread of the readers.
  package func groups(
    named name: String?, completion: @escaping @Sendable (Result<[GroupSums], ReadError>) -> Void
  ) {
    read(completion) { try $0.groups(named: name) }
  }
}

extension Reading {
  /// Sums over the indexes of each group's alarms.
  func groups(named name: String?) throws -> [GroupSums] {
    let rows = try Row.fetchAll(
      try database.cachedStatement(
        sql: """
          SELECT g.id, g.name, g.color, g.icon, count(a.number), count(a.doneAt), total(a.eggs)
          FROM alarm_group g LEFT JOIN alarm a ON a."group" = g.id
          WHERE ?1 IS NULL OR g.name = ?1 GROUP BY g.id ORDER BY g.name
          """), arguments: [name])
    if let name, rows.isEmpty { throw ReadError.noSuchGroup(name) }
    let offsets = try offsets()
    return try rows.map { row in
      let group = Group(
        name: text(row, 1) ?? "", color: text(row, 2).flatMap { Group.Color(rawValue: $0) },
        icon: text(row, 3))
      return GroupSums(
        group: group, alarms: int(row, 4) ?? 0, done: int(row, 5) ?? 0,
        eggs: Int64(exactly: (Double.fromDatabaseValue(row[6]) ?? 0).rounded()) ?? .max,
        next: try text(row, 0).flatMap { try next(inGroup: $0, offsets) })
    }
  }

  /// The earliest moment to come of a group's alarms.
  func next(inGroup id: String, _ offsets: [ClockID: Int64]) throws -> Instant? {
    let own = try database.cachedStatement(
      sql: """
        SELECT due FROM alarm WHERE "group" = ? AND clock = ? AND due IS NOT NULL ORDER BY due LIMIT 1
        """)
    let snooze = try database.cachedStatement(
      sql: """
        SELECT o.due FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
        WHERE a."group" = ? AND o.clock = ? AND o.due IS NOT NULL ORDER BY o.due LIMIT 1
        """)
    var first: Instant?
    for (clock, offset) in offsets {
      for statement in [own, snooze] {
        guard let due = try Int64.fetchOne(statement, arguments: [id, clock.rawValue]) else { continue }
        let at = Instant(microseconds: due) + TimeSpan(microseconds: offset)
        first = min(first ?? at, at)
      }
    }
    return first
  }
}
