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
