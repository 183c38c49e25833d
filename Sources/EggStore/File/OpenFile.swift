import Dispatch
import GRDB
import Glibc
import LinuxIO

/// A database file that is open. Confined to the store's queue, but for reads of its pool.
final class OpenFile {
  /// A pool, or a single connection where the disk has no room for the log's index.
  let pool: any DatabaseWriter
  /// Why it can only be read; nil if it can be written.
  let readOnly: String?
  var isReadOnly: Bool { readOnly != nil }
  /// For an older file that was copied into memory, the state of that file at the time.
  let copied: FileState?
  private let file: DatabaseFile
  let identity: DatabaseFile.Identity?
  private let log: [DatabaseFile.Identity?]
  /// The descriptor of -shm, see ``DatabaseFile/fillIndex()``; -1 for none.
  private let index: Int32
  /// Released after SQLite has closed the file.
  private let lock: FileLock
  /// Set back to what it was before a commit, that commit is noticed again.
  var seen: Seen

  /// Which commits of other programs are known.
  struct Seen {
    /// `PRAGMA data_version` on the writer's connection. It changes when another program commits.
    var version: Int?
    /// A transaction has failed since. SQLite counts that as another program's commit too if some of its pages were in the
    /// log already.
    var hasFailed = false
  }

  /// The opened file no longer has its name.
  struct TakenAway: Error {}

  /// Closes the pool if the file cannot be used.
  ///
  /// - Parameters:
  ///   - lock: The lock on that file. The caller releases it if this throws.
  ///   - begin: The first use of the file.
  init(
    _ pool: any DatabaseWriter, of file: DatabaseFile, _ lock: FileLock, readOnly: String? = nil,
    copied: FileState? = nil, begin: (Database) throws -> Void
  ) throws {
    do {
      let version = try pool.writeWithoutTransaction { database in
        try begin(database)
        return try Int.fetchOne(database, sql: "PRAGMA data_version")
      }
      seen = Seen(version: version)
    } catch {
      try? pool.close()
      throw error
    }
    self.pool = pool
    self.file = file
    self.lock = lock
    self.readOnly = readOnly
    self.copied = copied
    index = readOnly == nil ? file.fillIndex() : -1
    identity = file.identity
    log = file.logIdentity
  }

  /// Whether the file still has its name.
  var isInPlace: Bool { identity == file.identity }

  /// Whether -wal or -shm were deleted.
  var hasLostLog: Bool { !isReadOnly && log != file.logIdentity && isInPlace }

  /// One transaction of eggd's own. On return it is on disk, in a file that has its name.
  ///
  /// - Parameters:
  ///   - takeUp: Called before `body` if another program has committed. Nobody else can commit until this transaction is
  ///     over.
  ///   - body: Throws to roll back.
  /// - Returns: What was known before the other program's commit; nil for none.
  func inTransaction(
    takeUp: (Database) throws -> Void, _ body: (Database) throws -> Void
  ) throws -> Seen? {
    if isReadOnly { throw DatabaseError(resultCode: .SQLITE_READONLY) }
    let before = seen
    var version = before.version
    var hasBegun = false
    defer { if hasBegun { seen.hasFailed = true } }
    try pool.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        guard isInPlace else { throw TakenAway() }
        hasBegun = true
        version = try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
        if version != before.version { try takeUp(database) }
        try body(database)
        return .commit
      }
    }
    hasBegun = false
    seen = Seen(version: version)
    return version == before.version ? nil : before
  }

  /// Longer than most commits hold their lock. Blocks the queue.
  private static let noticePatience: Duration = .milliseconds(20)

  /// Looks whether another program has committed. Throws SQLITE_BUSY while one holds a lock.
  ///
  /// - Parameter learn: Called in the transaction that sees it.
  /// - Returns: What was known before; nil for no commit.
  func notice(_ learn: (Database) throws -> Void) throws -> Seen? {
    let before = seen
    var version: Int?
    try file.patience.shortened(to: Self.noticePatience) {
      try pool.writeWithoutTransaction { database in
        // The event precedes the visibility of its commit; waiting for the write lock closes the gap.
        try database.inTransaction(isReadOnly ? .deferred : .immediate) {
          version = try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
          if version != before.version { try learn(database) }
          return .rollback
        }
      }
    }
    guard version != before.version else { return nil }
    seen = Seen(version: version)
    return before
  }

  /// Writes everything that the open descriptors still hold of a deleted log into the database.
  func saveLog() throws {
    try pool.writeWithoutTransaction { database in
      let result = try database.checkpoint(.full)
      guard result.checkpointedFrameCount == result.walFrameCount else {
        throw DatabaseError(resultCode: .SQLITE_BUSY)
      }
    }
  }

  /// Writes the log into the file, wherever that is by now. What another program's transaction keeps from it stays in the
  /// log.
  func checkpoint(_ kind: Database.CheckpointMode) {
    _ = try? pool.writeWithoutTransaction { try $0.checkpoint(kind) }
  }

  /// A longer log is shortened, in bytes. Checkpoints usually keep it near 4 MiB.
  static let longLog = 16 << 20
  static let usualLog = 4 << 20

  /// Restarts a log that is longer than `limit`: until a change restarts it, every start of eggd reads all of
  /// it. Keeps the usual length, so that commits have room when the disk fills up. Does nothing while
  /// somebody is reading.
  func shortenLog(beyond limit: Int = longLog, to usual: Int = usualLog) {
    guard !isReadOnly, file.logSize > limit else { return }
    // None of this changes the schedule: a failure leaves the log as it is.
    try? pool.writeWithoutTransaction { database in
      // If left set, it would empty the log on close.
      defer { try? database.execute(sql: "PRAGMA journal_size_limit = -1") }
      try database.execute(sql: "PRAGMA journal_size_limit = \(usual)")
      _ = try database.checkpoint(.passive)
      // SQLite restarts and cuts the log with the next commit that writes a page; it does not write unchanged
      // pages.
      try database.inTransaction(.immediate) {
        for step in [1, -1] {
          try database.execute(sql: "UPDATE schedule SET sequence = sequence + ?", arguments: [step])
        }
        return .commit
      }
    }
  }

  /// Fails only while a statement is running. Then the files stay open, unused.
  func close() {
    guard (try? pool.close()) != nil else { return }
    if index >= 0 { Glibc.close(index) }
    lock.letGo()
  }
}
