import Alarms
import EggTime
import GRDB

/// Deletes one-shots that have been over and answered for long, in time that eggd ran: no clock can make it early. eggd's
/// own, once a day; it can be undone.
package struct ClearOverChange: Change {
  /// How long eggd has run since that was last counted.
  package var ran: TimeSpan
  /// How long they stay.
  package var keep: TimeSpan

  /// Alarms that go at once.
  static let most = 250
  /// Alarms that are newly noted at once.
  private static let mostNoted = 10_000
  /// Identities that ``Reading/cleared(among:)`` knows.
  private static let mostCleared = 100_000

  package init(ran: TimeSpan, keep: TimeSpan) { (self.ran, self.keep) = (ran, keep) }

  package var kind: ChangeKind? { .delete }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let database = transaction.database
    try database.run("UPDATE schedule SET ran = ran + ?", [ran.microseconds])
    let now = try database.number("SELECT ran FROM schedule") ?? 0
    try noteAnswered(at: now, database)
    var outcome = ChangeOutcome()
    outcome.deleted = try database.numbers(
      "SELECT alarm FROM answered WHERE since <= ? ORDER BY alarm LIMIT \(Self.most)",
      [now - keep.microseconds])
    let list = outcome.deleted.jsonList
    guard !outcome.deleted.isEmpty else { return outcome }
    try database.run("DELETE FROM answered WHERE alarm IN (SELECT value FROM json_each(?))", [list])
    try database.run(
      """
      INSERT OR IGNORE INTO cleared (id) SELECT id FROM alarm
      WHERE number IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM synced)
      """, [list])
    try database.run(
      "DELETE FROM cleared WHERE place <= (SELECT max(place) FROM cleared) - \(Self.mostCleared)")
    try transaction.step(outcome.deleted, deletes: true) {
      try transaction.tables.delete(outcome.deleted, at: request.readAt.wall)
    }
    return outcome
  }

  /// Notes those that are newly over and answered, and forgets those that are no longer, or were answered again.
  private func noteAnswered(at now: Int64, _ database: Database) throws {
    try database.run(
      """
      DELETE FROM answered WHERE NOT EXISTS (
        SELECT 1 FROM (\(Self.overAndAnswered) AND number = answered.alarm) WHERE at = answered.at)
      """)
    try database.run(
      """
      INSERT INTO answered (alarm, since, at) SELECT number, ?, at FROM (\(Self.overAndAnswered))
      WHERE number NOT IN (SELECT alarm FROM answered) ORDER BY number LIMIT \(Self.mostNoted)
      """, [now])
    // An import has brought some back.
    try database.run("DELETE FROM cleared WHERE id IN (SELECT id FROM alarm)")
  }

  /// With the moment of the last answer, which only tells it from another.
  private static let overAndAnswered = """
    SELECT a.number, o.dismissedAt AS at FROM alarm a
    JOIN occurrence o ON o.id = (SELECT max(id) FROM occurrence WHERE alarm = a.number)
    WHERE a.kind <> 'every' AND a.state = 'over' AND a.doneAt IS NULL AND o.outcome = 'rung'
      AND o.dismissedAt IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM occurrence WHERE alarm = a.number AND outcome = 'rung' AND dismissedAt IS NULL)
    """
}

extension Reading {
  /// Those of these identities whose alarms eggd has deleted by itself.
  package func cleared(among ids: [AlarmID]) throws -> [AlarmID] {
    try ids.filter { try database.has("SELECT 1 FROM cleared WHERE id = ?", [$0.description]) }
  }
}
