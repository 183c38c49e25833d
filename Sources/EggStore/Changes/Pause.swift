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
  var candidates: String { SelectedAlarms.candidates(Self.candidate) }

  fileprivate static let candidate = "state = 'scheduled' AND due IS NOT NULL AND kind <> 'at'"

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    let all = try NumberSet(selection, in: transaction.database)
    let pausable = try transaction.database.cachedStatement(
      sql: SelectedAlarms.between + " AND \(Self.candidate)")
    return AffectedAlarms(
      all: all,
      holding: try all.ranges.flatMap {
        try Int64.fetchAll(pausable, arguments: [$0.lowerBound, $0.upperBound])
      })
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.pause(selection, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func pause(_ selection: Selection, at now: ClockReading) throws -> ChangeOutcome {
    try changeEach(
      selection, where: PauseChange.candidate, at: now.wall
    ) { alarm in
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
          UPDATE main.alarm SET state = 'paused', clock = 0, due = NULL, zoneDue = NULL, remaining = ?, pausedDue = ?
          WHERE number = ?
          """
      ).execute(arguments: [remaining?.microseconds, passed?.microseconds, alarm.number])
      return true
    }
  }
}
