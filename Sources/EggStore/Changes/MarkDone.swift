import Alarms
import EggTime
import GRDB
import Ringing

/// Sets or clears the done mark. It cancels what a one-shot waits for. On a recurring alarm it marks the last
/// occurrence, until the next one rings.
package struct MarkDoneChange: SelectingChange {
  package var selection: Selection
  package var done: Bool

  package init(_ selection: Selection, _ done: Bool) {
    self.selection = selection
    self.done = done
  }

  package var kind: ChangeKind? { done ? .done : .undone }
  var candidates: Candidates { Candidates(done ? "doneAt IS NULL" : "doneAt IS NOT NULL") }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    AffectedAlarms(holding: try NumberSet(selection, in: transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.changeAll(self, keepsOthers: true, at: request.readAt.wall) { numbers in
      if done {
        try transaction.setDone(numbers, at: request.readAt.wall)
      } else {
        let oneShots = try transaction.clearDone(numbers)
        try transaction.settle(numbers, at: request.readAt.wall)
        _ = try transaction.bringToPresent(oneShots, at: request.readAt)
      }
    }
  }
}

extension StoreTransaction {
  func setDone(_ numbers: [Int64], at moment: Instant) throws {
    try endRinging(numbers, at: moment)
    let these = "number IN (SELECT value FROM json_each(?2))"
    try database.cachedStatement(sql: "UPDATE alarm SET doneAt = ?1 WHERE kind = 'every' AND \(these)")
      .run([moment.microseconds, numbers.jsonList])
    try database.cachedStatement(
      sql: """
        UPDATE alarm SET doneAt = ?1, doneClock = clock, doneDue = due, clock = 0, due = NULL, zoneDue = NULL,
          overAt = iif(state = 'over', overAt, ?1), state = 'over' WHERE kind <> 'every' AND \(these)
        """
    ).run([moment.microseconds, numbers.jsonList])
  }

  /// Restores what one-shots waited for.
  ///
  /// - Returns: Those that are one-shots. Their moments may be past.
  func clearDone(_ numbers: [Int64]) throws -> [Int64] {
    let these = "number IN (SELECT value FROM json_each(?))"
    try database.cachedStatement(
      sql: """
        UPDATE alarm SET doneAt = NULL, doneClock = NULL, doneDue = NULL,
          state = CASE WHEN doneDue IS NOT NULL THEN 'scheduled' WHEN remaining IS NOT NULL THEN 'paused' ELSE state END,
          overAt = iif(doneDue IS NULL AND remaining IS NULL, overAt, NULL),
          clock = coalesce(doneClock, clock), due = coalesce(doneDue, due)
        WHERE \(these)
        """
    ).run([numbers.jsonList])
    return try Int64.fetchAll(
      try database.cachedStatement(sql: "SELECT number FROM alarm WHERE kind <> 'every' AND \(these)"),
      arguments: [numbers.jsonList])
  }
}
