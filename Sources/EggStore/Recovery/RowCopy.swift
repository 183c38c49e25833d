import GRDB

/// Copies rows of a table into the table of the same name in another database, column by column in their order: later
/// versions only add columns at the end, and the name of one may be damaged.
struct RowCopy {
  let table: String
  private let count: Int
  private let statement: Statement

  /// nil where the source lacks the table.
  init?(_ table: String, from source: Database, to target: Database) throws {
    guard try source.tableExists(table) else { return nil }
    let names = try target.columns(in: table).prefix(source.columns(in: table).count).map(\.name)
    self.table = table
    count = names.count
    let columns = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let places = databaseQuestionMarks(count: count)
    statement = try target.cachedStatement(sql: "INSERT INTO \(table) (\(columns)) VALUES (\(places))")
  }

  /// The new file cannot be written.
  struct Refused: Error {
    let cause: any Error
  }

  /// Inserts a row that has all columns from index `start` on.
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
