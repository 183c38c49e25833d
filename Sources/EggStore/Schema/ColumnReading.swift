import GRDB
import GRDBSQLite

/// A row whose columns are read by index.
protocol ColumnReading {
  /// nil for NULL, and for any other type in a damaged file.
  func int(at index: Int) -> Int64?
  /// nil for NULL, and for any other type in a damaged file.
  func text(at index: Int) -> String?
}

/// In bytes; eggd's own texts are shorter. Longer texts of other programs are cut, so that a row of megabytes
/// damages only itself.
private let longestText = 16_384

func int(_ row: some ColumnReading, _ index: Int) -> Int64? { row.int(at: index) }

func text(_ row: some ColumnReading, _ index: Int) -> String? { row.text(at: index) }

extension Row: ColumnReading {
  func int(at index: Int) -> Int64? {
    // Most columns of most rows are NULL; checking for that is cheaper than decoding.
    hasNull(atIndex: index) ? nil : Int64.fromDatabaseValue(self[index])
  }

  func text(at index: Int) -> String? {
    guard !hasNull(atIndex: index), let text = String.fromDatabaseValue(self[index]) else { return nil }
    guard text.utf8.count > longestText else { return text }
    var long = text
    return long.withUTF8 { String(utf8: $0, upTo: longestText) }
  }
}

/// A statement's present row, read directly from SQLite: GRDB's `Row` keeps a dictionary of column names,
/// which costs more than the rest of reading an alarm. Valid until the next row.
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
  /// At most `limit` bytes, in whole characters of UTF-8.
  fileprivate init(utf8 bytes: UnsafeBufferPointer<UInt8>, upTo limit: Int) {
    var end = Swift.min(bytes.count, limit)
    // Bytes 10xxxxxx continue a character.
    while end < bytes.count, end > 0, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    self.init(decoding: bytes[..<end], as: UTF8.self)
  }
}

/// The rows of a statement, one at a time.
final class ColumnCursor: DatabaseCursor {
  typealias Element = Columns

  var _isDone = false
  let _statement: Statement

  /// The arguments must be bound already.
  fileprivate init(_ statement: Statement) { _statement = statement }

  deinit {
    // Its result only repeats the last step's.
    sqlite3_reset(_statement.sqliteStatement)
  }

  func _element(sqliteStatement: SQLiteStatement) throws -> Columns { Columns(statement: sqliteStatement) }
}

/// Avoids the argument arrays that GRDB makes, compares and keeps for each execution.
extension Statement {
  /// At most one cursor of a statement at a time.
  func rows(_ values: [(any StatementBinding)?] = []) throws -> ColumnCursor {
    try bind(values)
    return ColumnCursor(self)
  }

  func rows(_ arguments: StatementArguments) throws -> ColumnCursor {
    try setArguments(arguments)
    return ColumnCursor(self)
  }

  /// nil for no row.
  func first<Value>(
    _ values: [(any StatementBinding)?] = [], _ read: (Columns) throws -> Value
  ) throws -> Value? {
    let rows = try rows(values)
    // The cursor's deinit would invalidate the row.
    return try withExtendedLifetime(rows) { try rows.next().map(read) }
  }

  func run(_ values: [(any StatementBinding)?] = []) throws {
    let rows = try rows(values)
    while try rows.next() != nil {}
  }

  /// Binds values one by one: an array of many costs nearly as much as the insert.
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

/// Binds a statement's values in order.
struct BoundValues {
  private let statement: SQLiteStatement
  private var count: CInt = 0
  private var failure = SQLITE_OK
  /// SQLITE_TRANSIENT: SQLite copies the value, sqlite3_bind_text(3).
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate init(_ statement: SQLiteStatement) {
    self.statement = statement
    sqlite3_reset(statement)
    // nil values are not bound.
    sqlite3_clear_bindings(statement)
  }

  mutating func addNull() { count += 1 }

  mutating func add(_ number: Int64?) {
    count += 1
    if let number { note(sqlite3_bind_int64(statement, count, number)) }
  }

  mutating func add(_ text: String?) {
    count += 1
    guard var text else { return }
    // An empty buffer may have no address, which would bind NULL.
    guard !text.isEmpty else { return note(sqlite3_bind_text(statement, count, "", 0, Self.copied)) }
    note(
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(statement, count, $0.baseAddress, CInt($0.count), Self.copied)
        }
      })
  }

  /// A value of a row of any statement, as it is.
  mutating func add(_ row: Columns, at index: Int) {
    count += 1
    note(sqlite3_bind_value(statement, count, sqlite3_column_value(row.statement, CInt(index))))
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

/// Statements that are compiled once.
extension Database {
  func run(_ sql: String, _ values: [(any StatementBinding)?] = []) throws {
    try cachedStatement(sql: sql).run(values)
  }

  func rows(_ sql: String, _ values: [(any StatementBinding)?] = []) throws -> ColumnCursor {
    try cachedStatement(sql: sql).rows(values)
  }

  func first<Value>(
    _ sql: String, _ values: [(any StatementBinding)?] = [], _ read: (Columns) throws -> Value
  ) throws -> Value? {
    try cachedStatement(sql: sql).first(values, read)
  }

  func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  func allRows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  func has(_ sql: String, _ values: [(any StatementBinding)?]) throws -> Bool {
    try cachedStatement(sql: sql).first(values) { _ in true } ?? false
  }

  /// The first column of the first row.
  func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64? {
    try Int64.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  func numbers(_ sql: String, _ arguments: StatementArguments = []) throws -> [Int64] {
    try Int64.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  /// A savepoint: `body` is rolled back if it throws. GRDB's own savepoints compile their statements each
  /// time.
  func separately<Value>(_ body: () throws -> Value) throws -> Value {
    try run("SAVEPOINT part")
    do {
      let value = try body()
      try run("RELEASE part")
      return value
    } catch {
      // SQLite may have rolled back the whole transaction.
      if isInsideTransaction {
        try run("ROLLBACK TO part")
        try run("RELEASE part")
      }
      throw error
    }
  }
}
