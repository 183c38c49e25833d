import Dispatch
import GRDB
import Ringing

/// The one way in which eggd writes to the database that it has open.
extension AlarmStore {
  /// The file is not the one that was opened.
  struct TakenAway: Error {}

  /// One transaction of ours. On return it is on the disk, in files that have their names.
  ///
  /// What another program has committed is told to the scheduler before `body`: our own change may take seconds, and
  /// a row that is gone must not ring meanwhile. Nobody else can commit until ours is over.
  /// - Parameter body: Throws to undo it all.
  func inTransaction(_ body: (Database) throws -> Void) throws {
    dispatchPrecondition(condition: .onQueue(queue))
    try saveLostLog()
    guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: unavailability) }
    if opened.isReadOnly { throw DatabaseError(resultCode: .SQLITE_READONLY) }
    var version = opened.version
    try opened.pool.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        guard file.identity == opened.identity else { throw TakenAway() }
        version = try Int.fetchOne(try database.cachedStatement(sql: "PRAGMA data_version"))
        if version != opened.version {
          try learnBoots(database)
          observer?.takeUp(try Refill(database, clocks: clocks, zones: zones, now: clock.read()))
        }
        try body(database)
        return .commit
      }
    }
    self.opened?.version = version
    if version != opened.version { queue.async { self.tellForeignCommit() } }
    guard file.identity == opened.identity else { throw TakenAway() }
    try saveLostLog()
  }

  /// What follows once the scheduler has taken up another program's commit.
  private func tellForeignCommit() {
    guard !isClosed else { return }
    log(.foreignWrite)
    observer?.deliver(.ringingUnknown)
    // Another program resolves by zone data of its own.
    checkZonesSoon()
    changes?(CommittedChanges(sequence: sequence, alarms: nil))
  }

  /// Where -wal or -shm were deleted, everything that the open descriptors still hold is put into the database, and
  /// that is opened anew.
  ///
  /// Throws where that fails: until it succeeds nothing more may be acknowledged.
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
      try open(.version(Schema.version))
    } catch {
      retryLater()
      throw error
    }
    log(.logLost)
    // Another program may have used the file since.
    queue.async { self.startOver() }
  }
}
