import GRDB
import Ringing

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

  private static let takeAlarm = """
    INSERT INTO alarm_image (holder, side, place, \(AlarmColumn.list()))
    SELECT ?, ?, number, \(AlarmColumn.list()) FROM alarm WHERE number = ?
    """
  private static let takeOccurrences = """
    INSERT INTO occurrence_image (holder, side, place, \(OccurrenceColumn.list()))
    SELECT ?1, ?2, alarm, \(OccurrenceColumn.list()) FROM occurrence WHERE alarm = ?3 AND (id >= ?4
      OR id IN (SELECT id FROM occurrence WHERE alarm = ?3 AND outcome = 'rung' AND dismissedAt IS NULL)
      OR id = (SELECT max(id) FROM occurrence WHERE alarm = ?3 AND outcome = 'skipped')
      OR id IN (SELECT id FROM occurrence_image WHERE holder = ?1 AND side = 0 AND place = ?3))
    """
  private static let many = "IN (SELECT value FROM json_each(?3))"
  private static let takeAlarms = """
    INSERT INTO alarm_image (holder, side, place, \(AlarmColumn.list()))
    SELECT ?1, ?2, number, \(AlarmColumn.list()) FROM alarm WHERE number \(many)
    """
  private static let takeOccurrencesOfMany = """
    INSERT INTO occurrence_image (holder, side, place, \(OccurrenceColumn.list()))
    SELECT ?1, ?2, alarm, \(OccurrenceColumn.list()) FROM occurrence o WHERE alarm \(many) AND (id >= ?4
      OR (outcome = 'rung' AND dismissedAt IS NULL)
      OR id = (SELECT max(id) FROM occurrence WHERE alarm = o.alarm AND outcome = 'skipped')
      OR EXISTS (SELECT 1 FROM occurrence_image i
        WHERE i.holder = ?1 AND i.side = 0 AND i.place = o.alarm AND i.id = o.id))
    """
  private static let takeGroup = """
    INSERT INTO alarm_group_image (holder, side, \(GroupColumn.list()))
    SELECT ?, ?, \(GroupColumn.list()) FROM alarm_group WHERE id = ?
    """

  private static let imagedAlarm = """
    SELECT \(AlarmColumn.list()) FROM alarm_image WHERE holder = ? AND side = ? AND place = ?
    """
  private static let imagedOccurrences = """
    SELECT \(OccurrenceColumn.list()) FROM occurrence_image
    WHERE holder = ? AND side = ? AND place = ? ORDER BY id
    """
  /// An alarm's present row, in the column order of its images.
  static let presentAlarm = "SELECT \(AlarmColumn.list()) FROM alarm WHERE number = ?"
  /// An occurrence's present row, likewise.
  static let presentOccurrence =
    "SELECT \(OccurrenceColumn.list()) FROM occurrence WHERE id = ? AND alarm = ?"

  /// Which columns differ.
  static func difference(_ a: Row, _ b: Row) -> Set<AlarmColumn> {
    Set(AlarmColumn.allCases.filter { a.value(of: $0) != b.value(of: $0) })
  }

  /// Takes images of these alarms, and of their occurrences that ring, are snoozed, were skipped last, or
  /// have a key from `occurrence` on.
  func take(alarms numbers: [Int64], _ side: Side, occurrencesFrom occurrence: Int64) throws {
    guard !numbers.isEmpty else { return }
    if numbers.count > StoreTransaction.fewAlarms {
      // Each statement copies the pages that it changes, to undo it alone: for many alarms that is most of the work.
      let list = numbers.jsonList
      try database.cachedStatement(sql: Self.takeAlarms).run([holder, side.rawValue, list])
      return try database.cachedStatement(sql: Self.takeOccurrencesOfMany)
        .run([holder, side.rawValue, list, occurrence])
    }
    let alarm = try database.cachedStatement(sql: Self.takeAlarm)
    let occurrences = try database.cachedStatement(sql: Self.takeOccurrences)
    for number in numbers {
      try alarm.run([holder, side.rawValue, number])
      try occurrences.run([holder, side.rawValue, number, occurrence])
    }
  }

  func take(groups ids: [String], _ side: Side) throws {
    for id in ids {
      try database.cachedStatement(sql: Self.takeGroup).execute(arguments: [holder, side.rawValue, id])
    }
  }

  /// nil if the alarm did not exist.
  func alarm(_ place: Int64, _ side: Side) throws -> Row? {
    try Row.fetchOne(
      try database.cachedStatement(
        sql: Self.imagedAlarm), arguments: [holder, side.rawValue, place])
  }

  func occurrences(_ place: Int64, _ side: Side) throws -> [Row] {
    try Row.fetchAll(
      try database.cachedStatement(
        sql: Self.imagedOccurrences), arguments: [holder, side.rawValue, place])
  }

  func groups(_ side: Side) throws -> [Row] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT \(GroupColumn.list()) FROM alarm_group_image WHERE holder = ? AND side = ? ORDER BY id
        """, arguments: [holder, side.rawValue])
  }

  /// The groups that the alarms of an import name.
  func groupNames() throws -> Set<String> {
    try Set(
      String.fetchAll(
        database,
        sql: #"SELECT DISTINCT "group" FROM alarm_image WHERE holder = ? AND "group" IS NOT NULL"#,
        arguments: [holder]))
  }

  /// The first alarm's label.
  func firstLabel() throws -> String? {
    try String.fetchOne(
      try database.cachedStatement(
        sql: "SELECT label FROM alarm_image WHERE holder = ? AND side = 0 ORDER BY place LIMIT 1"),
      arguments: [holder])
  }

  /// Changed alarms, ascending; deleted ones are in `deleted`, which may have more numbers if no alarm was changed.
  func places() throws -> (changed: [Int64], deleted: NumberSet) {
    if let range = try deletedAlone() { return ([], NumberSet(ranges: [range])) }
    let rows = try database.cachedStatement(
      sql: """
        SELECT place, EXISTS (SELECT 1 FROM alarm_image a WHERE a.holder = b.holder AND a.side = 1 AND a.place = b.place)
        FROM alarm_image b WHERE holder = ? AND side = 0 ORDER BY place
        """
    ).rows([holder])
    var places: (changed: [Int64], deleted: [Int64]) = ([], [])
    while let row = try rows.next() {
      guard let place = int(row, 0) else { continue }
      if int(row, 1) == 1 { places.changed.append(place) } else { places.deleted.append(place) }
    }
    return (places.changed, NumberSet(places.deleted))
  }

  /// The range of the deleted alarms, if none was changed.
  private func deletedAlone() throws -> ClosedRange<Int64>? {
    guard try !hasChanged() else { return nil }
    func place(_ function: String) throws -> Int64? {
      try Int64.fetchOne(
        database, sql: "SELECT \(function)(place) FROM alarm_image WHERE holder = ? AND side = 0",
        arguments: [holder])
    }
    guard let first = try place("min"), let last = try place("max") else { return nil }
    return first...last
  }

  /// Of an image `i` before the change.
  static let isDeleted = """
    NOT EXISTS (SELECT 1 FROM alarm_image a WHERE a.holder = i.holder AND a.side = 1 AND a.place = i.place)
    """

  /// Alarms without an image after the change, ascending; those of an import.
  func deleted(after last: Int64, limit: Int) throws -> [Int64] {
    try Int64.fetchAll(
      try database.cachedStatement(
        sql: """
          SELECT place FROM alarm_image i WHERE holder = ? AND side = 0 AND place > ? AND \(Self.isDeleted)
          ORDER BY place LIMIT ?
          """), arguments: [holder, last, limit])
  }

  func hasChanged() throws -> Bool {
    try database.cachedStatement(sql: "SELECT 1 FROM alarm_image WHERE holder = ? AND side = 1 LIMIT 1")
      .first([holder]) { _ in true } ?? false
  }

  func hasOccurrences() throws -> Bool {
    try database.cachedStatement(sql: "SELECT 1 FROM occurrence_image WHERE holder = ? LIMIT 1")
      .first([holder]) { _ in true } ?? false
  }

  func hasOccurrences(_ place: Int64) throws -> Bool {
    try database.cachedStatement(
      sql: "SELECT 1 FROM occurrence_image WHERE holder = ? AND side = 0 AND place = ? LIMIT 1"
    ).first([holder, place]) { _ in true } ?? false
  }

  /// Alarms with another moment since, or with other answers to their rings.
  func moved() throws -> [Int64] {
    func isSame(_ columns: [some Column]) -> String {
      columns.map { "a.\"\($0.name)\" IS b.\"\($0.name)\"" }.joined(separator: " AND ")
    }
    return try Int64.fetchAll(
      database,
      sql: """
        SELECT b.place FROM alarm_image b
        JOIN alarm_image a ON a.holder = b.holder AND a.side = 1 AND a.place = b.place
        WHERE b.holder = ?1 AND b.side = 0 AND NOT (\(isSame(AlarmColumn.all(.timing))))
        UNION SELECT b.place FROM occurrence_image b WHERE b.holder = ?1 AND NOT EXISTS (
          SELECT 1 FROM occurrence_image a
          WHERE a.holder = b.holder AND a.side = 1 - b.side AND a.place = b.place AND a.id = b.id
            AND \(isSame(OccurrenceColumn.answer)))
        """, arguments: [holder])
  }

  /// The images of changes in slices, see ``Slices``, have a holder from this on.
  static let slices: Int64 = 1 << 50

  /// One that was never used, as far as anything shows.
  static func newHolder(in database: Database) throws -> Int64 {
    let held = (tables + ["undo"]).map { table in
      table == "undo" ? "SELECT max(images) FROM undo" : "SELECT max(holder) FROM \(table)"
    }
    let last = try held.compactMap { try Int64.fetchOne(database, sql: $0) }.max() ?? 0
    return max(last, slices - 1) + 1
  }

  /// Those with images, but for the one that is under way; found by skipping through the tables.
  static func holdersOfSlices(in database: Database) throws -> Set<Int64> {
    var found: Set<Int64> = []
    for table in tables {
      let next = try database.cachedStatement(sql: "SELECT min(holder) FROM \(table) WHERE holder > ?")
      var last = slices - 1
      while let holder = try Int64.fetchOne(next, arguments: [last]) {
        found.insert(holder)
        last = holder
      }
    }
    if let mark = try ChangeUnderWay.of(database) { found.remove(mark.holder) }
    return found
  }

  private static let hasUndone = "WHERE holder >= \(UndoLog.undone) AND holder < \(slices)"

  static let tables = ["alarm_image", "occurrence_image", "alarm_group_image"]
  /// Deletes images of steps up to `last`, of what cannot be redone any more, and of all imports; but not these.
  ///
  /// - Parameter count: Rows of each table: a large change's images go bit by bit.
  /// - Returns: Whether some are left.
  static func sweep(
    _ database: Database, steps last: Int64, kept: Set<Int64>, atMost count: Int
  ) throws -> Bool {
    var areLeft = false
    for table in tables {
      let key = key(of: table)
      let delete = try database.cachedStatement(
        sql: """
          DELETE FROM \(table) WHERE (\(key)) IN (
            SELECT \(key) FROM \(table) WHERE holder BETWEEN ? AND ? LIMIT ?)
          """)
      var left = count
      if try database.cachedStatement(sql: "SELECT 1 FROM \(table) \(hasUndone) LIMIT 1").first(
        [], { _ in true })
        == true
      {
        try database.execute(
          sql: """
            DELETE FROM \(table) WHERE (\(key)) IN (
              SELECT \(key) FROM \(table) \(hasUndone) AND holder NOT IN (SELECT step FROM undo) LIMIT ?)
            """, arguments: [left])
        left -= database.changesCount
      }
      // Skips those that are kept, which may be a million.
      var first = Int64.min
      for end in kept.sorted().map({ $0 - 1 }) + [last] where left > 0 {
        try delete.run([first, end, left])
        left -= database.changesCount
        first = end + 2
      }
      areLeft = areLeft || left <= 0
    }
    return areLeft
  }

  /// Deletes some images of a step.
  ///
  /// - Returns: Whether some are left.
  static func sweep(_ database: Database, step: Int64, atMost count: Int) throws -> Bool {
    for table in tables {
      let key = key(of: table)
      try database.cachedStatement(
        sql: """
          DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE holder = ? LIMIT ?)
          """
      ).run([step, count])
      if database.changesCount >= count { return true }
    }
    return false
  }

  private static func key(of table: String) -> String {
    switch table {
    case "alarm_group_image": "holder, side, id"
    case "alarm_image": "holder, side, place"
    default: "holder, side, place, id"
    }
  }
}

extension Row {
  /// For a row with all columns of the table in order.
  func value(of column: some Column) -> DatabaseValue { self[column.rawValue] }
}
