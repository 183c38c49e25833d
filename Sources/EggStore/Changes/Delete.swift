import Alarms
import EggTime
import GRDB
import Ringing

package struct DeleteChange: DeletingChange {
  package var selection: Selection
  /// Only alarms that rang before this and have nothing to come; nil for all.
  package var rungBefore: Instant?
  var deletion: Deletion?

  package init(_ selection: Selection, rungBefore: Instant? = nil) {
    self.selection = selection
    self.rungBefore = rungBefore
  }

  package var kind: ChangeKind? { .delete }
  package var selected: Selection? { selection }
  /// Many alarms are hidden, as those are that a change prepares.
  package var takesTurn: Bool { selection.mayBeMany }

  func deletionWalk(in database: Database) -> (any SliceWalk)? {
    guard selection.mayBeMany else { return nil }
    guard let rungBefore else {
      return SelectionWalk(selection, candidates: SelectedAlarms.between + " ORDER BY number")
    }
    return SelectionWalk(
      selection,
      candidates: """
        SELECT a.number \(AlarmRows.from) WHERE a.number BETWEEN ? AND ? AND a.state = 'over' AND o.outcome = 'rung'
          AND o.firedAt <= \(rungBefore.microseconds) ORDER BY a.number
        """)
  }

  var hasCondition: Bool { rungBefore != nil }

  func deletes(_ number: Int64, in transaction: StoreTransaction) throws -> Bool {
    try rungBefore.map { try transaction.hasRung(number, before: $0) } ?? true
  }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    if rungBefore == nil, let deletion { return AffectedAlarms(holding: deletion.held) }
    let all = try NumberSet(selection, in: transaction.database)
    // Alarms with nothing to come have no moment to lose.
    return rungBefore == nil ? AffectedAlarms(holding: all) : AffectedAlarms(all: all)
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    var outcome = ChangeOutcome(sequence: 0)
    if let deletion {
      (outcome.deleted, outcome.rang) = try deletion.apply(self, in: transaction, at: request.readAt.wall)
      (outcome.missing, outcome.missingIDs) = (deletion.walk.missing, deletion.walk.missingIDs)
      transaction.countAsMany()
      return outcome
    }
    let selected = try SelectedAlarms(selection, in: transaction.database)
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
