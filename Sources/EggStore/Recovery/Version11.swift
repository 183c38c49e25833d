import GRDB

/// Copies a file of version 11 into one of the present version. That version made changes of many alarms in many
/// transactions: what a kill may have left of one goes.
struct Version11 {
  let source: Database
  let target: Database

  /// Throws SQLITE_CORRUPT for a row that cannot be kept: then the file is for a salvage.
  func copyAll() throws {
    for table in ["boot", "alarm_group", "alarm", "occurrence", "history", "synced", "zone"] {
      try copy(table)
    }
    let holders = try copyUndo()
    try target.execute(sql: "CREATE TEMP TABLE approved_command (alarmID TEXT, command TEXT)")
    try copy("approved_command")
    try target.execute(sql: Schema.forgetUnknownCommands + "DROP TABLE approved_command")
    var leftovers = try Leftovers(source)
    leftovers.step = leftovers.step.flatMap { holders[$0] }
    if let holder = leftovers.changing { try copyImages(of: holder, as: holder) }
    try leftovers.settle(in: target)
    let row = try Row.fetchOne(source, sql: "SELECT sequence, zone, zoneDigest FROM schedule")
    try target.execute(
      sql: "UPDATE schedule SET sequence = ?, zone = ?, zoneDigest = ?",
      arguments: [row.flatMap { int($0, 0) } ?? 0, row.flatMap { text($0, 1) }, row.flatMap { text($0, 2) }])
    try AlarmNumbers.set(last: try Int64.fetchOne(source, sql: AlarmNumbers.last) ?? 0, in: target)
  }

  private func copy(_ table: String, where condition: String = "true") throws {
    guard let copy = try RowCopy(table, from: source, to: target) else { return }
    let rows = try source.makeStatement(sql: "SELECT * FROM \(table) WHERE \(condition)").rows()
    while let row = try rows.next() {
      if try !copy(row, from: 0) { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    }
  }

  /// The keys of what was undone began here, and stood in the order of redo.
  private static let undone: Int64 = 1 << 40

  /// - Returns: The new key of each key of images.
  private func copyUndo() throws -> [Int64: Int64] {
    let rows = try Row.fetchAll(
      source,
      sql: """
        SELECT coalesce(images, step), step >= \(Self.undone), sequence, change, client, session, madeAt, made, count,
          label
        FROM undo ORDER BY step >= \(Self.undone), iif(step < \(Self.undone), step, -step)
        """)
    var holders: [Int64: Int64] = [:]
    for (row, new) in zip(rows, Int64(1)...) {
      guard let old = int(row, 0) else { continue }
      holders[old] = new
      try target.execute(
        sql: "INSERT INTO undo VALUES (\(databaseQuestionMarks(count: 10)))",
        arguments: [new] + StatementArguments(row.databaseValues.dropFirst()))
      try copyImages(of: old, as: new)
    }
    return holders
  }

  private func copyImages(of old: Int64, as new: Int64) throws {
    for table in ["alarm_image", "occurrence_image", "alarm_group_image"] {
      try copy(table, where: "holder = \(old)")
      try target.execute(sql: "UPDATE \(table) SET holder = ? WHERE holder = ?", arguments: [new, old])
    }
  }

  /// What a change of many may have left.
  struct Leftovers {
    /// Of the numbers of alarms that do not exist: not yet those of an import, no more those of a deletion.
    var hidden: ClosedRange<Int64>?
    /// Only these of them; nil for all.
    var listed: [Int64]?
    /// The deletion's key in the undo log.
    var step: Int64?
    /// The key of the images by which alarms go back to what they were.
    var changing: Int64?

    init(_ source: Database) throws {
      let row = try Row.fetchOne(
        source, sql: "SELECT hiddenFrom, hiddenTo, hiddenListed, hiddenStep, changing FROM schedule")
      guard let row else { return }
      changing = int(row, 4)
      guard let first = int(row, 0), let last = int(row, 1), first <= last else { return }
      hidden = first...last
      step = int(row, 3)
      if int(row, 2) == 1 { listed = try Int64.fetchAll(source, sql: "SELECT number FROM hidden_alarm") }
    }

    /// - Parameter target: Has the rows of the file, and the images.
    func settle(in target: Database) throws {
      if let hidden { try remove(hidden, in: target) }
      if let changing { try takeBack(changing, in: target) }
    }

    private func remove(_ hidden: ClosedRange<Int64>, in target: Database) throws {
      let numbers = try Int64.fetchAll(
        target, sql: "SELECT number FROM alarm WHERE number BETWEEN ? AND ? ORDER BY number",
        arguments: [hidden.lowerBound, hidden.upperBound])
      let gone = listed.map { listed in numbers.filter(Set(listed).contains) } ?? numbers
      if let step {
        try Images(database: target, holder: step).take(alarms: gone, .before, occurrencesFrom: .min)
      }
      // In this order no trigger makes history of them.
      for rows in ["occurrence WHERE alarm", "alarm WHERE number"] {
        try target.execute(
          sql: "DELETE FROM \(rows) IN (SELECT value FROM json_each(?))", arguments: [gone.jsonList])
      }
    }

    /// By the occurrences' own key: for (alarm, id), SQLite 3.40 takes an index that has the rowid, and finds none.
    private func takeBack(_ holder: Int64, in target: Database) throws {
      let columns = AlarmColumn.list(AlarmColumn.allCases.filter { $0 != .number })
      let images = "WHERE holder = \(holder) AND side"
      try target.execute(
        sql: """
          UPDATE alarm SET (\(columns)) = (SELECT \(columns) FROM alarm_image \(images) = 0 AND place = alarm.number)
          WHERE number IN (SELECT place FROM alarm_image \(images) = 0);
          DELETE FROM occurrence WHERE id IN (SELECT id FROM occurrence_image \(images) = 1);
          INSERT OR IGNORE INTO occurrence (\(OccurrenceColumn.list()))
          SELECT \(OccurrenceColumn.list()) FROM occurrence_image
          \(images) = 0 AND place IN (SELECT number FROM alarm);
          DELETE FROM alarm_image WHERE holder = \(holder);
          DELETE FROM occurrence_image WHERE holder = \(holder);
          DELETE FROM alarm_group_image WHERE holder = \(holder);
          """)
    }
  }
}

/// The numbers that were given to alarms.
enum AlarmNumbers {
  static let last = "SELECT seq FROM sqlite_sequence WHERE name = 'alarm'"

  /// The next alarm gets a number above `last` and above all that exist.
  ///
  /// - Parameter gap: How many numbers are left out.
  static func set(last: Int64, gap: Int64 = 0, in database: Database) throws {
    let greatest = max(last, try Int64.fetchOne(database, sql: "SELECT max(number) FROM alarm") ?? 0)
    try database.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'alarm'")
    try database.execute(
      sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('alarm', ?)",
      arguments: [min(greatest, .max - gap) + gap])
  }
}
