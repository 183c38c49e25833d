import GRDB

/// Alarms that are in the table but do not exist yet: a change that makes many writes them bit by bit, and then
/// shows all at once. `schedule` has the range of their numbers. What a kill leaves stays hidden, and goes.
///
/// On eggd's connections the name `alarm` means a view without them. Rows are written to `main.alarm`.
enum HiddenAlarms {
  static func isSeen(_ number: String) -> String {
    """
    \(number) NOT BETWEEN coalesce((SELECT hiddenFrom FROM main.schedule), 0)
      AND coalesce((SELECT hiddenTo FROM main.schedule), -1)
    """
  }

  /// For a connection to a file of this version. Does nothing the second time.
  static func hide(_ database: Database) throws {
    try database.execute(
      sql: "CREATE TEMP VIEW IF NOT EXISTS alarm AS SELECT * FROM main.alarm WHERE \(isSeen("number"))")
  }

  /// The same, where the file may be of an earlier version: it has no hidden alarms.
  static func hideIfAny(_ database: Database) throws {
    guard try Int.fetchOne(database, sql: "PRAGMA user_version") == Schema.version else { return }
    try hide(database)
  }

  /// The hidden numbers; nil for none.
  static func range(_ database: Database) throws -> ClosedRange<Int64>? {
    let row = try Row.fetchOne(
      try database.cachedStatement(sql: "SELECT hiddenFrom, hiddenTo FROM schedule"))
    guard let first = row.flatMap({ int($0, 0) }), let last = row.flatMap({ int($0, 1) }), first <= last
    else { return nil }
    return first...last
  }

  /// - Parameter position: Of the last one: new alarms come after it in the list.
  static func set(_ range: ClosedRange<Int64>?, position: Int64? = nil, in database: Database) throws {
    try database.cachedStatement(
      sql: "UPDATE schedule SET hiddenFrom = ?, hiddenTo = ?, hiddenPosition = ?"
    ).run([range?.lowerBound, range?.upperBound, position])
  }

  /// Deletes some hidden alarms; none of them has rung.
  ///
  /// - Returns: Whether more are left.
  static func sweep(_ range: ClosedRange<Int64>, atMost count: Int, in database: Database) throws -> Bool {
    let first = "SELECT number FROM main.alarm WHERE number BETWEEN ?1 AND ?2 ORDER BY number LIMIT ?3"
    for rows in ["occurrence WHERE alarm", "main.alarm WHERE number"] {
      try database.cachedStatement(sql: "DELETE FROM \(rows) IN (\(first))")
        .run([range.lowerBound, range.upperBound, Int64(count)])
    }
    guard database.changesCount == 0 else { return true }
    try set(nil, in: database)
    return false
  }
}
