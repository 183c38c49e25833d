import Alarms
import GRDB

/// Copies of rows in the tables `alarm_image`, `occurrence_image` and `alarm_group_image`. Their holder is a
/// step of the undo log or an import that is not applied yet.
struct Images {
  let database: Database
  let holder: Int64

  /// Before or after a change.
  enum Side: Int64 {
    case before
    case after
  }

  private static let takeAlarms = """
    INSERT INTO alarm_image (holder, side, place, \(AlarmColumn.list()))
    SELECT ?1, ?2, number, \(AlarmColumn.list()) FROM alarm WHERE number IN (SELECT value FROM json_each(?3))
    """
  private static let takeOccurrences = """
    INSERT INTO occurrence_image (holder, side, place, \(OccurrenceColumn.list()))
    SELECT ?1, ?2, alarm, \(OccurrenceColumn.list()) FROM occurrence o
    WHERE alarm IN (SELECT value FROM json_each(?3)) AND (id >= ?4
      OR (outcome = 'rung' AND dismissedAt IS NULL)
      OR id = (SELECT max(id) FROM occurrence WHERE alarm = o.alarm AND outcome = 'skipped')
      OR EXISTS (SELECT 1 FROM occurrence_image i
        WHERE i.holder = ?1 AND i.side = 0 AND i.place = o.alarm AND i.id = o.id))
    """

  /// Takes images of these alarms, and of their occurrences that ring, are snoozed, were skipped last, or
  /// have a key from `occurrence` on.
  func take(alarms numbers: [Int64], _ side: Side, occurrencesFrom occurrence: Int64) throws {
    guard !numbers.isEmpty else { return }
    let list = numbers.jsonList
    try database.cachedStatement(sql: Self.takeAlarms).run([holder, side.rawValue, list])
    try database.cachedStatement(sql: Self.takeOccurrences).run([holder, side.rawValue, list, occurrence])
  }

  /// Groups of an import, or named by its alarms, that do not exist, with new keys.
  ///
  /// - Parameter ofNew: Only those of alarms that do not exist yet.
  func missingGroups(ofNew: Bool) throws -> [(id: String, group: Group)] {
    let rows = try database.allRows(
      """
      SELECT name, max(color), max(icon) FROM (
        SELECT name, color, icon FROM alarm_group_image WHERE holder = ?1 AND side = 0
        UNION ALL SELECT DISTINCT "group", NULL, NULL FROM alarm_image
          WHERE holder = ?1 AND "group" IS NOT NULL AND NOT (?2 AND id IN (SELECT id FROM alarm)))
      WHERE name NOT IN (SELECT name FROM alarm_group) GROUP BY name ORDER BY name
      """, [holder, ofNew])
    return rows.map { row in
      let color = text(row, 1).flatMap { Group.Color(rawValue: $0) }
      return (AlarmID().description, Group(name: text(row, 0) ?? "", color: color, icon: text(row, 2)))
    }
  }

  /// Replaces the names of groups by their keys.
  func findGroups(of places: [Int64]) throws {
    try database.run(
      """
      UPDATE alarm_image SET "group" = (SELECT id FROM alarm_group WHERE name = alarm_image."group")
      WHERE holder = ? AND side = 0 AND place IN (SELECT value FROM json_each(?)) AND "group" IS NOT NULL
      """, [holder, places.jsonList])
  }

  func firstLabel() throws -> String? {
    try database.row(
      "SELECT label FROM alarm_image WHERE holder = ? AND side = 0 ORDER BY place LIMIT 1", [holder]
    ).flatMap { text($0, 0) }
  }

  /// Ascending.
  func changed() throws -> [Int64] { try places("EXISTS") }

  /// Ascending; staged alarms of an import count as deleted.
  func deleted() throws -> [Int64] { try places("NOT EXISTS") }

  private func places(_ after: String) throws -> [Int64] {
    try database.numbers(
      """
      SELECT place FROM alarm_image i WHERE holder = ? AND side = 0 AND \(after) (
        SELECT 1 FROM alarm_image WHERE holder = i.holder AND side = 1 AND place = i.place)
      ORDER BY place
      """, [holder])
  }

  func hasOccurrences() throws -> Bool {
    try database.has("SELECT 1 FROM occurrence_image WHERE holder = ? LIMIT 1", [holder])
  }

  private static let reinserted = OccurrenceColumn.list(
    OccurrenceColumn.allCases.filter { ![.id, .alarm, .bubble, .bubbleServer].contains($0) })

  /// Occurrences whose keys are taken get the next free keys.
  func reinsertOccurrences(_ place: Int64, of number: Int64) throws {
    try database.run(
      """
      INSERT OR IGNORE INTO occurrence (alarm, id, \(Self.reinserted))
      SELECT ?, id, \(Self.reinserted) FROM occurrence_image WHERE holder = ? AND side = 0 AND place = ?
      """, [number, holder, place])
    let lost = try database.numbers(
      """
      SELECT id FROM occurrence_image i WHERE holder = ? AND side = 0 AND place = ?
        AND NOT EXISTS (SELECT 1 FROM occurrence o WHERE o.id = i.id AND o.alarm = ?) ORDER BY id
      """, [holder, place, number])
    for id in lost {
      try database.run(
        """
        INSERT INTO occurrence (alarm, id, \(Self.reinserted)) SELECT ?2, \(OccurrenceTable.freeKey), \(Self.reinserted)
        FROM occurrence_image WHERE holder = ?3 AND side = 0 AND place = ?4 AND id = ?1
        """, [id, number, holder, place])
    }
  }

  /// Alarms with another moment since, or with other answers to their rings.
  func moved() throws -> [Int64] {
    try database.numbers(
      """
      SELECT b.place FROM alarm_image b
      JOIN alarm_image a ON a.holder = b.holder AND a.side = 1 AND a.place = b.place
      WHERE b.holder = ?1 AND b.side = 0 AND NOT \(AlarmColumn.same(AlarmColumn.all(.timing), "a", "b"))
      UNION SELECT b.place FROM occurrence_image b WHERE b.holder = ?1 AND NOT EXISTS (
        SELECT 1 FROM occurrence_image a
        WHERE a.holder = b.holder AND a.side = 1 - b.side AND a.place = b.place AND a.id = b.id
          AND \(OccurrenceColumn.same(OccurrenceColumn.answer, "a", "b")))
      """, [holder])
  }

  /// Whether an alarm had a command before the change that it did not have after.
  func bringCommand() throws -> Bool {
    try database.has(
      """
      SELECT 1 FROM alarm_image b
      LEFT JOIN alarm_image a ON a.holder = b.holder AND a.side = 1 AND a.place = b.place
      WHERE b.holder = ? AND b.side = 0 AND (b.run IS NOT NULL AND b.run IS NOT a.run
        OR b.runUnanswered IS NOT NULL AND b.runUnanswered IS NOT a.runUnanswered) LIMIT 1
      """, [holder])
  }

  /// With their keys.
  private static let tables = [
    ("alarm_image", "holder, side, place"), ("occurrence_image", "holder, side, place, id"),
    ("alarm_group_image", "holder, side, id"), ("days_off_image", "holder, side, name"),
  ]

  func delete() throws {
    for (table, _) in Self.tables { try database.run("DELETE FROM \(table) WHERE holder = ?", [holder]) }
  }

  /// Deletes images that neither undo nor these imports need.
  ///
  /// - Parameter count: Rows, all in all.
  /// - Returns: Whether some are left.
  static func sweep(_ database: Database, imports: Set<Int64>, atMost count: Int) throws -> Bool {
    let kept = imports.union(try Int64.fetchAll(database, sql: "SELECT holder FROM undo"))
    for (table, key) in tables {
      // Skips through the table: an import that is being staged may have a million.
      let next = try database.cachedStatement(
        sql: "SELECT holder FROM \(table) WHERE holder > ? ORDER BY holder LIMIT 1")
      var last = Int64.min
      while let holder = try Int64.fetchOne(next, arguments: [last]) {
        last = holder
        if kept.contains(holder) { continue }
        try database.run(
          "DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE holder = ? LIMIT ?)",
          [holder, count])
        if database.changesCount >= count { return true }
      }
    }
    return false
  }
}

/// A small table, of which undo restores whole rows.
struct WholeRows {
  let table: String
  let key: String
  let columns: String

  static let groups = WholeRows(table: "alarm_group", key: "id", columns: GroupColumn.list())
  static let daysOff = WholeRows(table: "days_off", key: "name", columns: "name, days")
}

extension Images {
  func take(_ keys: [String], of rows: WholeRows, _ side: Side) throws {
    for key in keys {
      try database.run(
        """
        INSERT INTO \(rows.table)_image (holder, side, \(rows.columns))
        SELECT ?, ?, \(rows.columns) FROM \(rows.table) WHERE \(rows.key) = ?
        """, [holder, side.rawValue, key])
    }
  }

  /// Of the rows that a change made, changed or deleted.
  func keys(of rows: WholeRows) throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT DISTINCT \(rows.key) FROM \(rows.table)_image WHERE holder = ? ORDER BY 1",
      arguments: [holder])
  }

  func restore(_ rows: WholeRows) throws {
    let keys = "SELECT \(rows.key) FROM \(rows.table)_image WHERE holder = ?1 AND side ="
    try database.run("DELETE FROM \(rows.table) WHERE \(rows.key) IN (\(keys) 1 EXCEPT \(keys) 0)", [holder])
    try database.run(
      """
      INSERT OR REPLACE INTO \(rows.table) (\(rows.columns))
      SELECT \(rows.columns) FROM \(rows.table)_image WHERE holder = ? AND side = 0
      """, [holder])
  }
}
