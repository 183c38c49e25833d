import Dispatch
import GRDB
import Ringing

/// eggd's only way to write to its open database.
extension AlarmStore {
  /// The opened file no longer has its name.
  struct TakenAway: Error {}

  /// One transaction of eggd's own. On return it is in files that have their names.
  ///
  /// Another program's commits are told to the scheduler before `body`: eggd's own change may take seconds,
  /// and a deleted row must not ring meanwhile. Nobody else can commit until this transaction is over.
  /// - Parameters:
  ///   - isSynced: Whether it is on disk on return. Otherwise the next one that is takes it along; a power cut before
  ///     that undoes it, whole.
  ///   - body: Throws to roll back.
  func inTransaction(isSynced: Bool = true, _ body: (Database) throws -> Void) throws {
    dispatchPrecondition(condition: .onQueue(queue))
    try saveLostLog()
    guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: unavailability) }
    if opened.isReadOnly { throw DatabaseError(resultCode: .SQLITE_READONLY) }
    var version = opened.version
    var hasBegun = false
    defer { if hasBegun { self.opened?.hasFailed = true } }
    try opened.pool.writeWithoutTransaction { database in
      try sync(isSynced, database)
      try database.inTransaction(.immediate) {
        guard file.identity == opened.identity else { throw TakenAway() }
        hasBegun = true
        version = try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
        if version != opened.version {
          try learnBoots(database)
          observer?.takeUp(try Refill(database, clocks: clocks, zones: zones, now: clock.read()))
        }
        try body(database)
        return .commit
      }
    }
    hasBegun = false
    self.opened?.version = version
    self.opened?.hasFailed = false
    if version != opened.version {
      let isCertain = !opened.hasFailed
      queue.async { self.tellForeignCommit(isCertain: isCertain) }
    }
    guard file.identity == opened.identity else { throw TakenAway() }
    try saveLostLog()
  }

  /// Sets whether commits wait for the disk. If that fails, nothing may be committed as if they did.
  private func sync(_ isSynced: Bool, _ database: Database) throws {
    guard opened?.isSynced != isSynced else { return }
    try database.execute(sql: "PRAGMA synchronous = \(isSynced ? "FULL" : "NORMAL")")
    opened?.isSynced = isSynced
  }

  /// The steps after the scheduler has taken another program's commit.
  ///
  /// - Parameter isCertain: It was not one of our own that has failed.
  private func tellForeignCommit(isCertain: Bool) {
    guard !isClosed else { return }
    if isCertain { log(.foreignWrite) }
    observer?.deliver(.ringingUnknown)
    // Another program may resolve alarms by other zone data.
    checkZonesSoon()
    changes?(CommittedChanges(sequence: sequence, alarms: nil))
  }

  /// Where -wal or -shm were deleted, writes everything that the open descriptors still hold into the
  /// database and opens it again.
  ///
  /// Throws on failure; until it succeeds, nothing more may be acknowledged.
  func saveLostLog() throws {
    guard let opened, !opened.isReadOnly, opened.log != file.logIdentity,
      file.identity == opened.identity
    else { return }
    try opened.pool.writeWithoutTransaction { database in
      let result = try database.checkpoint(.full)
      guard result.checkpointedFrameCount == result.walFrameCount else {
        throw DatabaseError(resultCode: .SQLITE_BUSY)
      }
    }
    letGo(reason: "its log was deleted")
    do {
      try open(.version(file.schema.version))
    } catch {
      retryLater()
      throw error
    }
    log(.logLost)
    // Another program may have used the file meanwhile.
    queue.async { self.startOver() }
  }
}
