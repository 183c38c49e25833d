import Dispatch
import EggTime
import GRDB
import Glibc

struct Salvaged {
  var alarms = 0
  var occurrences = 0
  /// Rows that were read but could not be kept.
  var lost = 0
}

/// Copies the readable part of a corrupt database into a new one, table by table. Each key range is read from
/// the front until it fails, then from the back until it fails; the two halves of the gap are treated in the
/// same way.
struct Salvage {
  private let source: DatabaseQueue?
  private let target: Database
  private var result = Salvaged()
  /// Each failed read of a table costs one. Without a limit, damage in the root would make the halving
  /// endless.
  private var patience = 0

  /// More rows than fit on a page.
  private static let rowsInPage = 1_024

  /// The gap between the numbers of new alarms and those that may have been lost.
  static let skippedNumbers: Int64 = 1_000

  /// Writes the file's successor from what is readable.
  ///
  /// - Parameters:
  ///   - sequence: The new file's minimum sequence.
  ///   - remembered: What the scheduler knows and the file may have lost.
  static func run(_ file: DatabaseFile, sequence: Int64, remembered: Remembered) throws -> Salvaged {
    defer { file.remove(file.readableCopy.path) }
    return try file.writeSuccessor { database in
      let source = try file.openDamaged(like: database)
      defer { try? source?.close() }
      var salvage = Salvage(source: source, target: database)
      try salvage.copyAll()
      salvage.result.alarms += try remembered.restore(in: database)
      try salvage.finish(sequence: sequence)
      return salvage.result
    }
  }

  private init(source: DatabaseQueue?, target: Database) { (self.source, self.target) = (source, target) }

  private mutating func copyAll() throws {
    for table in DatabaseFile.salvagedTables {
      patience = 4_000
      try copy(table, Int64.min...Int64.max)
    }
    try settle()
    try target.execute(
      sql: "UPDATE alarm SET \"group\" = NULL WHERE \"group\" NOT IN (SELECT id FROM alarm_group)")
    try target.execute(
      sql: "UPDATE alarm SET run = NULL, runUnanswered = NULL WHERE coalesce(run, runUnanswered) IS NOT NULL")
    try target.execute(sql: "DELETE FROM occurrence WHERE alarm NOT IN (SELECT number FROM alarm)")
    result.lost += target.changesCount
    result.alarms = try Int.fetchOne(target, sql: "SELECT count(*) FROM alarm") ?? 0
    result.occurrences = try Int.fetchOne(target, sql: "SELECT count(*) FROM occurrence") ?? 0
  }

  /// New numbers begin where none can have been.
  private func finish(sequence: Int64) throws {
    let count = try read("SELECT sequence FROM schedule")?.successor ?? 0
    try target.execute(sql: "UPDATE schedule SET sequence = ?", arguments: [max(sequence, count)])
    try AlarmNumbers.set(last: read(AlarmNumbers.last) ?? 0, gap: Self.skippedNumbers, in: target)
  }

  private func read(_ sql: String) throws -> Int64? {
    try StoreFailure.tolerated { try source?.read { try Int64.fetchOne($0, sql: sql) } }
  }

  /// Copies the rows in a range of keys.
  private mutating func copy(_ table: String, _ range: ClosedRange<Int64>) throws {
    guard let source, patience > 0 else { return }
    let insert = try StoreFailure.tolerated { try source.read { try RowCopy(table, from: $0, to: target) } }
    guard let insert else { return }
    let front = try copy(insert, from: source, range, ascending: true)
    guard front.failed else { return }
    patience -= 1
    // The front part ends at the last row before the failure.
    let low = front.last.map { max(range.lowerBound, $0 == .max ? .max : $0 + 1) } ?? range.lowerBound
    guard low <= range.upperBound else { return }
    let back = try copy(insert, from: source, low...range.upperBound, ascending: false)
    guard back.failed else { return }
    let high = back.last.map { min(range.upperBound, $0 == .min ? .min : $0 - 1) } ?? range.upperBound
    guard low < high else { return }
    let middle = low + Int64((UInt64(bitPattern: high &- low)) / 2)
    try copy(table, low...middle)
    try copy(table, (middle + 1)...high)
  }

  private mutating func copy(
    _ insert: RowCopy, from source: DatabaseQueue, _ range: ClosedRange<Int64>, ascending: Bool
  ) throws -> (last: Int64?, failed: Bool) {
    var last: Int64?
    let failed = try fails(
      source,
      """
      SELECT rowid, * FROM \(insert.table) NOT INDEXED
      WHERE rowid BETWEEN ? AND ? ORDER BY rowid \(ascending ? "" : "DESC")
      """, [range.lowerBound, range.upperBound]
    ) { row in
      guard let key = int(row, 0) else { return }
      last = key
      if try !insert(row, from: 1) { result.lost += 1 }
    }
    return (last, failed)
  }

  /// In a file of version 11, a change of many may be under way.
  private mutating func settle() throws {
    let found = try StoreFailure.tolerated { try source?.read { try Version11.Leftovers($0) } }
    guard let source, var leftovers = found else { return }
    // Without the undo log nobody needs images of a deletion.
    leftovers.step = nil
    for table in ["alarm_image", "occurrence_image"] {
      let insert = try StoreFailure.tolerated { try source.read { try RowCopy(table, from: $0, to: target) } }
      guard let holder = leftovers.changing, let insert else { continue }
      _ = try fails(source, "SELECT * FROM \(table) WHERE holder = ?", [holder]) {
        _ = try insert($0, from: 0)
      }
    }
    try leftovers.settle(in: target)
  }

  /// Whether reading fails. Row by row, to bound memory. A damaged tree can return rows out of order and repeatedly.
  private func fails(
    _ source: DatabaseQueue, _ sql: String, _ arguments: StatementArguments, _ body: (Columns) throws -> Void
  ) throws -> Bool {
    do {
      try source.read { database in
        let most = try Int.fetchOne(database, sql: "PRAGMA page_count").map { $0 * Self.rowsInPage } ?? .max
        let cursor = try database.makeStatement(sql: sql).rows(arguments)
        var read = 0
        while read < most, let row = try cursor.next() {
          read += 1
          try body(row)
        }
      }
    } catch let error as RowCopy.Refused {
      throw error.cause
    } catch  where !StoreFailure.isOfDisk(error) {
      return true
    }
    return false
  }
}
