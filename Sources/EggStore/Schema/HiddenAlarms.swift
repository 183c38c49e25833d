import EggTime
import GRDB
import Ringing

/// Alarms that are in the table but do not exist. A change that makes many writes them bit by bit, and then shows all at
/// once; what a kill leaves of that goes. A deletion of many hides them all at once, and they go bit by bit, to the
/// images from which undo makes them again.
///
/// `schedule` has the range of their numbers. Where other alarms have numbers in that range, the table `hidden_alarm` has
/// each of theirs.
///
/// On eggd's connections the name `alarm` means a view without them. Rows are written to `main.alarm`.
struct HiddenAlarms: Equatable {
  var range: ClosedRange<Int64>
  /// Whether only those of the range are meant that `hidden_alarm` has.
  var areListed = false

  static func isSeen(_ number: String) -> String {
    """
    (\(number) NOT BETWEEN coalesce((SELECT hiddenFrom FROM main.schedule), 0)
        AND coalesce((SELECT hiddenTo FROM main.schedule), -1)
      OR (SELECT hiddenListed FROM main.schedule) = 1 AND \(number) NOT IN (SELECT number FROM main.hidden_alarm))
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

  /// nil for none.
  static func present(in database: Database) throws -> HiddenAlarms? {
    let row = try Row.fetchOne(
      try database.cachedStatement(sql: "SELECT hiddenFrom, hiddenTo, hiddenListed FROM schedule"))
    guard let first = row.flatMap({ int($0, 0) }), let last = row.flatMap({ int($0, 1) }), first <= last
    else { return nil }
    return HiddenAlarms(range: first...last, areListed: row.flatMap { int($0, 2) } == 1)
  }

  /// - Parameters:
  ///   - position: Of the last one that is being made: new alarms come after it in the list.
  ///   - step: Of the undo log, if they were deleted: their images go there.
  static func set(
    _ hidden: HiddenAlarms?, position: Int64? = nil, step: Int64? = nil, in database: Database
  ) throws {
    try database.cachedStatement(
      sql: """
        UPDATE schedule SET hiddenFrom = ?, hiddenTo = ?, hiddenListed = ?, hiddenPosition = ?, hiddenStep = ?
        """
    ).run([
      hidden?.range.lowerBound, hidden?.range.upperBound, hidden.map { $0.areListed ? 1 : 0 }, position, step,
    ])
  }

  /// Without effect while nothing in that range is hidden.
  static func list(_ numbers: [Int64], in database: Database) throws {
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO hidden_alarm (number) SELECT value FROM json_each(?)"
    ).run([numbers.jsonList])
  }

  static func unlist(_ numbers: [Int64], in database: Database) throws {
    try database.cachedStatement(
      sql: "DELETE FROM hidden_alarm WHERE number IN (SELECT value FROM json_each(?))"
    ).run([numbers.jsonList])
  }

  /// Whether the table has any; they may have no effect.
  static func areListed(in database: Database) throws -> Bool {
    try database.cachedStatement(sql: "SELECT 1 FROM hidden_alarm LIMIT 1").first([]) { _ in true } ?? false
  }

  /// Whether something is hidden, or was.
  static func areLeft(in database: Database) throws -> Bool {
    try present(in: database) != nil || areListed(in: database)
  }

  /// A new alarm takes a key from one that does not exist.
  static func release(key: String, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE main.alarm SET key = NULL, keyedRequest = NULL WHERE key = ? AND NOT (\(isSeen("number")))
        """
    ).run([key])
  }
}

extension StoreTransaction {
  /// Whether these alarms, ascending, can be deleted by hiding them: they are many, and no others are between them.
  func canHide(_ numbers: [Int64]) throws -> Bool {
    guard recording != nil, numbers.count >= fewestHidden, let first = numbers.first, let last = numbers.last,
      try !HiddenAlarms.areLeft(in: database)
    else { return false }
    let count = try database.cachedStatement(sql: "SELECT count(*) FROM alarm WHERE number BETWEEN ? AND ?")
      .first([first, last]) { int($0, 0) }
    return count == Int64(numbers.count)
  }

  /// Deletes them. Their images are to come, what rang of them is history at once.
  func hide(_ numbers: [Int64], at now: Instant) throws {
    guard let first = numbers.first, let last = numbers.last else { return }
    try keepHistory(of: "o.alarm BETWEEN ?2 AND ?3", [first, last], at: now)
    try hide(HiddenAlarms(range: first...last), count: Int64(numbers.count))
  }

  func hide(_ hidden: HiddenAlarms, count: Int64) throws {
    try HiddenAlarms.set(hidden, step: recording?.images.holder, in: database)
    recording?.count += count
    recording?.isUsed = true
    hidesSome = true
  }

  /// Removes the rows of some hidden alarms. Of those that were deleted, it leaves the images.
  ///
  /// - Returns: Whether more are left.
  func sweepHidden(atMost count: Int) throws -> Bool {
    guard let hidden = try HiddenAlarms.present(in: database) else { return try sweepList() }
    let range = hidden.range
    let step = try Int64.fetchOne(database, sql: "SELECT hiddenStep FROM schedule")
    let numbers = try Int64.fetchAll(
      database,
      sql: """
        SELECT number FROM \(hidden.areListed ? "hidden_alarm" : "main.alarm")
        WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?
        """, arguments: [range.lowerBound, range.upperBound, count])
    // Within this transaction they exist.
    try HiddenAlarms.set(nil, in: database)
    guard let last = numbers.last else { return try sweepList() }
    if let step {
      let isKept = try Int64.fetchOne(database, sql: "SELECT 1 FROM undo WHERE step = ?", arguments: [step])
      if isKept != nil {
        try Images(database: database, holder: step).take(alarms: numbers, .before, occurrencesFrom: .min)
      }
    }
    // In this order no trigger makes history of them.
    for rows in ["occurrence WHERE alarm", "main.alarm WHERE number"] {
      try database.cachedStatement(sql: "DELETE FROM \(rows) IN (SELECT value FROM json_each(?))")
        .run([numbers.jsonList])
    }
    guard last < range.upperBound else { return try sweepList() }
    try HiddenAlarms.set(
      HiddenAlarms(range: (last + 1)...range.upperBound, areListed: hidden.areListed), step: step,
      in: database)
    return true
  }

  private static let unlistedAtOnce = 4_096

  /// The list has no effect any more.
  private func sweepList() throws -> Bool {
    try database.cachedStatement(
      sql: "DELETE FROM hidden_alarm WHERE number IN (SELECT number FROM hidden_alarm LIMIT ?)"
    ).run([Self.unlistedAtOnce])
    return try HiddenAlarms.areListed(in: database)
  }
}
