import GRDB

extension Schema {
  /// The tables of this version with all their columns.
  static let tables: KeyValuePairs = [
    "alarm": AlarmColumn.list(), "occurrence": OccurrenceColumn.list(), "alarm_group": GroupColumn.list(),
    "boot": "id, bootID, offset", "synced": "calendar, mark",
    "schedule": """
    only, sequence, zone, zoneDigest, hiddenFrom, hiddenTo, hiddenPosition, hiddenStep, hiddenListed, changing,
    changingParts
    """, "hidden_alarm": "number",
    "zone": "name, digest",
    "history": HistoryColumn.list(), "approved_command": "alarmID, command",
    "undo": "step, sequence, change, client, session, madeAt, made, count, label, images",
    "alarm_image": "holder, side, place, \(AlarmColumn.list())",
    "occurrence_image": "holder, side, place, \(OccurrenceColumn.list())",
    "alarm_group_image": "holder, side, \(GroupColumn.list())",
  ]

  /// Throws SQLITE_CORRUPT if a table or column is missing. A damaged definition can still be valid SQL, to
  /// which SQLite does not object.
  static func check(_ database: Database) throws {
    for (table, columns) in tables {
      do {
        _ = try database.makeStatement(sql: "SELECT \(columns) FROM \(table)")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.message)
      }
    }
  }
}
