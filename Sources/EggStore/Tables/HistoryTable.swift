import EggTime
import GRDB
import Ringing

/// What rang or was missed of alarms that were deleted: a trigger keeps it in the table `history`, whoever
/// deletes the alarm. It stays for a year, and at most 10 000 occurrences stay.
struct HistoryTable {
  let database: Database

  static let most = 10_000
  /// µs; leap years included.
  static let kept = TimeSpan.seconds(366 * 86_400)

  /// What the trigger does row by row, and without the rows that later ones would push out at once.
  func keep(_ numbers: [Int64], at moment: Instant) throws {
    let same = "dueAt, outcome, missedCount, firedAt, journaledAt, shownAt, dismissedAt, lateness, lateReason"
    try database.run(
      """
      INSERT INTO history (id, alarm, alarmID, label, deletedAt, \(same))
      SELECT * FROM (
        SELECT o.id, a.number, a.id, a.label, ?1, \(same)
        FROM occurrence o JOIN alarm a ON a.number = o.alarm
        WHERE o.alarm IN (SELECT value FROM json_each(?2)) AND o.outcome IN ('rung', 'missed')
        ORDER BY o.id DESC LIMIT \(Self.most))
      ORDER BY 1
      """, [moment.microseconds, numbers.jsonList])
  }

  /// Deletes what is older than a year. Called where something is written anyway: no timer runs for it.
  func forgetOld(at now: Instant) throws {
    let limit = now - Self.kept
    let oldest = try database.number("SELECT deletedAt FROM history ORDER BY place LIMIT 1")
    if let oldest, oldest < limit.microseconds { _ = try prune(nil, deletedBefore: limit) }
  }

  /// The alarms exist again, with their occurrences.
  func forget(_ numbers: NumberSet) throws {
    let delete = try database.cachedStatement(sql: "DELETE FROM history WHERE alarm BETWEEN ? AND ?")
    for range in numbers.ranges { try delete.run([range.lowerBound, range.upperBound]) }
  }

  /// - Returns: How many rows were deleted. nil means all.
  func prune(_ number: Int64?, deletedBefore: Instant?) throws -> Int64 {
    try database.execute(
      sql: "DELETE FROM history WHERE (?1 IS NULL OR alarm = ?1) AND deletedAt < ?2",
      arguments: [number, deletedBefore?.microseconds ?? .max])
    return Int64(database.changesCount)
  }
}
