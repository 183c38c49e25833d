import Alarms
import EggTime
import GRDB
import Ringing

package struct DeleteChange: SelectingChange {
  package var selection: Selection
  /// Only alarms that rang before this and have nothing to come; nil for all.
  package var rungBefore: Instant?

  package init(_ selection: Selection, rungBefore: Instant? = nil) {
    self.selection = selection
    self.rungBefore = rungBefore
  }

  package var kind: ChangeKind? { .delete }
  var candidates: Candidates { .all }
  /// Alarms with nothing to come have no moment to lose.
  func held(of all: NumberSet, in database: Database) -> NumberSet { rungBefore == nil ? all : [] }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let tables = transaction.tables
    let selected = try SelectedAlarms(selection, in: tables.database)
    var outcome = ChangeOutcome(selected)
    outcome.deleted = selected.numbers.sorted()
    if let rungBefore { outcome.deleted = try tables.alarms.rung(among: outcome.deleted, before: rungBefore) }
    outcome.rang = try tables.alarms.rung(among: outcome.deleted)
    guard !outcome.deleted.isEmpty else { return outcome }
    try transaction.step(outcome.deleted, deletes: true) {
      try tables.delete(outcome.deleted, at: request.readAt.wall)
    }
    return outcome
  }
}

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
    var outcome = ChangeOutcome()
    outcome.changed = try transaction.tables.history.prune(number, deletedBefore: deletedBefore)
    return outcome
  }
}
