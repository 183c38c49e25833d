import Alarms
import EggTime
import GRDB
import Ringing

/// Snoozes ringing alarms until `until`, a point of the present boot's clock.
package struct SnoozeChange: SelectingChange {
  package var selection: Selection
  package var until: DuePoint

  package init(_ selection: Selection, until: DuePoint) {
    self.selection = selection
    self.until = until
  }

  package var kind: ChangeKind? { .snooze }
  var candidates: String { SelectedAlarms.openBetween }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    // This takes no alarm from its moment.
    AffectedAlarms(all: try NumberSet(selection, in: transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.change(selection, allowing: [.ringing]) { numbers in
      try transaction.step(numbers) {
        for number in numbers { try transaction.snooze(number, until: until, at: request.readAt) }
        return []
      }
    }
  }
}

extension StoreTransaction {
  fileprivate func snooze(_ number: Int64, until: DuePoint, at now: ClockReading) throws {
    let latest = try database.cachedStatement(
      sql: """
        SELECT id FROM occurrence
        WHERE alarm = ? AND outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL
        ORDER BY id DESC LIMIT 1
        """)
    guard let latest = try Int64.fetchOne(latest, arguments: [number]) else { return }
    let ends =
      Instant(microseconds: until.microseconds)
      + TimeSpan(microseconds: clocks.offset(of: until.clock, now: now))
    try database.cachedStatement(
      sql: "UPDATE occurrence SET snoozedUntil = ?, clock = ?, due = ? WHERE id = ?"
    )
    .execute(arguments: [ends.microseconds, until.clock.rawValue, until.microseconds, latest])
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?
        WHERE alarm = ? AND id < ? AND outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL
        """
    ).execute(arguments: [now.wall.microseconds, number, latest])
    try database.cachedStatement(
      sql: "UPDATE main.alarm SET state = 'scheduled', overAt = NULL WHERE number = ? AND state = 'over'"
    ).execute(arguments: [number])
  }
}
