import GRDB

extension Schema {
  private static let alarm = """
    number, id, label, category, eggs, "group", position, summary, body, icon, kind, span, instant, civil, zone, floats,
    calendarEvent, ifMissed, until, count, expression, forcedKind, readingZone, state, overAt, remaining, key,
    keyedRequest, createdAt, modifiedAt, doneAt, clock, due, zoneDue, pausedDue, anniversary, doneClock, doneDue,
    interval, beginsAt
    """
  private static let occurrence = """
    id, alarm, dueAt, outcome, missedCount, firedAt, journaledAt, shownAt, dismissedAt, snoozedUntil, clock, due,
    lateness, lateReason, bubble, bubbleServer
    """
  private static let group = "id, name, color, icon, createdAt, modifiedAt"

  /// The tables of this version with all their columns.
  static let tables: KeyValuePairs = [
    "alarm": alarm, "occurrence": occurrence, "alarm_group": group, "boot": "id, bootID, offset",
    "schedule": "only, sequence, zone, zoneDigest", "zone": "name, digest",
    "undo": "step, sequence, change, client, session, madeAt, made, count, label",
    "alarm_image": "holder, side, place, \(alarm)", "occurrence_image": "holder, side, place, \(occurrence)",
    "alarm_group_image": "holder, side, \(group)",
  ]

  /// Throws that the file is corrupt where a table or a column is not to be found. A definition that is damaged may
  /// still be one, and SQLite has nothing to say against it.
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
