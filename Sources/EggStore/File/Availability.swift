import Alarms
import Dispatch
import EggTime
import GRDB
import Glibc
import LinuxIO
import Ringing

/// What the store does when writes fail or work again.
extension AlarmStore {
  var unavailability: String {
    switch condition {
    case .writable: translatable("the database can't be written")
    case .readOnly(let reason), .unavailable(let reason): reason
    }
  }

  /// The next try to write, after 1, 2, 4 … 60 s.
  func retryLater() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, let seconds = retry.arm() else { return }
    clock.call(after: seconds, on: queue) {
      self.retry.fired()
      guard !self.isClosed else { return }
      if self.opened?.isReadOnly != false { self.openAgain() }
      self.commit()
      // Without a directory, nothing can be watched for the file's return.
      if self.opened?.isReadOnly == true || (self.opened == nil && self.watch == nil) { self.retryLater() }
    }
  }

  /// Reports a failure once until a commit succeeds.
  func tellFailure(_ failure: StoreFailure, reason: String) {
    guard !isFailing, opened?.isReadOnly == false else { return }
    isFailing = true
    log(failure == .full ? .diskFull : .commitFailed(reason: reason))
  }

  func noteSuccess() {
    retry.succeeded()
    guard isFailing else { return }
    isFailing = false
    log(.availableAgain)
  }

  /// Resets the WAL, so that a commit needs no more room.
  func rewindLog() {
    _ = try? opened?.pool.writeWithoutTransaction { try $0.checkpoint(.restart) }
  }

  /// Closes the files; leaves the store without a database.
  func letGo(reason: String) {
    dispatchPrecondition(condition: .onQueue(queue))
    let old = opened
    opened = nil
    shared.withLock {
      $0.pool = nil
      $0.condition = .unavailable(reason: reason)
    }
    // Fails only while a statement is running. Then the files stay open, unused.
    guard let old, (try? old.pool.close()) != nil else { return }
    if old.index >= 0 { Glibc.close(old.index) }
    old.lock.letGo()
  }

  /// Takes over a file that was opened. Closes it if it cannot be read.
  ///
  /// - Parameter lock: The lock on that file. The caller releases it if this throws.
  func adopt(_ pool: any DatabaseWriter, _ lock: FileLock, readOnly reason: String?) throws {
    var version: Int?
    var sequence: Int64 = 0
    var latest: Int64 = 0
    do {
      try pool.writeWithoutTransaction { database in
        if reason == nil { try noteStart(database) }
        try learnBoots(database)
        version = try Int.fetchOne(database, sql: "PRAGMA data_version")
        sequence = try Int64.fetchOne(database, sql: "SELECT sequence FROM schedule") ?? 0
        latest = try Refill.lastOccurrence(database, at: clock.read().wall)
      }
    } catch {
      try? pool.close()
      throw error
    }
    opened = Opened(
      pool: pool, index: reason == nil ? file.fillIndex() : -1, identity: file.identity, lock: lock,
      log: file.logIdentity, isReadOnly: reason != nil, version: version)
    shared.withLock {
      $0.pool = pool
      $0.condition = reason.map { .readOnly(reason: $0) } ?? .writable
      $0.sequence = max($0.sequence, sequence)
      $0.lastOccurrence = max($0.lastOccurrence, latest)
    }
    if pending.bootOffset != nil, observer != nil { commitSoon() }
  }

  private func noteStart(_ database: Database) throws {
    let now = clock.read()
    do {
      if try noteStart(database, now) { pending.bootOffset = now.bootOffset }
      // Another file may have a lower sequence; subscribers must never see it decrease.
      try database.execute(
        sql: "UPDATE schedule SET sequence = ?1 WHERE sequence < ?1", arguments: [sequence])
    } catch  where StoreFailure(error) == .busy && sequence == 0 {
      // Another program holds the lock. Alarms ring meanwhile; the first commit writes this.
      pending.bootOffset = now.bootOffset
    }
  }

  /// Has scheduler, bubbles and subscribers read everything again.
  ///
  /// - Returns: false if it cannot be read.
  @discardableResult
  func startOver() -> Bool {
    // Another file or program may have alarms resolved by other zone data.
    checkZones()
    guard readHead() else { return false }
    observer?.deliver(.ringingUnknown)
    changes?(CommittedChanges(sequence: sequence, alarms: nil))
    return true
  }
}
