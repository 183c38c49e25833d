import Alarms
import EggTime
import GRDB
import Ringing

package struct DeleteChange: Change {
  package var selection: Selection
  /// Only alarms that rang before this and have nothing to come; nil for all.
  package var rungBefore: Instant?

  package init(_ selection: Selection, rungBefore: Instant? = nil) {
    self.selection = selection
    self.rungBefore = rungBefore
  }

  package var kind: ChangeKind? { .delete }
  package var selected: Selection? { selection }
  /// Many alarms are hidden, as those are that a change prepares.
  package var takesTurn: Bool { selection.mayBeMany }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    let all = try NumberSet(selection, in: transaction.database)
    // Alarms with nothing to come have no moment to lose.
    return rungBefore == nil ? AffectedAlarms(holding: all) : AffectedAlarms(all: all)
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let selected = try SelectedAlarms(selection, in: transaction.database)
    var outcome = ChangeOutcome(sequence: 0)
    outcome.deleted = selected.numbers.sorted()
    if let rungBefore {
      outcome.deleted = try outcome.deleted.filter { try transaction.hasRung($0, before: rungBefore) }
    }
    outcome.rang = try transaction.rung(among: outcome.deleted)
    (outcome.missing, outcome.missingIDs) = (selected.missing, selected.missingIDs)
    guard !outcome.deleted.isEmpty else { return outcome }
    let hides = try takesTurn && transaction.canHide(outcome.deleted)
    try transaction.step(outcome.deleted, deletes: true, hasImages: !hides) {
      if hides {
        try transaction.hide(outcome.deleted, at: request.readAt.wall)
      } else {
        try transaction.delete(outcome.deleted, at: request.readAt.wall)
      }
      return []
    }
    return outcome
  }
}
