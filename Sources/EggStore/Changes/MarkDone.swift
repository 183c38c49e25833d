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
  var candidates: String { SelectedAlarms.candidates(candidate) }
  fileprivate var candidate: String { done ? "doneAt IS NULL" : "doneAt IS NOT NULL" }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    AffectedAlarms(holding: try NumberSet(selection, in: transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.markDone(self, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func markDone(_ change: MarkDoneChange, at now: ClockReading) throws -> ChangeOutcome {
    var restored: [Int64] = []
    return try changeEach(
      change.selection, where: change.candidate, keepsOthers: true, at: now.wall
    ) { alarm in
      if change.done {
        try setDone(alarm, at: now.wall)
      } else {
        try clearDone(alarm)
        if alarm.timing.kind != .every { restored.append(alarm.number) }
      }
      return true
    } afterwards: {
      _ = try bringToPresent(restored, at: now)
    }
  }

  func setDone(_ alarm: Alarm, at moment: Instant) throws {
    try endRinging(alarm.number, at: moment)
    let isRecurring = alarm.timing.kind == .every
    try database.cachedStatement(
      sql: isRecurring
        ? "UPDATE main.alarm SET doneAt = ?1 WHERE number = ?2"
        : """
        UPDATE main.alarm SET doneAt = ?1, doneClock = clock, doneDue = due, clock = 0, due = NULL, zoneDue = NULL,
          overAt = iif(state = 'over', overAt, ?1), state = 'over' WHERE number = ?2
        """
    ).execute(arguments: [moment.microseconds, alarm.number])
  }

  /// Restores what a one-shot waited for.
  func clearDone(_ alarm: Alarm) throws {
    try database.cachedStatement(
      sql: """
        UPDATE main.alarm SET doneAt = NULL, doneClock = NULL, doneDue = NULL,
          state = CASE WHEN doneDue IS NOT NULL THEN 'scheduled' WHEN remaining IS NOT NULL THEN 'paused' ELSE state END,
          overAt = iif(doneDue IS NULL AND remaining IS NULL, overAt, NULL),
          clock = coalesce(doneClock, clock), due = coalesce(doneDue, due)
        WHERE number = ?
        """
    ).execute(arguments: [alarm.number])
  }

}
