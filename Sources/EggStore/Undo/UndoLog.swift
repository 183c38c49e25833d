import Alarms
import EggTime
import GRDB
import Ringing

/// A change that can be undone, or was.
package struct UndoStep: Hashable, Sendable {
  /// The key of its row, and of its images.
  var holder: Int64
  package var sequence: Int64
  package var kind: ChangeKind
  package var client: ChangeClient
  package var madeAt: Instant
  /// Alarms created, changed or deleted; 0 for a change of groups alone.
  package var count: Int64
  /// The label of the first alarm, or the group's name.
  package var label: String?
  /// The numbers of those alarms, at most 1 000.
  package var numbers: [Int64] = []
  /// Alarms recorded as missed: their moments passed while they were deleted.
  package var missed: [Int64] = []
}

/// The last changes and, since the last of them, those that were undone. Each is a row of `undo` with its images. Keys
/// count up and are never reused: what was made or undone last has the greatest.
struct UndoLog {
  /// How many changes can be undone.
  static let depth = 20
  let database: Database

  /// The last key that was ever given, 0 for none.
  func lastHolder() throws -> Int64 {
    try database.first("SELECT seq FROM sqlite_sequence WHERE name = 'undo'") { int($0, 0) ?? 0 } ?? 0
  }

  /// The change that undo would take back, or redo would make again.
  func last(isUndone: Bool = false) throws -> UndoStep? {
    let row = try database.row(
      """
      SELECT holder, sequence, change, client, session, madeAt, count, label FROM undo
      WHERE isUndone = ? ORDER BY holder DESC LIMIT 1
      """, [isUndone])
    guard let row, let holder = int(row, 0) else { return nil }
    var undo = UndoStep(
      holder: holder, sequence: int(row, 1) ?? 0,
      kind: text(row, 2).flatMap { ChangeKind(rawValue: $0) } ?? .other,
      client: ChangeClient(name: text(row, 3), session: int(row, 4)),
      madeAt: Instant(microseconds: int(row, 5) ?? 0), count: int(row, 6) ?? 0, label: text(row, 7))
    undo.numbers = try numbers(of: undo)
    return undo
  }

  private func numbers(of undo: UndoStep) throws -> [Int64] {
    let limit = ChangeOutcome.mostAlarms
    let changed = try database.numbers(
      "SELECT place FROM alarm_image WHERE holder = ? AND side = 0 ORDER BY place LIMIT ?",
      [undo.holder, limit])
    return changed.isEmpty ? try made(by: undo).first(limit) : changed
  }

  func made(by undo: UndoStep) throws -> NumberSet {
    let rows = try database.allRows(
      """
      SELECT value ->> 0, value ->> 1 FROM json_each((SELECT iif(json_valid(made), made, '[]') FROM undo WHERE holder = ?))
      """, [undo.holder])
    return NumberSet(
      ranges: rows.compactMap { row in
        guard let first = int(row, 0), let last = int(row, 1), first <= last else { return nil }
        return first...last
      })
  }

  func write(_ undo: UndoStep, isUndone: Bool = false, made: NumberSet) throws {
    let ranges = made.ranges.map { "[\($0.lowerBound),\($0.upperBound)]" }.joined(separator: ",")
    try database.run(
      """
      INSERT INTO undo (holder, isUndone, sequence, change, client, session, madeAt, made, count, label)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        undo.holder, isUndone ? 1 : 0, undo.sequence, undo.kind.rawValue, undo.client.name,
        undo.client.session,
        undo.madeAt.microseconds, "[" + ranges + "]", undo.count, undo.label,
      ])
  }

  /// Marks rings of deleted alarms as journaled. In one pass: a large deletion has many images, and their keys begin
  /// with the alarm.
  func note(_ marks: [RingMark]) throws {
    var rings: [String] = []
    var latest: Instant?
    for case .journaled(let ring, let moment) in marks {
      rings.append("[\(ring.occurrence),\(ring.firedAt.microseconds)]")
      latest = moment
    }
    guard let latest else { return }
    try database.run(
      """
      UPDATE occurrence_image SET journaledAt = coalesce(journaledAt, ?)
      WHERE holder IN (SELECT holder FROM undo) AND side = 0
        AND (id, firedAt) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
      """, [latest.microseconds, "[" + rings.joined(separator: ",") + "]"])
  }

  /// The images of a change of more alarms go bit by bit, see ``FreeSpace``.
  private static let forgottenAtOnce = 1_000

  /// Deletes a step that was undone or redone.
  ///
  /// - Returns: Whether images of it are left.
  func remove(_ undo: UndoStep) throws -> Bool { try forget("holder = ?", [undo.holder]) }

  /// After other changes: deletes all but the last ``depth``, and what was undone before, which cannot be redone.
  ///
  /// - Returns: Whether images are left.
  func forgetOld() throws -> Bool {
    try forget(
      """
      isUndone = 1 OR holder <= (
        SELECT holder FROM undo WHERE isUndone = 0 ORDER BY holder DESC LIMIT 1 OFFSET \(Self.depth))
      """)
  }

  private func forget(_ condition: String, _ arguments: StatementArguments = []) throws -> Bool {
    let steps = try database.allRows(
      "DELETE FROM undo WHERE \(condition) RETURNING holder, count", arguments)
    let small = steps.filter { int($0, 1) ?? 0 <= Self.forgottenAtOnce }
    for step in small { try Images(database: database, holder: int(step, 0) ?? 0).delete() }
    return small.count < steps.count
  }
}
