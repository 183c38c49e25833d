import Alarms
import EggTime
import GRDB
import Ringing

/// What rang or was missed of alarms that were deleted: a trigger keeps it in the table `history`, whoever
/// deletes the alarm. It stays for a year, and at most 10 000 occurrences stay.
extension StoreTransaction {
  static let mostKept = 10_000

  /// Deletes alarms; their occurrences go with them.
  func delete(_ numbers: [Int64], at moment: Instant) throws {
    guard !numbers.isEmpty else { return }
    let list = numbers.jsonList
    let same = "dueAt, outcome, missedCount, firedAt, journaledAt, shownAt, dismissedAt, lateness, lateReason"
    // What the trigger does row by row, and without the rows that later ones would push out at once.
    try database.cachedStatement(
      sql: """
        INSERT INTO history (id, alarm, alarmID, label, deletedAt, \(same))
        SELECT * FROM (
          SELECT o.id, a.number, a.id, a.label, ?1, \(same)
          FROM occurrence o JOIN alarm a ON a.number = o.alarm
          WHERE o.alarm IN (SELECT value FROM json_each(?2)) AND o.outcome IN ('rung', 'missed')
          ORDER BY o.id DESC LIMIT \(Self.mostKept))
        ORDER BY 1
        """
    ).run([moment.microseconds, list])
    for rows in ["occurrence WHERE alarm", "alarm WHERE number"] {
      try database.cachedStatement(sql: "DELETE FROM \(rows) IN (SELECT value FROM json_each(?))").run([list])
    }
  }

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
  func forgetDeletion(of numbers: NumberSet) throws {
    let delete = try database.cachedStatement(sql: "DELETE FROM history WHERE alarm BETWEEN ? AND ?")
    for range in numbers.ranges { try delete.run([range.lowerBound, range.upperBound]) }
  }
}

extension [Int64] {
  /// For `json_each`.
  var jsonList: String { "[" + map(String.init).joined(separator: ",") + "]" }
}
