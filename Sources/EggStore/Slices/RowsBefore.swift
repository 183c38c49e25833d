import GRDB

/// The rows as they were before the change under way, for a connection that reads: on it the names `alarm` and
/// `occurrence` mean views while such a change is there. See ``Slices``.
enum RowsBefore {
  /// Gives the connection the views that its snapshot needs.
  static func follow(_ database: Database) throws {
    let mark = try ChangeUnderWay.of(database)
    let needed = mark.map { mark in
      [
        "CREATE TEMP VIEW alarm AS " + (mark.parts.contains(.movesAlarms) ? movedAlarms : alarms),
        "CREATE TEMP VIEW occurrence AS "
          + (mark.parts.contains(.deletesOccurrences) ? allOccurrences : keptOccurrences),
      ]
    }
    let present = try String.fetchAll(
      try database.cachedStatement(
        sql: """
          SELECT sql FROM sqlite_temp_schema WHERE name IN ('alarm', 'occurrence')
            AND EXISTS (SELECT 1 FROM sqlite_temp_schema WHERE name = 'occurrence') ORDER BY name
          """))
    // SQLite keeps them without the word.
    guard present != (needed ?? []).map({ $0.replacing("CREATE TEMP", with: "CREATE") }) else { return }
    try database.execute(sql: "DROP VIEW IF EXISTS temp.occurrence")
    try database.execute(sql: "DROP VIEW IF EXISTS temp.alarm")
    if let needed {
      for view in needed { try database.execute(sql: view) }
    } else {
      try HiddenAlarms.hide(database)
    }
  }

  private static let holder = "(SELECT changing FROM main.schedule)"

  /// An image in the place of an alarm's row. Position, number and identity stay, so the indexes of them still serve.
  private static let alarms = alarms(keeping: [.number, .id, .createdAt, .position])
  /// The list is sorted for each question.
  private static let movedAlarms = alarms(keeping: [.number, .id, .createdAt])

  private static func alarms(keeping kept: Set<AlarmColumn>) -> String {
    let image = "FROM main.alarm_image i WHERE i.holder = \(holder) AND i.side = 0 AND i.place = a.number"
    let columns = AlarmColumn.allCases.map { column in
      kept.contains(column)
        ? "a.\"\(column.name)\""
        : """
        CASE WHEN EXISTS (SELECT 1 \(image)) THEN (SELECT i."\(column.name)" \(image)) ELSE a."\(column.name)" END
          AS "\(column.name)"
        """
    }
    return
      "SELECT \(columns.joined(separator: ", ")) FROM main.alarm a WHERE \(HiddenAlarms.isSeen("a.number"))"
  }

  private static func image(_ side: Int) -> String {
    "FROM main.occurrence_image i WHERE i.holder = \(holder) AND i.side = \(side) AND i.place = o.alarm AND i.id = o.id"
  }

  /// Where the change only gives occurrences other answers, or adds some.
  private static let keptOccurrences: String = {
    let columns = OccurrenceColumn.allCases.map { column in
      OccurrenceColumn.answer.contains(column)
        ? """
        CASE WHEN EXISTS (SELECT 1 \(image(0))) THEN (SELECT i."\(column.name)" \(image(0))) ELSE o."\(column.name)" END
          AS "\(column.name)"
        """ : "o.\"\(column.name)\""
    }
    return """
      SELECT \(columns.joined(separator: ", ")) FROM main.occurrence o
      WHERE NOT EXISTS (SELECT 1 \(image(1))) OR EXISTS (SELECT 1 \(image(0)))
      """
  }()

  /// Where it deletes some too. SQLite goes through all of them for each question.
  private static let allOccurrences = """
    SELECT \(OccurrenceColumn.list(of: "o")) FROM main.occurrence o
    WHERE NOT EXISTS (SELECT 1 \(image(0))) AND NOT EXISTS (SELECT 1 \(image(1)))
    UNION ALL SELECT \(OccurrenceColumn.list(of: "i")) FROM main.occurrence_image i
    WHERE i.holder = \(holder) AND i.side = 0 AND EXISTS (SELECT 1 FROM main.alarm WHERE number = i.place)
    """
}
