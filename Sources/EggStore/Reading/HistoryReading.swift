import EggTime
import GRDB

/// What became of alarms, deleted ones included.
extension Reading {
  /// The columns of an occurrence that the history of a deleted alarm lacks are NULL.
  private static let deletedColumns = OccurrenceColumn.allCases.map { column in
    HistoryColumn.allCases.contains { $0.name == column.name } ? "\"\(column.name)\"" : "NULL"
  }.joined(separator: ", ")

  /// The occurrences of one alarm, or of all; of deleted alarms for a year.
  ///
  /// - Parameter before: The key of an occurrence; returns only earlier ones.
  package func history(of which: AlarmReference?, before: Int64?, limit: Int) throws -> HistoryPage {
    let number = try which.map { try self.number(of: $0) }
    let (present, deleted) = number == nil ? ("", "") : ("AND o.alarm = ?2", "AND alarm = ?2")
    // Each half comes from an index in the order of keys, so that a page costs what it shows.
    let rows = try database.allRows(
      """
      SELECT \(OccurrenceColumn.list(of: "o")), a.label, NULL
      FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm WHERE o.id < ?1 \(present)
      UNION ALL
      SELECT \(Self.deletedColumns), label, deletedAt FROM history
      WHERE id < ?1 AND ?2 IS ?2 \(deleted) AND deletedAt >= ?4
      ORDER BY 1 DESC LIMIT ?3
      """, [before ?? .max, number, limit + 1, (now.wall - HistoryTable.kept).microseconds])
    let past = rows.prefix(limit).map { row in
      HistoryPage.Past(
        number: row.int(.alarm, from: 0) ?? 0, label: text(row, OccurrenceColumn.width),
        occurrence: self.rows.occurrence(row),
        deletedAt: int(row, OccurrenceColumn.width + 1).map { Instant(microseconds: $0) })
    }
    return HistoryPage(past: past, before: rows.count > past.count ? past.last?.occurrence.id : nil)
  }

  /// The number of an alarm that exists, or of a deleted one that rang or was missed.
  private func number(of which: AlarmReference) throws -> Int64 {
    if let alarm = try alarm(which) { return alarm.number }
    let (column, value): (String, any DatabaseValueConvertible) =
      switch which {
      case .number(let number): ("alarm", number)
      case .id(let id): ("alarmID", id.description)
      }
    let found = try database.number("SELECT alarm FROM history WHERE \(column) = ? LIMIT 1", [value])
    guard let found else { throw which.absence }
    return found
  }
}
