import Alarms
import EggTime
import GRDB
import Ringing

/// Undoes the last change, or makes the change again that was undone last: undoing is a change of its own, which redo
/// undoes.
///
/// Created alarms are deleted. Deleted ones return as they were. Changed ones get their old values back,
/// column by column, where nothing has changed them since; what an alarm waits for counts as one value. Undo
/// never makes an alarm ring: a moment that has passed is recorded as missed. A one-shot stays as it is if
/// its old moment has passed and it has rung at its new one.
package struct UndoChange: MakingChange, DeletingChange {
  /// The sequence of the change to undo, if the caller has seen it.
  package var expected: Int64?
  /// Whether to undo an undo.
  package var redoes: Bool
  var end: UndoLog.End { redoes ? .undone : .made }
  var prepared: PreparedAlarms?
  var slices: Slices?
  var deletion: Deletion?

  package init(expected: Int64?, redoes: Bool = false) {
    self.expected = expected
    self.redoes = redoes
  }

  package var kind: ChangeKind? { nil }
  package var takesTurn: Bool { true }

  func source(in database: Database) throws -> MakingSource? {
    // A change in slices deletes none.
    try UndoLog(database: database).last(end).flatMap {
      $0.holder < Images.slices ? MakingSource(holder: $0.holder) : nil
    }
  }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    try transaction.undoable(self)
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.undo(self, for: request)
  }
}

extension StoreTransaction {
  fileprivate func undo(_ change: UndoChange, for request: ChangeRequest) throws -> ChangeOutcome {
    let (now, end, prepared) = (request.readAt, change.end, change.prepared)
    let log = UndoLog(database: database)
    guard var undo = try log.target(of: change) else { throw ChangeError.nothingToUndo }
    if let expected = change.expected, expected != undo.sequence {
      throw ChangeError.changedSince(undo.sequence)
    }
    let images = Images(database: database, holder: undo.holder)
    let opposite = try step(undoing: undo, end)
    let holder = change.slices?.holder ?? opposite
    // All occurrences: alarms that this deletes come back with them.
    recording = Recording(images: Images(database: database, holder: holder), from: .min)
    defer { recording = nil }
    // In slices it has changed all, and there was nothing deleted; where many are deleted, nothing else is there.
    let isAlone = change.slices != nil || change.deletion != nil
    let places = try isAlone ? (changed: [], deleted: NumberSet([])) : images.places()
    let made = try change.deletion == nil ? existing(log.made(by: undo.step)) : []
    let groups = Set(
      try (images.groups(.before) + images.groups(.after)).compactMap { $0.text(at: GroupColumn.id.rawValue) }
    ).sorted()
    let touched = Set(places.changed + made).sorted()
    // These show the group's name and icon.
    let shown = Set(try groups.flatMap { try self.shown(inGroup: $0) }).subtracting(touched)
    var missed: [Int64] = []
    try step(
      touched, shown: shown, makesMany: places.deleted.count > Self.fewAlarms, groups: groups
    ) {
      _ = try change.deletion?.apply(change, in: self, at: now.wall)
      try self.delete(made, at: now.wall)
      try self.restoreGroups(images)
      guard change.deletion == nil else { return [] }
      if let slices = change.slices {
        _ = try slices.finish(in: self)
        missed += slices.missed
        return []
      }
      // It looks at all images.
      if !places.changed.isEmpty { missed += try self.merge(images, at: now) }
      let restored = try self.show(prepared, of: images, at: now) ?? self.reinsert(images, at: now)
      try self.forgetDeletion(of: restored.numbers)
      missed += restored.missed
      return restored.numbers
    }
    if isAlone {
      self.log.touchesAll = true
      self.log.changes = [
        CommittedChanges(sequence: self.log.sequence, alarms: nil, changesGroups: !groups.isEmpty)
      ]
    }
    try log.remove(
      undo.step,
      areMany: change.slices != nil || places.deleted.count + Int64(places.changed.count) > Self.fewAlarms)
    var back = undo
    (back.step, back.holder, back.sequence) = (opposite, holder, self.log.sequence)
    (back.client, back.madeAt) = (request.client, now.wall)
    try log.write(back, made: recording?.made ?? NumberSet([]))
    if end == .undone { self.log.lastStep = opposite }
    undo.missed = missed.sorted()
    var outcome = ChangeOutcome(sequence: 0)
    outcome.undone = undo
    return outcome
  }

  /// All alarms that undoing the last change may take from their moments; without any, all that it changes
  /// otherwise.
  fileprivate func undoable(_ change: UndoChange) throws -> AffectedAlarms? {
    let log = UndoLog(database: database)
    guard let undo = try log.target(of: change) else { return nil }
    if let slices = change.slices {
      return AffectedAlarms(
        holding: NumberSet(ranges: try log.made(by: undo.step).ranges + slices.seen.ranges))
    }
    if let deletion = change.deletion { return AffectedAlarms(holding: deletion.held) }
    let images = Images(database: database, holder: undo.holder)
    let places = try images.places()
    let moved = places.changed.isEmpty ? [] : try NumberSet(images.moved())
    let held = try log.made(by: undo.step).ranges + moved.ranges + places.deleted.ranges
    return held.isEmpty
      ? AffectedAlarms(all: NumberSet(places.changed)) : AffectedAlarms(holding: NumberSet(ranges: held))
  }

  /// The key of the step by which undoing this one is undone, without images of an earlier step of that key.
  private func step(undoing undo: UndoStep, _ end: UndoLog.End) throws -> Int64 {
    let log = UndoLog(database: database)
    if end == .undone { return try (self.log.lastStep ?? log.lastStep()).successor }
    let step = undo.step + UndoLog.undone
    try log.remove(step)
    return step
  }

  private func existing(_ numbers: NumberSet) throws -> [Int64] {
    let statement = try database.cachedStatement(
      sql: "SELECT number FROM alarm WHERE number BETWEEN ? AND ? ORDER BY number")
    return try numbers.ranges.flatMap {
      try Int64.fetchAll(statement, arguments: [$0.lowerBound, $0.upperBound])
    }
  }

  private func restoreGroups(_ images: Images) throws {
    let before = try images.groups(.before)
    let kept = Set(before.compactMap { $0.text(at: GroupColumn.id.rawValue) })
    for row in try images.groups(.after) {
      guard let id = row.text(at: GroupColumn.id.rawValue), !kept.contains(id) else { continue }
      try database.execute(
        sql:
          "UPDATE main.alarm SET \"group\" = NULL WHERE \"group\" = ? AND \(HiddenAlarms.isSeen("number"))",
        arguments: [id])
      try database.execute(sql: "DELETE FROM alarm_group WHERE id = ?", arguments: [id])
    }
    let places = GroupColumn.allCases.map { _ in "?" }.joined(separator: ", ")
    for row in before {
      try database.execute(
        sql: "INSERT OR REPLACE INTO alarm_group (\(GroupColumn.list())) VALUES (\(places))",
        arguments: StatementArguments(row.databaseValues))
    }
  }
}

extension UndoLog {
  /// The change to undo. Once it is being prepared, later changes do not come before it.
  fileprivate func target(of change: UndoChange) throws -> UndoStep? {
    let holder =
      change.prepared?.holder ?? (change.slices?.walk as? UndoWalk)?.holder
      ?? (change.deletion?.walk as? MadeWalk)?.holder
    return try holder.flatMap { try step(holding: $0) } ?? last(change.end)
  }
}
