import Alarms
import EggTime
import GRDB

/// Gives changed alarms their old values, where nothing has changed them since. What an alarm waits for is one value.
struct Merging {
  let tables: Tables
  let images: Images
  let now: ClockReading
  private var database: Database { tables.database }

  private static let timing = AlarmColumn.all(.timing)
  private static let changed = """
    FROM alarm_image b JOIN alarm_image a ON a.holder = b.holder AND a.side = 1 AND a.place = b.place
      JOIN alarm p ON p.number = b.place
    WHERE b.holder = ?1 AND b.side = 0
    """

  /// All alarms that are in the images before and after the change.
  ///
  /// - Returns: Those that missed their moments by that.
  func merge() throws -> [Int64] {
    let columns = try changedColumns()
    try restore(columns)
    let moved = columns.contains { $0.role == .timing } ? try restoreMoments() : []
    let answered = try images.hasOccurrences() ? restoreAnswers() : []
    let changed = Set(moved + answered).sorted()
    try tables.alarms.settleAnew(changed, at: now.wall)
    return try CatchingUp(tables: tables, now: now).bringToPresent(changed)
  }

  /// The columns that the change has changed in one alarm or more.
  private func changedColumns() throws -> [AlarmColumn] {
    let differences = AlarmColumn.allCases.map { "max(b.\"\($0.name)\" IS NOT a.\"\($0.name)\")" }
    let row = try database.row(
      "SELECT \(differences.joined(separator: ", ")) \(Self.changed)", [images.holder])
    return AlarmColumn.allCases.filter { row?.int($0) == 1 }
  }

  /// Of these columns, those that return one by one. A recurring alarm's mark does not affect what it waits for.
  private func restore(_ columns: [AlarmColumn]) throws {
    let values = columns.compactMap { column -> String? in
      let condition: String
      switch column {
      case .doneAt: condition = "b.kind = 'every' AND alarm.doneAt IS a.doneAt"
      case .key, .keyedRequest:
        condition = "alarm.key IS a.key AND NOT EXISTS (SELECT 1 FROM alarm WHERE key = b.key)"
      case _ where column.role == .plain: condition = "alarm.\"\(column.name)\" IS a.\"\(column.name)\""
      default: return nil
      }
      return "\"\(column.name)\" = iif(\(condition), b.\"\(column.name)\", alarm.\"\(column.name)\")"
    }
    guard !values.isEmpty else { return }
    try database.run(
      """
      UPDATE alarm SET \(values.joined(separator: ", ")) FROM alarm_image b
        JOIN alarm_image a ON a.holder = b.holder AND a.side = 1 AND a.place = b.place
      WHERE b.holder = ? AND b.side = 0 AND alarm.number = b.place
      """, [images.holder])
  }

  /// A one-shot that has rung at its new moment keeps that if the old one has passed.
  ///
  /// - Returns: Those to which the change gave something else to wait for.
  private func restoreMoments() throws -> [Int64] {
    let besidesMark = AlarmColumn.same(Self.timing.filter { $0 != .doneAt }, "b", "a")
    let rows = try database.rows(
      """
      SELECT b.place, b.kind = 'every' OR p.due IS NOT NULL OR \(AlarmColumn.same(Self.timing, "p", "a")),
        b.clock, b.due
      \(Self.changed) AND (NOT \(besidesMark) OR b.kind <> 'every' AND b.doneAt IS NOT a.doneAt)
      """, [images.holder])
    var (moved, back): ([Int64], [Int64]) = ([], [])
    while let row = try rows.next() {
      guard let number = int(row, 0) else { continue }
      moved.append(number)
      let old = int(row, 3).map { DuePoint(clock: ClockID(rawValue: int(row, 2) ?? 0), microseconds: $0) }
      let hasPassed = old.map { tables.wall(tables.clocks.present($0), now) <= now.wall } ?? false
      if int(row, 1) == 1 || !hasPassed { back.append(number) }
    }
    let values = Self.timing.map { "\"\($0.name)\" = b.\"\($0.name)\"" }
    try database.run(
      """
      UPDATE alarm SET \(values.joined(separator: ", ")) FROM alarm_image b
      WHERE b.holder = ? AND b.side = 0 AND b.place IN (SELECT value FROM json_each(?)) AND alarm.number = b.place
      """, [images.holder, back.jsonList])
    return moved
  }

  /// - Returns: Those of which a ring has its old answer again.
  private func restoreAnswers() throws -> [Int64] {
    func isMissing(_ side: Images.Side) -> String {
      """
      NOT EXISTS (SELECT 1 FROM occurrence_image i
        WHERE i.holder = b.holder AND i.side = \(side.rawValue) AND i.place = b.place AND i.id = b.id)
      """
    }
    // Of images `b`: deleted alarms return with all their rings.
    let isChanged = """
      EXISTS (SELECT 1 FROM alarm_image i JOIN alarm p ON p.number = i.place
        WHERE i.holder = b.holder AND i.side = 1 AND i.place = b.place)
      """
    // What the change added.
    try database.run(
      """
      DELETE FROM occurrence WHERE id IN (
        SELECT b.id FROM occurrence_image b JOIN occurrence p ON p.id = b.id AND p.alarm = b.place
        WHERE b.holder = ? AND b.side = 1 AND \(isChanged) AND \(isMissing(.before)))
      """, [images.holder])
    let values = OccurrenceColumn.answered.map { "\"\($0.name)\" = b.\"\($0.name)\"" }
    let answered = try database.numbers(
      """
      UPDATE occurrence SET \(values.joined(separator: ", ")) FROM occurrence_image b
        JOIN occurrence_image a ON a.holder = b.holder AND a.side = 1 AND a.place = b.place AND a.id = b.id
      WHERE b.holder = ? AND b.side = 0 AND \(isChanged) AND occurrence.id = b.id AND occurrence.alarm = b.place
        AND \(OccurrenceColumn.same(OccurrenceColumn.answer, "occurrence", "a"))
        AND NOT \(OccurrenceColumn.same(OccurrenceColumn.answer, "b", "a"))
      RETURNING alarm
      """, [images.holder])
    // A new ring since then has replaced those that nobody had answered.
    let rings = OccurrenceTable.rings
    try database.run(
      """
      UPDATE occurrence SET dismissedAt = ?2, \(OccurrenceTable.waitsNoMore)
      WHERE \(rings) AND (alarm, id) IN (
        SELECT b.place, b.id FROM occurrence_image b WHERE b.holder = ?1 AND b.side = 0 AND \(isChanged) AND \(rings))
        AND EXISTS (SELECT 1 FROM occurrence n WHERE n.alarm = occurrence.alarm AND n.id > occurrence.id AND \(rings)
          AND NOT EXISTS (
            SELECT 1 FROM occurrence_image WHERE holder = ?1 AND side = 0 AND place = n.alarm AND id = n.id))
      """, [images.holder, now.wall.microseconds])
    // An undo took away what the change had added: redo adds it again.
    let lost = try database.numbers(
      """
      SELECT DISTINCT b.place FROM occurrence_image b
      WHERE b.holder = ? AND b.side = 0 AND \(isChanged) AND \(isMissing(.after))
      """, [images.holder])
    for number in lost { try images.reinsertOccurrences(number, of: number) }
    return answered
  }
}
