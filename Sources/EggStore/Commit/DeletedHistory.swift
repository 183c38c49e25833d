import Alarms
import EggTime
import GRDB

/// What rang or was missed of alarms that were deleted: a trigger keeps it in the table `history`, whoever
/// deletes the alarm. It stays for a year, and at most 10 000 occurrences stay.
extension StoreTransaction {
  private static let mostKept = 10_000

  /// Deletes alarms; their occurrences go with them.
  func delete(_ numbers: [Int64], at moment: Instant) throws {
    if numbers.count > Self.fewAlarms { try keepHistory(of: numbers, at: moment) }
    let delete = try database.cachedStatement(sql: "DELETE FROM alarm WHERE number = ?")
    for number in numbers { try delete.run([number]) }
  }

  /// Does what the trigger does, without the rows that the next ones push out at once. It leaves nothing to the
  /// trigger.
  private func keepHistory(of numbers: [Int64], at moment: Instant) throws {
    let find = try database.cachedStatement(
      sql: "SELECT id FROM occurrence WHERE alarm = ? AND outcome IN ('rung', 'missed')")
    var kept: [Int64] = []
    for number in numbers {
      let rows = try find.rows([number])
      while let row = try rows.next() { kept.append(int(row, 0) ?? 0) }
      if kept.count > 2 * Self.mostKept { kept = kept.sorted().suffix(Self.mostKept) }
    }
    let same = "dueAt, outcome, missedCount, firedAt, journaledAt, shownAt, dismissedAt, lateness, lateReason"
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO history (id, alarm, alarmID, label, deletedAt, \(same))
        SELECT occurrence.id, alarm.number, alarm.id, label, ?, \(same)
        FROM occurrence JOIN alarm ON alarm.number = occurrence.alarm WHERE occurrence.id = ?
        """)
    for occurrence in kept.sorted().suffix(Self.mostKept) {
      try insert.run([moment.microseconds, occurrence])
    }
    let delete = try database.cachedStatement(sql: "DELETE FROM occurrence WHERE alarm = ?")
    for number in numbers { try delete.run([number]) }
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
  func forgetDeletion(of numbers: [Int64]) throws {
    let delete = try database.cachedStatement(sql: "DELETE FROM history WHERE alarm = ?")
    for number in numbers { try delete.run([number]) }
  }
}
