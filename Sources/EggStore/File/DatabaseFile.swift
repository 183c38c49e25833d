import EggTime
import GRDB
import GRDBSQLite
import Glibc
import LinuxIO
import Synchronization

/// How `schedule.db` is opened. Nothing existing is overwritten, and nothing is changed before the file is
/// known to be eggd's.
struct DatabaseFile: Sendable {
  /// Without symbolic links.
  let path: String
  /// Shared by all values about one store's files.
  let connections: KeptConnections
  var schema = Schema()
  /// How long statements on its connections wait for another program's lock.
  let patience = LockPatience()

  /// Device and inode: the file's identity under any name.
  struct Identity: Equatable {
    var device: UInt
    var inode: UInt

    init(_ status: stat) { (device, inode) = (UInt(status.st_dev), UInt(status.st_ino)) }
  }

  /// The file that has this path now; nil for none.
  var identity: Identity? { Self.identity(path) }

  var logIdentity: [Identity?] { ["-wal", "-shm"].map { Self.identity(path + $0) } }

  private static func identity(_ path: String) -> Identity? { FileSystem.status(path).map(Identity.init) }

  /// Looks without writing, except for a rollback that SQLite must do first. Throws a ``StoreOpenError`` for a file that
  /// is not for this eggd, and SQLite's error, which may be that the file is corrupt.
  ///
  /// - Returns: The version of the schema; 0 for an empty file, nil for none.
  func look() throws -> Int? {
    guard let status = FileSystem.status(path) else {
      if errno == ENOENT { return nil }
      throw DatabaseError(errno: errno, else: .SQLITE_CANTOPEN)
    }
    guard status.st_size > 0 else { return 0 }
    do {
      return try version(readOnly: true)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      // An eggd was killed before the file had its WAL. The file is unreadable until its rollback journal is
      // played back.
      return try version(readOnly: false)
    }
  }

  private func version(readOnly: Bool) throws -> Int {
    var configuration = self.configuration
    configuration.readonly = readOnly
    let queue = try withIndex {
      let queue = try openQueue(configuration)
      try queue.read { try Self.probe($0) }
      return queue
    }
    defer { try? queue.close() }
    return try queue.read { database in
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      guard application == Schema.applicationID else {
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        if tables > 0 { throw StoreOpenError.foreign(path: path) }
        return 0
      }
      if version > schema.version {
        throw StoreOpenError.newer(path: path, version: version, known: schema.version)
      }
      if (1..<Schema.oldest).contains(version) {
        throw StoreOpenError.older(path: path, version: version, known: Schema.oldest)
      }
      return version
    }
  }

  /// Makes an empty file with mode 0600; SQLite gives -wal and -shm the same mode.
  func create() throws { Glibc.close(try Self.create(path)) }

  /// A new file with mode 0600, open for writing.
  static func create(_ path: String) throws -> Int32 {
    do throws(SafeFile.Failure) {
      return try SafeFile.create(path)
    } catch {
      throw DatabaseError(errno: error.code, else: .SQLITE_CANTOPEN)
    }
  }

  /// Opens for writing, with synced commits.
  func openForWriting() throws -> DatabasePool {
    chmod(path, 0o600)
    return try openPool(configuration) { database in
      // GRDB sets NORMAL after `prepareDatabase`, when it switches to WAL.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2 else { throw NotDurable() }
    }
  }

  /// One connection. A file under construction gets no WAL from it: it is complete once closed.
  func openQueue(_ configuration: GRDB.Configuration? = nil, as name: String? = nil) throws -> DatabaseQueue {
    connections.keep(
      try DatabaseQueue(path: name ?? path, configuration: configuration ?? self.configuration))
  }

  /// Closed again if `prepare` fails.
  private func openPool(
    _ configuration: GRDB.Configuration, _ prepare: (Database) throws -> Void
  ) throws -> DatabasePool {
    let pool = connections.keep(try DatabasePool(path: path, configuration: configuration))
    do {
      try pool.writeWithoutTransaction(prepare)
    } catch {
      try? pool.close()
      throw error
    }
    return pool
  }

  /// Whether the disk may be too full for -shm. SQLite creates that as a sparse file; a write to a hole that
  /// cannot be filled raises SIGBUS.
  var needsNoIndex: Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0, access(path, W_OK) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 262_144
  }

  /// Opens for reading where the disk has no room for the log's index: exclusively, with the index in memory
  /// (https://www.sqlite.org/vfs.html, "unix-excl"); without a log, as immutable
  /// (https://www.sqlite.org/uri.html, "immutable").
  func openWithoutIndex() throws -> DatabaseQueue {
    var configuration = self.configuration
    configuration.prepareDatabase {
      try $0.execute(sql: "PRAGMA query_only = 1")
    }
    return try openQueue(
      configuration,
      as: "file:" + path.percentEncoded(keeping: "/.-_") + (logSize > 0 ? "?vfs=unix-excl" : "?immutable=1"))
  }

  /// Whether another program holds the write lock. Only where this process has no connection to the file.
  var isLocked: Bool {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return false }
    var keep: CInt = 1
    sqlite3_file_control(connection, nil, SQLITE_FCNTL_PERSIST_WAL, &keep)
    return sqlite3_exec(connection, "BEGIN IMMEDIATE; ROLLBACK", nil, nil, nil) == SQLITE_BUSY
  }

  /// Fills the holes of -shm while the disk still has room.
  ///
  /// - Returns: Its descriptor, to be closed after the database: closing it drops all locks of this process
  ///   on the file, SQLite's included (fcntl(2)).
  func fillIndex() -> Int32 {
    let descriptor = Glibc.open(path + "-shm", O_RDWR | O_CLOEXEC)
    if descriptor >= 0 { posix_fallocate(descriptor, 0, 32_768) }
    return descriptor
  }

  func openForReading() throws -> any DatabaseWriter {
    try withIndex {
      var configuration = self.configuration
      configuration.readonly = true
      return try openPool(configuration) { try Self.probe($0) }
    }
  }

  private static func probe(_ database: Database) throws {
    _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
  }

  /// Runs `open`, or opens without the log's index if that does not exist and cannot be created.
  private func withIndex(_ open: () throws -> any DatabaseWriter) throws -> any DatabaseWriter {
    if needsNoIndex { return try openWithoutIndex() }
    do {
      return try open()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN && identity != nil {
      guard let other = try? openWithoutIndex() else { throw error }
      return other
    }
  }

  /// `synchronous` did not keep its value.
  struct NotDurable: Error {}

  var configuration: GRDB.Configuration {
    var configuration = GRDB.Configuration()
    configuration.label = "schedule"
    // GRDB's own value is above the default, which needs a privilege on Linux.
    configuration.qos = .default
    configuration.foreignKeysEnabled = false
    configuration.maximumReaderCount = 2
    configuration.busyMode = .callback(patience.waiter())
    configuration.prepareDatabase { database in
      try PageCache.set(PageCache.usual, of: database)
      var keep: CInt = 1
      sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &keep)
      // So that the file can give pages back. SQLite has to know before it makes the first table
      // (https://www.sqlite.org/pragma.html#pragma_auto_vacuum).
      guard !database.configuration.readonly, size == 0 else { return }
      try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
    }
    return configuration
  }
}

/// Shows whether a file has changed since it was looked at, without reading it.
struct FileState: Equatable {
  private let identity: DatabaseFile.Identity
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// nil for no file.
  ///
  /// - Parameter flags: Of fstatat(2).
  init?(_ path: String?, flags: Int32 = 0) {
    var status = stat()
    guard let path, fstatat(AT_FDCWD, path, &status, flags) == 0 else { return nil }
    identity = DatabaseFile.Identity(status)
    (size, seconds, nanoseconds) = (status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}

extension DatabaseError {
  /// As SQLite would report that error of a system call.
  init(errno code: Int32, else other: ResultCode = .SQLITE_IOERR) {
    let result: ResultCode =
      switch code {
      case ENOSPC: .SQLITE_FULL
      case EROFS: .SQLITE_READONLY
      case EIO: .SQLITE_IOERR
      default: other
      }
    self.init(resultCode: result, message: String(cString: strerror(code)))
  }
}

/// What a failure of SQLite means for the store.
enum StoreFailure: Equatable {
  case busy
  case full
  case readOnly
  case corrupt
  case other

  init(_ error: any Error) {
    self =
      switch (error as? DatabaseError)?.resultCode ?? .SQLITE_OK {
      case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
      case .SQLITE_FULL: .full
      case .SQLITE_READONLY: .readOnly
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
      default: .other
      }
  }

  /// Whether it may pass without a change of the file, which nothing announces.
  static func isOfDisk(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_IOERR, .SQLITE_FULL, .SQLITE_NOMEM].contains(error.resultCode)
  }

  /// nil where the file itself is at fault.
  static func tolerated<Value>(_ body: () throws -> Value?) throws -> Value? {
    do { return try body() } catch  where !isOfDisk(error) { return nil }
  }

  static let lockedReason = translatable("another program holds a lock on the database")

  /// The reason, without the statement and its values.
  static func reason(_ error: any Error) -> String {
    if let error = error as? DatabaseFile.NoRoomForCopy {
      let needed = max(error.size >> 20, 1)
      return "an upgrade copies the database first, and the disk has no room for that: free \(needed) MiB"
    }
    guard let error = error as? DatabaseError else { return "\(error)" }
    return switch StoreFailure(error) {
    case .busy: lockedReason
    case .full: translatable("the disk is full")
    case .readOnly: translatable("the database can't be written")
    default: "\(error.message ?? "SQLite error") (\(error.extendedResultCode.rawValue))"
    }
  }
}
