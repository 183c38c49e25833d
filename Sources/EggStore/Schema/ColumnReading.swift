import GRDB
import GRDBSQLite

/// A row whose columns are read by their places.
protocol ColumnReading {
  /// An integer column; nil for NULL, and for whatever else a damaged file may hold there.
  func int(at index: Int) -> Int64?
  /// A text column; nil for NULL, and for whatever else a damaged file may hold there.
  func text(at index: Int) -> String?
}

/// No text of ours is longer, in bytes. Of what another program has written the rest is left out, so that a row of
/// megabytes breaks nothing but itself.
private let longestText = 16_384

func int(_ row: some ColumnReading, _ index: Int) -> Int64? { row.int(at: index) }

func text(_ row: some ColumnReading, _ index: Int) -> String? { row.text(at: index) }

extension Row: ColumnReading {
  func int(at index: Int) -> Int64? {
    // most columns of most rows are NULL, which is cheaper to see than to decode
    hasNull(atIndex: index) ? nil : Int64.fromDatabaseValue(self[index])
  }

  func text(at index: Int) -> String? {
    guard !hasNull(atIndex: index), let text = String.fromDatabaseValue(self[index]) else { return nil }
    return text.utf8.count <= longestText ? text : text.shortened(to: longestText)
  }
}

/// The row that a statement stands at, read from SQLite itself: a `Row` keeps a dictionary of the columns' names,
/// which costs more than all the rest of reading one alarm. Valid until the next row is asked for.
struct Columns: ColumnReading {
  let statement: SQLiteStatement

  func int(at index: Int) -> Int64? {
    switch sqlite3_column_type(statement, CInt(index)) {
    case SQLITE_INTEGER: sqlite3_column_int64(statement, CInt(index))
    case SQLITE_FLOAT: Int64(exactly: sqlite3_column_double(statement, CInt(index)))
    default: nil
    }
  }

  func text(at index: Int) -> String? {
    guard sqlite3_column_type(statement, CInt(index)) == SQLITE_TEXT,
      let bytes = sqlite3_column_text(statement, CInt(index))
    else { return nil }
    let count = Int(sqlite3_column_bytes(statement, CInt(index)))
    return String(utf8: UnsafeBufferPointer(start: bytes, count: count), upTo: longestText)
  }
}

extension String {
  /// At most so many bytes, whole characters of UTF-8.
  fileprivate init(utf8 bytes: UnsafeBufferPointer<UInt8>, upTo limit: Int) {
    var end = Swift.min(bytes.count, limit)
    // A byte 10xxxxxx goes on with the character before it.
    while end < bytes.count, end > 0, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    self.init(decoding: bytes[..<end], as: UTF8.self)
  }

  fileprivate func shortened(to limit: Int) -> String {
    var text = self
    return text.withUTF8 { String(utf8: $0, upTo: limit) }
  }
}

/// The rows of a statement, one at a time.
final class ColumnCursor: DatabaseCursor {
  typealias Element = Columns

  var _isDone = false
  let _statement: Statement

  /// Of a statement that is bound.
  fileprivate init(_ statement: Statement) { _statement = statement }

  deinit {
    // Only tells once more what the last step said.
    sqlite3_reset(_statement.sqliteStatement)
  }

  func _element(sqliteStatement: SQLiteStatement) throws -> Columns { Columns(statement: sqliteStatement) }
}

/// Without the arrays of arguments that GRDB makes, compares and keeps for each execution.
extension Statement {
  /// The rows that it finds; one cursor of a statement at a time.
  func rows(_ values: [(any StatementBinding)?] = []) throws -> ColumnCursor {
    try bind(values)
    return ColumnCursor(self)
  }

  /// The same with arguments that were put together.
  func rows(_ arguments: StatementArguments) throws -> ColumnCursor {
    try setArguments(arguments)
    return ColumnCursor(self)
  }

  /// Reads the first row; nil where there is none.
  func first<Value>(
    _ values: [(any StatementBinding)?] = [], _ read: (Columns) throws -> Value
  ) throws -> Value? {
    let rows = try rows(values)
    // Its end would take the row away.
    return try withExtendedLifetime(rows) { try rows.next().map(read) }
  }

  /// Carries it out.
  func run(_ values: [(any StatementBinding)?] = []) throws {
    let rows = try rows(values)
    while try rows.next() != nil {}
  }

  /// The same with values that `bind` adds one by one: an array of many costs nearly as much as to insert their row.
  func run(_ bind: (inout BoundValues) -> Void) throws {
    var values = BoundValues(sqliteStatement)
    bind(&values)
    try values.check()
    let rows = ColumnCursor(self)
    while try rows.next() != nil {}
  }

  private func bind(_ values: [(any StatementBinding)?]) throws {
    var bound = BoundValues(sqliteStatement)
    for value in values { bound.add(value) }
    try bound.check()
  }
}

/// The values of a statement, from the first on.
struct BoundValues {
  private let statement: SQLiteStatement
  private var count: CInt = 0
  /// Of the first that could not be bound.
  private var failure = SQLITE_OK
  /// SQLite is to take a copy, sqlite3_bind_text(3): SQLITE_TRANSIENT.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate init(_ statement: SQLiteStatement) {
    self.statement = statement
    sqlite3_reset(statement)
    // What is nil is not bound.
    sqlite3_clear_bindings(statement)
  }

  mutating func add(_ number: Int64?) {
    count += 1
    if let number { note(sqlite3_bind_int64(statement, count, number)) }
  }

  mutating func add(_ text: String?) {
    count += 1
    guard var text else { return }
    // An empty buffer may have no address, which would be NULL.
    guard !text.isEmpty else { return note(sqlite3_bind_text(statement, count, "", 0, Self.copied)) }
    note(
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(statement, count, $0.baseAddress, CInt($0.count), Self.copied)
        }
      })
  }

  mutating func add(_ value: (any StatementBinding)?) {
    count += 1
    if let value { note(value.bind(to: statement, at: count)) }
  }

  private mutating func note(_ code: CInt) {
    if failure == SQLITE_OK { failure = code }
  }

  fileprivate func check() throws {
    guard count == sqlite3_bind_parameter_count(statement) else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "wrong number of values")
    }
    guard failure == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: failure)) }
  }
}

extension Database {
  /// A part of a transaction that fails alone: what is thrown out of it takes it back. GRDB's own savepoints have
  /// their statements compiled anew each time.
  func separately<Value>(_ body: () throws -> Value) throws -> Value {
    try cachedStatement(sql: "SAVEPOINT part").run()
    do {
      let value = try body()
      try cachedStatement(sql: "RELEASE part").run()
      return value
    } catch {
      // SQLite may have taken back all of the transaction by itself.
      if isInsideTransaction {
        try cachedStatement(sql: "ROLLBACK TO part").run()
        try cachedStatement(sql: "RELEASE part").run()
      }
      throw error
    }
  }
}
