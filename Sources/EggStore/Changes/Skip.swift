import Alarms
import EggTime
import GRDB
import Ringing

/// Skips the next moment of scheduled alarms; a one-shot is then over.
package struct SkipChange: SelectingChange {
  package var selection: Selection

  package init(_ selection: Selection) {
    self.selection = selection
  }

  package var kind: ChangeKind? { .skip }
  var candidates: Candidates { Candidates("state = 'scheduled' AND due IS NOT NULL") }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    AffectedAlarms(holding: try NumberSet(selection, in: transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.skip(self, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func skip(_ change: SkipChange, at now: ClockReading) throws -> ChangeOutcome {
    try changeEach(change, at: now.wall) { alarm in
      guard alarm.state == .scheduled, let due = alarm.due else { return false }
      let dueAt = wall(due, now)
      let next = recurrence(of: alarm)?.course(from: dueAt, to: dueAt).next
      try database.cachedStatement(
        sql:
          "UPDATE alarm SET clock = 0, due = ?, zoneDue = NULL, count = max(count - 1, 0) WHERE number = ?"
      ).execute(arguments: [next?.microseconds, alarm.number])
      try noteOccurrence(.skipped, of: alarm.number, dueAt: dueAt, at: now.wall)
      return true
    }
  }
}
