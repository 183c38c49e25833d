import Alarms
import EggTime
import GRDB
import Ringing

/// The rows of boots: the wall clock's offset from the clock of each.
struct BootTable {
  let database: Database
  let current: ClockID
  let bootID: String

  /// Writes the row of this boot.
  ///
  /// - Returns: By how much the wall clock was set since the last row.
  @discardableResult
  func note(offset: Int64) throws -> TimeSpan {
    let known = try knownOffset()
    try database.run(
      """
      INSERT INTO boot (id, bootID, offset) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET offset = excluded.offset
      """, [current.rawValue, bootID, offset])
    return Instant(microseconds: offset) - Instant(microseconds: known ?? offset)
  }

  /// Writes the row of this boot, unless the clock was set since the last row: what waits has to follow that in the same
  /// transaction.
  ///
  /// - Returns: Whether what waits has to follow.
  func noteStart(_ now: ClockReading) throws -> Bool {
    if let known = try knownOffset(), abs(now.bootOffset - known) >= Interruptions.leastStep { return true }
    try note(offset: now.bootOffset)
    return try WrongClock.stood(after: WrongClock(now: now).latest, database)
  }

  private func knownOffset() throws -> Int64? {
    try database.first("SELECT offset FROM boot WHERE id = ?", [current.rawValue]) { int($0, 0) } ?? nil
  }

  func offsets() throws -> [ClockID: Int64] {
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, offset FROM boot WHERE id <> ?", arguments: [current.rawValue])
    var offsets: [ClockID: Int64] = [:]
    for row in rows {
      guard let id = int(row, 0), let offset = int(row, 1) else { continue }
      offsets[ClockID(rawValue: id)] = offset
    }
    return offsets
  }
}
