import Alarms
import EggTime
import GRDB
import Ringing

/// A change that can be undone, or was.
package struct UndoStep: Hashable, Sendable {
  /// The key of its row.
  var step: Int64
  /// Of its images.
  var holder: Int64
  /// The change's sequence.
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

/// The last changes, latest last; each is a row of `undo` with its images. What was undone since the last change
/// stands behind them, the first to be redone first.
struct UndoLog {
  /// How many changes can be undone.
  static let depth: Int64 = 20
  /// The keys of what was undone begin here: the key of the change, and this.
  static let undone: Int64 = 1 << 40
  let database: Database

  /// Which end of the log.
  enum End {
    /// The change that undo would take back.
    case made
    /// The one that redo would make again.
    case undone
  }

  /// The last step's key, 0 for none. Includes a deleted step while images of it are left.
  func lastStep() throws -> Int64 {
    let held = Images.tables.map { "SELECT max(holder) FROM \($0) WHERE holder < \(Self.undone)" }
      .joined(separator: " UNION ALL ")
    let statement = try database.cachedStatement(
      sql: """
        SELECT max(step) FROM (
          SELECT max(step) AS step FROM undo WHERE step < \(Self.undone) UNION ALL \(held))
        """)
    return try max(Int64.fetchOne(statement) ?? 0, 0)
  }

  func last(_ end: End = .made) throws -> UndoStep? {
    try first(end == .made ? "< \(Self.undone) ORDER BY step DESC" : ">= \(Self.undone) ORDER BY step")
  }

  func step(holding holder: Int64) throws -> UndoStep? {
    try first("= (SELECT step FROM undo WHERE \(Self.holder) = \(holder))")
  }

  /// Of the images of a row.
  static let holder = "coalesce(images, step)"

  private func first(_ place: String) throws -> UndoStep? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT step, sequence, change, client, session, madeAt, count, label, images FROM undo
        WHERE step \(place) LIMIT 1
        """)
    guard let row, let step = int(row, 0) else { return nil }
    var undo = UndoStep(
      step: step, holder: int(row, 8) ?? step, sequence: int(row, 1) ?? 0,
      kind: text(row, 2).flatMap { ChangeKind(rawValue: $0) } ?? .other,
      client: ChangeClient(name: text(row, 3), session: int(row, 4)),
      madeAt: Instant(microseconds: int(row, 5) ?? 0), count: int(row, 6) ?? 0, label: text(row, 7))
    undo.numbers = try numbers(of: undo)
    return undo
  }

  private func numbers(of undo: UndoStep) throws -> [Int64] {
    let limit = StoreTransaction.outcomeAlarms
    let changed = try Int64.fetchAll(
      database, sql: "SELECT place FROM alarm_image WHERE holder = ? AND side = 0 ORDER BY place LIMIT ?",
      arguments: [undo.holder, limit])
    guard changed.isEmpty else { return changed }
    return try made(by: undo.step).first(limit)
  }

  func made(by step: Int64) throws -> NumberSet {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT value ->> 0, value ->> 1 FROM json_each((SELECT iif(json_valid(made), made, '[]') FROM undo WHERE step = ?))
        """, arguments: [step])
    return NumberSet(
      ranges: rows.compactMap { row in
        guard let first = int(row, 0), let last = int(row, 1), first <= last else { return nil }
        return first...last
      })
  }

  func write(_ undo: UndoStep, made: NumberSet) throws {
    let ranges = made.joined.map { "[\($0.lowerBound),\($0.upperBound)]" }.joined(separator: ",")
    try database.cachedStatement(
      sql: """
        INSERT INTO undo (step, sequence, change, client, session, madeAt, made, count, label, images)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).run([
      undo.step, undo.sequence, undo.kind.rawValue, undo.client.name, undo.client.session,
      undo.madeAt.microseconds, "[" + ranges + "]", undo.count, undo.label,
      undo.holder == undo.step ? nil : undo.holder,
    ])
  }

  /// - Parameter areMany: Its images go later, as those of a change in slices do.
  func remove(_ step: Int64, areMany: Bool = false) throws {
    try database.execute(sql: "DELETE FROM undo WHERE step = ?", arguments: [step])
    guard !areMany else { return }
    for table in Images.tables {
      try database.execute(sql: "DELETE FROM \(table) WHERE holder = ?", arguments: [step])
    }
  }

  /// Another change was made: what was undone before it cannot be redone.
  ///
  /// - Parameter kept: The holder of the step that is being redone.
  /// - Returns: Whether many images are left.
  @discardableResult
  func forgetUndone(except kept: Int64?) throws -> Bool {
    try forget(Self.undone...Int64.max, except: kept)
  }

  private func forget(_ steps: ClosedRange<Int64>, except kept: Int64?) throws -> Bool {
    let gone = "FROM undo WHERE step BETWEEN ? AND ? AND \(Self.holder) IS NOT ?"
    let values = [steps.lowerBound, steps.upperBound, kept]
    let areMany = try database.cachedStatement(sql: "SELECT 1 \(gone) AND images IS NOT NULL LIMIT 1")
      .first(values) { _ in true }
    try database.cachedStatement(sql: "DELETE \(gone)").run(values)
    return areMany ?? false
  }

  /// Deletes some images that ``remove(_:areMany:)`` has left.
  ///
  /// - Returns: Whether some are left.
  func forgetRemoved(atMost count: Int) throws -> Bool {
    let last = try lastStep()
    let kept = Set(try Int64.fetchAll(database, sql: "SELECT \(Self.holder) FROM undo"))
    for holder in try Images.holdersOfSlices(in: database) where !kept.contains(holder) {
      if try Images.sweep(database, step: holder, atMost: count) { return true }
    }
    guard last > 0 else { return false }
    for step in max(last - Self.depth, 1)...last where !kept.contains(step) {
      if try Images.sweep(database, step: step, atMost: count) { return true }
    }
    return false
  }

  /// Deletes all but the last ``depth`` changes, and images of them and of ended imports.
  ///
  /// - Parameters:
  ///   - kept: The holder of the step that is being undone.
  ///   - count: Images of each kind.
  /// - Returns: Whether images are left.
  func forgetOldest(
    last: Int64, imports: Set<Int64>, except kept: Int64?, atMost count: Int
  ) throws -> Bool {
    let oldest = last - Self.depth
    let areMany = try forget(Int64.min...oldest, except: kept)
    let areLeft = try Images.sweep(
      database, steps: max(oldest, 0),
      kept: kept.map { $0 <= oldest ? imports.union([$0]) : imports } ?? imports, atMost: count)
    return areMany || areLeft
  }
}

extension AlarmStore {
  /// The change that undo would take back; nil for none. Any thread; answered on a thread of the readers.
  package func lastChange(completion: @escaping @Sendable (Result<UndoStep?, ReadError>) -> Void) {
    read(completion) { try UndoLog(database: $0.database).last() }
  }

  /// The change that redo would make again; nil for none. Likewise.
  package func lastUndone(completion: @escaping @Sendable (Result<UndoStep?, ReadError>) -> Void) {
    read(completion) { try UndoLog(database: $0.database).last(.undone) }
  }
}

extension NumberSet {
  /// Merges adjacent ranges.
  fileprivate var joined: [ClosedRange<Int64>] {
    var joined: [ClosedRange<Int64>] = []
    for range in ranges {
      if let last = joined.last, last.upperBound < .max, range.lowerBound == last.upperBound + 1 {
        joined[joined.count - 1] = last.lowerBound...range.upperBound
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}
