import EggTime
import GRDB
import Glibc
import LinuxIO

/// Reading a file that SQLite finds corrupt.
extension DatabaseFile {
  private static let pageSize = 4_096

  /// The tables that a salvage copies, in order.
  static let salvagedTables = neededTables + ["history", "days_off"]
  /// Found even without their definitions, which a new first page gives; more would not fit there.
  private static let neededTables = ["boot", "alarm_group", "alarm", "occurrence"]

  /// Opens what is still readable: the file itself, else a copy with a new header, else one with a new first
  /// page.
  ///
  /// Throws the disk's errors: such a file may be readable later.
  /// - Parameter model: A database with the same tables.
  func openDamaged(like model: Database) throws -> DatabaseQueue? {
    let itself = try StoreFailure.tolerated { try openIgnoringSchemaErrors() }
    if let itself, try itself.findsAlarms { return itself }
    guard size >= 2 * Self.pageSize else { return itself }
    for part in FirstPage.allCases {
      let copy = try copyWith(part, of: model)
      let queue = try StoreFailure.tolerated { try copy.openIgnoringSchemaErrors() }
      if let queue, try queue.findsAlarms {
        try? itself?.close()
        return queue
      }
      try? queue?.close()
    }
    return itself
  }

  /// How much of the first page a copy replaces.
  private enum FirstPage: Int, CaseIterable {
    case header = 100
    /// Header and table definitions. A table begins on the same page in every file.
    case whole = 4_096
  }

  /// ``openDamaged(like:)`` may have made it.
  var readableCopy: DatabaseFile { DatabaseFile(path: path + ".reading", connections: connections) }

  private func openIgnoringSchemaErrors(readonly: Bool = true) throws -> DatabaseQueue {
    var configuration = self.configuration
    configuration.readonly = readonly
    // With this, a damaged definition hides only its own table (https://www.sqlite.org/pragma.html).
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA writable_schema = ON") }
    return try openQueue(configuration)
  }

  private func copyWith(_ part: FirstPage, of model: Database) throws -> DatabaseFile {
    let copy = readableCopy
    remove(copy.path)
    var page = try copy.firstPage(of: model, pages: size / Self.pageSize)
    page.removeSubrange(part.rawValue...)
    remove(copy.path)
    try copyBytes(to: copy.path)
    // Checkpoints the log into the copy, if it is readable.
    try copy.put(page, isLogged: true)
    if access(path + "-wal", F_OK) == 0 {
      try DatabaseFile(path: path + "-wal", connections: connections).copyBytes(to: copy.path + "-wal")
      let queue = try? copy.openIgnoringSchemaErrors(readonly: false)
      _ = try? queue?.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      try? queue?.close()
      for end in ["-wal", "-shm"] { unlink(copy.path + end) }
    }
    try copy.put(page, isLogged: false)
    return copy
  }

  /// SQLite's header and the definitions of the tables that begin within `pages` pages, for this file.
  private func firstPage(of model: Database, pages: Int) throws -> [UInt8] {
    try create()
    let queue = try openQueue()
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA page_size = \(Self.pageSize)")
      try database.execute(sql: "PRAGMA writable_schema = ON")
      for name in Self.neededTables + ["sqlite_sequence", "schedule"] {
        let row = try Row.fetchOne(
          model,
          sql: "SELECT rootpage, sql FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage <= ?",
          arguments: [name, pages])
        guard let row else { continue }
        try database.execute(
          sql: "INSERT INTO sqlite_schema VALUES ('table', ?1, ?1, ?2, ?3)",
          arguments: [name, int(row, 0), text(row, 1)])
      }
    }
    try queue.close()
    guard let page = try? SafeFile.read(path, upTo: Self.pageSize), page.count == Self.pageSize else {
      throw Self.failure()
    }
    return page
  }

  private func copyBytes(to target: String) throws {
    let from = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    defer { Glibc.close(from) }
    guard from >= 0 else { throw Self.failure() }
    let to = try Self.create(target)
    defer { Glibc.close(to) }
    var block = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = read(from, &block, block.count)
      guard count >= 0 else { throw Self.failure() }
      if count == 0 { return }
      guard write(to, block, count) == count else { throw Self.failure() }
    }
  }

  /// Writes the start of the first page, with the file's own page count
  /// (https://www.sqlite.org/fileformat.html#the_database_header).
  private func put(_ page: [UInt8], isLogged: Bool) throws {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    defer { Glibc.close(descriptor) }
    guard descriptor >= 0 else { throw Self.failure() }
    var page = page
    page[18] = isLogged ? 2 : 1
    page[19] = page[18]
    let pages = UInt32(size / Self.pageSize)
    for index in 0..<4 { page[28 + index] = UInt8(truncatingIfNeeded: pages >> (24 - 8 * UInt32(index))) }
    guard pwrite(descriptor, page, page.count, 0) == page.count else { throw Self.failure() }
  }

  private static func failure() -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_IOERR, message: String(cString: strerror(errno)))
  }
}

extension DatabaseQueue {
  /// Whether the tables that a salvage needs are known.
  fileprivate var findsAlarms: Bool {
    get throws {
      try ["alarm", "occurrence"].allSatisfy { table in
        try StoreFailure.tolerated {
          try read { _ = try $0.makeStatement(sql: "SELECT rowid FROM \(table)") }
        } != nil
      }
    }
  }
}
