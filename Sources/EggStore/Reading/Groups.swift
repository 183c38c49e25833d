import Alarms
import EggTime
import GRDB

package struct GroupSums: Hashable, Sendable {
  package var group: Group
  package var alarms: Int64
  package var done: Int64
  package var eggs: Int64
  /// The earliest future moment, including snoozes.
  package var next: Instant?
}

extension Reading {
  /// All groups by name, or one. Totals come from the indexes of each group's alarms.
  package func groups(named name: String?) throws -> [GroupSums] {
    let rows = try database.allRows(
      """
      SELECT g.id, g.name, g.color, g.icon, count(a.number), count(a.doneAt), total(a.eggs)
      FROM alarm_group g LEFT JOIN alarm a ON a."group" = g.id
      WHERE ?1 IS NULL OR g.name = ?1 GROUP BY g.id ORDER BY g.name
      """, [name])
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

  /// The earliest future moment of a group's alarms.
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
