import Alarms
import EggTime
import GRDB

/// What rang or was missed of alarms that were deleted: a trigger keeps it in the table `history`, whoever
/// deletes the alarm. It stays for a year, and at most 10 000 occurrences stay.
extension StoreTransaction {
  /// µs; leap years included.
  static let historyKept = TimeSpan.seconds(366 * 86_400)
  /// Rows per transaction.
  private static let forgottenAtOnce = 1_000

  /// Deletes what is older than a year. Called where something is written anyway: no timer runs for it.
  func forgetOldHistory(at now: Instant) throws {
    let limit = (now - Self.historyKept).microseconds
    let oldest = try database.cachedStatement(sql: "SELECT deletedAt FROM history ORDER BY place LIMIT 1")
    guard let deletedAt = try oldest.first([], { int($0, 0) ?? 0 }), deletedAt < limit else { return }
    try database.execute(
      sql: """
        DELETE FROM history WHERE deletedAt < ? AND place IN (SELECT place FROM history ORDER BY place LIMIT ?)
        """, arguments: [limit, Self.forgottenAtOnce])
  }

  /// The alarms exist again, with their occurrences.
  func forgetDeletion(of numbers: [Int64]) throws {
    let delete = try database.cachedStatement(sql: "DELETE FROM history WHERE alarm = ?")
    for number in numbers { try delete.run([number]) }
  }
}
