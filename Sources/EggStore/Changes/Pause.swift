import Alarms
import EggTime
import GRDB
import Ringing

/// Stops countdowns; recurring alarms stay silent. Alarms with a date and time cannot be paused.
package struct PauseChange: SelectingChange {
  package var selection: Selection

  package init(_ selection: Selection) {
    self.selection = selection
  }

  package var kind: ChangeKind? { .pause }
  var candidates: Candidates { Candidates("state = 'scheduled' AND due IS NOT NULL AND kind <> 'at'") }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    let all = try NumberSet(selection, in: transaction.database)
    return AffectedAlarms(all: all, holding: try candidates.numbers(in: all, transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.pause(self, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func pause(_ change: PauseChange, at now: ClockReading) throws -> ChangeOutcome {
    try changeEach(change, at: now.wall) { alarm in
      guard alarm.state == .scheduled, let due = alarm.due else { return false }
      var remaining: TimeSpan?
      var passed: Instant?
      switch alarm.timing {
      case .countdown: remaining = max(wall(due, now) - now.wall, .zero)
      case .every: passed = wall(due, now)
      case .instant, .civil: return false
      }
      try database.cachedStatement(
        sql: """
          UPDATE alarm SET state = 'paused', clock = 0, due = NULL, zoneDue = NULL, remaining = ?, pausedDue = ?
          WHERE number = ?
          """
      ).execute(arguments: [remaining?.microseconds, passed?.microseconds, alarm.number])
      return true
    }
  }
}
