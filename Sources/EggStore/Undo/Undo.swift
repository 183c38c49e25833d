import Alarms
import GRDB
import Ringing

/// Undoes the last change, or makes the change again that was undone last: undoing is a change of its own, which redo
/// undoes.
///
/// Created alarms are deleted. Deleted ones return as they were. Changed ones get their old values back,
/// column by column, where nothing has changed them since; what an alarm waits for counts as one value. Undo
/// never makes an alarm ring: a moment that has passed is recorded as missed. A one-shot stays as it is if
/// its old moment has passed and it has rung at its new one.
package struct UndoChange: Change {
  /// The sequence of the change to undo, if the caller has seen it.
  package var expected: Int64?
  /// Whether to undo an undo.
  package var redoes: Bool
  /// Whether the caller may give an alarm a command.
  package var mayBringCommands = true

  package init(expected: Int64?, redoes: Bool = false) {
    self.expected = expected
    self.redoes = redoes
  }

  package var kind: ChangeKind? { nil }
  package var mayBeOfMany: Bool { true }

  /// All alarms that undoing the last change may take from their moments; without any, all that it changes
  /// otherwise.
  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    let log = transaction.tables.undo
    guard let undo = try log.last(isUndone: redoes) else { return nil }
    let images = transaction.tables.images(of: undo.holder)
    let changed = try images.changed()
    let moved = changed.isEmpty ? [] : try NumberSet(images.moved())
    let held = NumberSet(
      ranges: try log.made(by: undo).ranges + moved.ranges + NumberSet(images.deleted()).ranges)
    return held.isEmpty ? (NumberSet(changed), []) : (held, held)
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    let log = tables.undo
    guard var undo = try log.last(isUndone: redoes) else { throw ChangeError.nothingToUndo }
    if let expected, expected != undo.sequence {
      throw ChangeError.changedSince(undo.sequence)
    }
    let images = tables.images(of: undo.holder)
    if !mayBringCommands, try images.bringCommand() { throw ChangeError.commandForbidden }
    let holder = try transaction.nextHolder()
    // All occurrences: alarms that this deletes come back with them.
    transaction.recording = StoreTransaction.Recording(images: tables.images(of: holder), from: .min)
    defer { transaction.recording = nil }
    let deleted = try images.deleted()
    let made = try Candidates.all.numbers(in: log.made(by: undo), tables.database)
    let (groups, daysOff) = (try images.keys(of: .groups), try images.keys(of: .daysOff))
    let touched = try Set(images.changed() + made).sorted()
    // These show the group's name and icon.
    let members = try groups.flatMap { try tables.groups.members(of: $0, atMost: transaction.few + 1) }
    let shown = Set(members).subtracting(touched)
    var missed: [Int64] = []
    try transaction.step(
      touched, shown: shown, makesMany: deleted.count > transaction.few, groups: groups, daysOff: daysOff
    ) {
      try tables.delete(made, at: now.wall)
      try tables.groups.restore(images)
      try tables.daysOff.restore(images)
      missed += try Merging(tables: tables, images: images, now: now).merge()
      let restored = try Restoring(tables: tables, images: images, now: now).reinsert(deleted)
      try tables.history.forget(restored.numbers)
      // What eggd deleted by itself is the person's again, and so is its next deletion.
      if !restored.numbers.isEmpty {
        try transaction.database.run("DELETE FROM cleared WHERE id IN (SELECT id FROM alarm)")
      }
      missed += restored.missed
      transaction.made = restored.numbers
    }
    if try log.remove(undo) { transaction.log.leavesImages = true }
    var back = undo
    back.holder = holder
    back.sequence = transaction.log.sequence
    back.client = request.client
    back.madeAt = now.wall
    try log.write(back, isUndone: !redoes, made: transaction.recording?.made ?? [])
    transaction.log.lastHolder = holder
    undo.missed = missed.sorted()
    var outcome = ChangeOutcome()
    outcome.undone = undo
    return outcome
  }
}
