import Alarms
import EggTime
import GRDB
import Ringing

/// Snoozes ringing alarms until `until`, a point of the present boot's clock.
package struct SnoozeChange: SelectingChange {
  package var selection: Selection
  package var until: DuePoint
  /// Each alarm's last occurrence on its bubble: later rings belong to another bubble.
  package var seen: [Int64: Int64]
  /// Whether its bubble is back, so that nothing is to be snoozed any more.
  package var isOver: @Sendable () -> Bool

  package init(
    _ selection: Selection, until: DuePoint, seen: [Int64: Int64] = [:],
    isOver: @escaping @Sendable () -> Bool = { false }
  ) {
    self.selection = selection
    self.until = until
    self.seen = seen
    self.isOver = isOver
  }

  package var kind: ChangeKind? { .snooze }
  var candidates: Candidates { .ringing }

  package func isKept(for client: ChangeClient) -> Bool { client == .bubble }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    // This takes no alarm from its moment.
    AffectedAlarms(all: try NumberSet(selection, in: transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    guard !isOver() else { return ChangeOutcome(sequence: 0) }
    return try transaction.change(self) { ringing in
      let numbers = try ringing.filter { number in
        try seen[number].map { try !transaction.rings(number, after: $0) } ?? true
      }
      guard !numbers.isEmpty else { return [] }
      try transaction.step(numbers) {
        try transaction.snooze(numbers, until: until, at: request.readAt)
        return []
      }
      return numbers
    }
  }
}

extension StoreTransaction {
  fileprivate func rings(_ number: Int64, after occurrence: Int64) throws -> Bool {
    let later = try database.cachedStatement(
      sql: """
        SELECT 1 FROM occurrence
        WHERE alarm = ? AND id > ? AND outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL
        """)
    return try Int64.fetchOne(later, arguments: [number, occurrence]) != nil
  }

  /// Snoozes the latest ring of each; earlier ones are dismissed.
  fileprivate func snooze(_ numbers: [Int64], until: DuePoint, at now: ClockReading) throws {
    let ringing = "outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL"
    let these = "alarm IN (SELECT value FROM json_each(?1)) AND \(ringing)"
    let list = numbers.jsonList
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?2 WHERE \(these)
          AND id NOT IN (SELECT max(id) FROM occurrence WHERE \(these) GROUP BY alarm)
        """
    ).run([list, now.wall.microseconds])
    let ends =
      Instant(microseconds: until.microseconds)
      + TimeSpan(microseconds: clocks.offset(of: until.clock, now: now))
    try database.cachedStatement(
      sql: "UPDATE occurrence SET snoozedUntil = ?2, clock = ?3, due = ?4 WHERE \(these)"
    ).run([list, ends.microseconds, until.clock.rawValue, until.microseconds])
    try database.cachedStatement(
      sql: """
        UPDATE alarm SET state = 'scheduled', overAt = NULL
        WHERE number IN (SELECT value FROM json_each(?)) AND state = 'over'
        """
    ).run([list])
  }
}
