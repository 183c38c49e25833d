import Alarms
import EggTime
import GRDB
import Ringing

/// A set of columns as the bits of an integer: SQL compares two rows and answers with one.
private struct ColumnBits: Hashable {
  private let bits: Int64

  init(_ columns: [AlarmColumn]) { bits = columns.reduce(0) { $0 | 1 << Int64($1.rawValue) } }

  init(bits: Int64) { self.bits = bits }

  var columns: [AlarmColumn] { AlarmColumn.allCases.filter(contains) }
  var isEmpty: Bool { bits == 0 }

  func contains(_ column: AlarmColumn) -> Bool { bits & 1 << Int64(column.rawValue) != 0 }
  func intersection(_ other: ColumnBits) -> ColumnBits { ColumnBits(bits: bits & other.bits) }
  func union(_ other: ColumnBits) -> ColumnBits { ColumnBits(bits: bits | other.bits) }
  func subtracting(_ other: ColumnBits) -> ColumnBits { ColumnBits(bits: bits & ~other.bits) }

  static let plain = ColumnBits(AlarmColumn.all(.plain))
  static let timing = ColumnBits(AlarmColumn.all(.timing))

  /// Those in which two rows differ, in SQL.
  static func difference(_ one: String, _ other: String) -> String {
    AlarmColumn.allCases.map { "((\(one).\"\($0.name)\" IS NOT \(other).\"\($0.name)\") << \($0.rawValue))" }
      .joined(separator: " | ")
  }
}

/// Gives changed alarms their old values.
struct Merging {
  let tables: Tables
  let images: Images
  let now: ClockReading
  private var database: Database { tables.database }

  /// A changed alarm, and what differs.
  private struct Changed {
    var number: Int64
    /// Between before and after the change.
    var changed: ColumnBits
    /// Between after the change and now.
    var touched: ColumnBits
    var isOneShot: Bool
    var oldKey: String?
    /// What it waited for.
    var oldDue: DuePoint?
    var isWaiting: Bool

    init?(_ row: Columns) {
      guard let number = int(row, 0) else { return nil }
      self.number = number
      changed = ColumnBits(bits: int(row, 1) ?? 0)
      touched = ColumnBits(bits: int(row, 2) ?? 0)
      isOneShot = Timing.Kind(rawValue: text(row, 3) ?? "") != .every
      oldKey = text(row, 4)
      oldDue = int(row, 6).map { DuePoint(clock: ClockID(rawValue: int(row, 5) ?? 0), microseconds: $0) }
      isWaiting = int(row, 7) == 1
    }

    /// A recurring alarm's mark does not affect what it waits for.
    var isMarkAlone: Bool { !isOneShot && changed.intersection(.timing).columns == [.doneAt] }
    /// The change gave it something else to wait for.
    var changesTiming: Bool { !changed.intersection(.timing).isEmpty && !isMarkAlone }
  }

  private static let changedAlarms = """
    SELECT b.place, \(ColumnBits.difference("b", "a")), \(ColumnBits.difference("p", "a")), b.kind, b.key,
      b.clock, b.due, p.due IS NOT NULL
    FROM alarm_image b JOIN alarm_image a ON a.holder = b.holder AND a.side = 1 AND a.place = b.place
      JOIN alarm p ON p.number = b.place
    WHERE b.holder = ? AND b.side = 0 AND b.place > ? ORDER BY b.place LIMIT ?
    """
  /// Alarms at a time.
  private static let mergedAtOnce = 2_048

  /// Gives all alarms that are in the images before and after the change their old values.
  ///
  /// - Returns: Those that missed their moments by that.
  func merge() throws -> [Int64] {
    let hasOccurrences = try images.hasOccurrences()
    var missed: [Int64] = []
    var last = Int64.min
    while true {
      var page: [Changed] = []
      let rows = try database.rows(Self.changedAlarms, [images.holder, last, Self.mergedAtOnce])
      while let row = try rows.next() { if let alarm = Changed(row) { page.append(alarm) } }
      guard let end = page.last else { return missed }
      last = end.number
      // Most alarms of a change get the same columns back.
      var back: [ColumnBits: [Int64]] = [:]
      for alarm in page {
        let columns = try columnsBack(alarm)
        if !columns.isEmpty { back[columns, default: []].append(alarm.number) }
      }
      for (columns, numbers) in back { try restore(columns, of: numbers) }
      let answered = try page.map(\.number).filter { try hasOccurrences && mergeOccurrences($0) }
      try tables.alarms.settleAnew(answered, at: now.wall)
      let moved = Set(page.filter(\.changesTiming).map(\.number)).union(answered)
      missed += try CatchingUp(tables: tables, now: now).bringToPresent(moved.sorted())
    }
  }

  /// The columns to restore: those that the change has changed and nothing since. What an alarm waits for is one value.
  private func columnsBack(_ alarm: Changed) throws -> ColumnBits {
    let timing = alarm.changed.intersection(.timing)
    var back = alarm.changed.intersection(alarm.isMarkAlone ? .plain.union(timing) : .plain)
      .subtracting(alarm.touched)
    let isUntouched = alarm.touched.intersection(.timing).isEmpty
    let oldMoment = alarm.oldDue.map { tables.wall(tables.clocks.present($0), now) }
    let hasRung = alarm.isOneShot && !alarm.isWaiting && oldMoment.map { $0 <= now.wall } ?? false
    if alarm.changesTiming, isUntouched || !hasRung { back = back.union(.timing) }
    if alarm.changed.contains(.key), !alarm.touched.contains(.key),
      try !database.has("SELECT 1 FROM alarm WHERE key = ?", [alarm.oldKey])
    {
      back = back.union(ColumnBits([.key, .keyedRequest]))
    }
    return back
  }

  private func restore(_ columns: ColumnBits, of numbers: [Int64]) throws {
    let set = columns.columns.map { "\"\($0.name)\" = i.\"\($0.name)\"" }.joined(separator: ", ")
    try database.run(
      """
      UPDATE alarm SET \(set) FROM alarm_image i
      WHERE alarm.number IN (SELECT value FROM json_each(?1)) AND i.holder = ?2 AND i.side = 0 AND i.place = alarm.number
      """, [numbers.jsonList, images.holder])
  }

  /// - Returns: Whether a ring has its old answer again.
  private func mergeOccurrences(_ number: Int64) throws -> Bool {
    var isAnswered = false
    let before = try images.occurrences(number, .before)
    let after = try images.occurrences(number, .after)
    let select = try database.cachedStatement(sql: Images.presentOccurrence)
    for row in after {
      guard let id = row.int(.id, from: 0),
        let present = try Row.fetchOne(select, arguments: [id, number])
      else {
        continue
      }
      guard let old = before.first(where: { $0.int(.id, from: 0) == id }) else {
        try database.execute(sql: "DELETE FROM occurrence WHERE id = ?", arguments: [id])
        continue
      }
      let isUntouched = OccurrenceColumn.answer.allSatisfy {
        present.value(of: $0) == row.value(of: $0)
      }
      let isChanged = OccurrenceColumn.answer.contains {
        old.value(of: $0) != row.value(of: $0)
      }
      guard isUntouched, isChanged else { continue }
      isAnswered = true
      try database.execute(
        sql: """
          UPDATE occurrence SET \(OccurrenceColumn.answered.map { "\"\($0.name)\" = ?" }.joined(separator: ", ")) WHERE id = ?
          """, arguments: StatementArguments(OccurrenceColumn.answered.map { old.value(of: $0) }) + [id])
    }
    // An undo took away what the change had added: redo adds it again.
    let kept = Set(after.compactMap { $0.int(.id, from: 0) })
    if before.contains(where: { !kept.contains($0.int(.id, from: 0) ?? 0) }) {
      try images.reinsertOccurrences(number, of: number)
    }
    return isAnswered
  }
}
