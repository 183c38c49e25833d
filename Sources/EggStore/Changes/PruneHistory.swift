import Alarms
import EggTime

/// Forgets what rang or was missed of deleted alarms. No alarm changes, so it is no step of the sequence, and
/// it cannot be undone.
package struct PruneHistoryChange: Change {
  /// Only of this alarm; nil for all.
  package var number: Int64?
  /// Only of alarms that were deleted earlier; nil for all.
  package var deletedBefore: Instant?

  package init(number: Int64? = nil, deletedBefore: Instant? = nil) {
    self.number = number
    self.deletedBefore = deletedBefore
  }

  package var kind: ChangeKind? { nil }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    var outcome = ChangeOutcome(sequence: 0)
    outcome.changed = try transaction.tables.history.prune(number, deletedBefore: deletedBefore)
    return outcome
  }
}
