import GRDB

/// Copies rows of a table into the table of the same name in another database: the columns that both have.
struct RowCopy {
  let table: String
  /// Those of the source, for a select list.
  let columns: String
  private let count: Int
  private let statement: Statement

  /// nil where the source lacks the table.
  ///
  /// - Parameter columns: Those of the source; nil for all.
  init?(_ table: String, from source: Database, to target: Database) throws {
    guard try source.tableExists(table) else { return nil }
    let known = Set(try source.columns(in: table).map(\.name))
    let names = try target.columns(in: table).map(\.name).filter(known.contains)
    self.table = table
    count = names.count
    columns = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let places = names.map { _ in "?" }.joined(separator: ", ")
    statement = try target.cachedStatement(sql: "INSERT INTO \(table) (\(columns)) VALUES (\(places))")
  }

  /// The new file cannot be written.
  struct Refused: Error {
    let cause: any Error
  }

  /// Inserts a row that has the columns from index `start` on.
  ///
  /// - Returns: false for damaged values that the new table rejects.
  func callAsFunction(_ row: Columns, from start: Int) throws(Refused) -> Bool {
    do {
      try statement.run { values in
        for index in start..<start + count { values.add(row, at: index) }
      }
      return true
    } catch let error as DatabaseError where error.concernsOneStatement {
      return false
    } catch {
      throw Refused(cause: error)
    }
  }
}
