import Alarms
import Dispatch
import EggTime
import GRDB
import Glibc
import LinuxIO

/// Opens the file: at the start, and again after it was away.
extension AlarmStore {
  /// Throws every failure that leaves nothing to ring from.
  func openAtStart() throws(StoreOpenError) {
    do {
      try checkUnlocked()
      do {
        if try finishesReplacement() {
          var kind = try file.look()
          if kind == .missing {
            try file.setAsideStray(at: clock.read().wall)
            try file.create()
            kind = .version(0)
          }
          try open(kind)
        }
      } catch  where StoreFailure(error) == .corrupt {
        try salvage(error)
      }
      if case .readOnly(let reason) = condition { log(.readOnly(reason: reason)) }
    } catch  where StoreFailure(error) == .busy {
      // It rings as soon as it can be read.
      let reason = StoreFailure.reason(error)
      shared.withLock { $0.condition = .unavailable(reason: reason) }
      log(.unavailable(reason: reason))
    } catch {
      throw refusal(error)
    }
  }

  /// false where the disk does not let the new file have its name: then that is opened for reading.
  private func finishesReplacement() throws -> Bool {
    do {
      try file.finishReplacement(at: clock.read().wall)
      return true
    } catch  where file.identity == nil && access(file.successor, R_OK) == 0 {
      let new = DatabaseFile(path: file.successor, connections: file.connections, schema: file.schema)
      try adopt(try new.openForReading(), try lockFile(), readOnly: StoreFailure.reason(error))
      return false
    }
  }

  /// Throws if another eggd uses the file, under any name. Runs before SQLite opens it.
  private func checkUnlocked() throws {
    let isUnlocked = LettingGo.waits {
      guard let lock = FileLock(file.path) else { return false }
      lock.letGo()
      return true
    }
    guard isUnlocked else { throw StoreOpenError.locked(path: file.path, pid: nil) }
  }

  /// Opens the file if it is valid by now. Skips an empty one, which may be a copy in progress.
  func openAgain() {
    dispatchPrecondition(condition: .onQueue(queue))
    let state = file.state
    if opened == nil, let lookedAtInVain, lookedAtInVain == state { return }
    let was = condition
    do {
      if opened?.isReadOnly == true {
        guard try opensForWriting() else { return }
      } else if try !opensValid() {
        lookedAtInVain = state
        return
      }
    } catch {
      // Nothing announces that a disk recovers, or that a lock ends.
      let isOfDisk = StoreFailure.isOfDisk(error) || StoreFailure(error) == .busy
      lookedAtInVain = isOfDisk ? nil : file.state
      if isOfDisk, opened == nil { retryLater() }
      return
    }
    lookedAtInVain = nil
    unsalvaged = nil
    guard condition != was else { return }
    isFailing = false
    watchFile()
    switch condition {
    case .writable:
      log(.availableAgain)
      moveEarlierBoots()
    case .readOnly(let reason): log(.readOnly(reason: reason))
    case .unavailable: break
    }
    startOver()
    if !pending.isEmpty { commitSoon() }
  }

  /// Whether there is a database now. Includes the salvage of a file that could not be salvaged before.
  private func opensValid() throws -> Bool {
    let isOurs = unsalvaged != nil
    if isOurs { try file.finishReplacement(at: clock.read().wall) }
    do {
      let kind = try file.look()
      guard case .version(1...) = kind else { return false }
      try open(kind)
    } catch  where StoreFailure(error) == .corrupt && isOurs && unsalvaged == file.identity {
      try salvage(error)
    }
    return true
  }

  /// Reopens a file for writing if it takes writes by now.
  private func opensForWriting() throws -> Bool {
    guard access(directory.path, W_OK) == 0 else { return false }
    try file.finishReplacement(at: clock.read().wall)
    guard access(file.path, W_OK) == 0, !file.needsNoIndex,
      case .version(let version) = try file.look()
    else { return false }
    // A copy in memory is made again only when the file changes.
    if let copied = opened?.copied, copied == file.state {
      guard file.hasRoomForCopy else { return false }
      guard !file.isLocked else {
        retry.succeeded()
        return false
      }
    }
    // All connections of a process share the log's index: while one has it open for reading, none can write.
    letGo(reason: unavailability)
    try file.patience.shortened(to: .milliseconds(250)) { try open(.version(version)) }
    // A lock may end at any time.
    if case .readOnly(StoreFailure.lockedReason) = condition { retry.succeeded() }
    return opened?.isReadOnly == false
  }

  /// Opens the file as the first look requires.
  func open(_ kind: DatabaseFile.Kind) throws {
    var version: Int
    switch kind {
    case .version(let found): version = found
    case .newer(let version):
      throw StoreOpenError.newer(path: file.path, version: version, known: file.schema.version)
    case .older(let version):
      throw StoreOpenError.older(path: file.path, version: version, known: Schema.oldest)
    case .foreign: throw StoreOpenError.foreign(path: file.path)
    case .missing: throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
    }
    // Before SQLite opens it: see `FileLock`.
    var lock = try lockFile()
    do {
      if file.needsNoIndex { throw DatabaseError(resultCode: .SQLITE_FULL) }
      if version == Schema.oldest {
        try replaceOldest()
        version = file.schema.version
        lock.letGo()
        lock = try lockFile()
      }
      let pool = try file.openForWriting()
      do {
        try bring(pool, upToDateFrom: version)
        try pool.writeWithoutTransaction { try Schema.check($0) }
      } catch {
        try? pool.close()
        throw error
      }
      try adopt(pool, lock, readOnly: nil)
    } catch  where error is DatabaseFile.NoRoomForCopy || Self.leavesReading(error) {
      // Its alarms can still ring. A file without alarms is useless.
      lock.letGo()
      guard version > 0 else { throw error }
      try openForReading(version, because: error)
    } catch {
      lock.letGo()
      throw error
    }
  }

  private func lockFile() throws -> FileLock {
    guard let lock = FileLock(file.path) else { throw StoreOpenError.locked(path: file.path, pid: nil) }
    return lock
  }

  private static func leavesReading(_ error: any Error) -> Bool {
    error is DatabaseError && StoreFailure(error) != .corrupt
  }

  /// Rings from a file that cannot be written. An older eggd's file is copied into memory and migrated there.
  private func openForReading(_ version: Int, because error: any Error) throws {
    let lock = try lockFile()
    guard let pool = try? file.openForReading() else {
      lock.letGo()
      throw error
    }
    do {
      let reason = StoreFailure.reason(error)
      guard version < file.schema.version else { return try adopt(pool, lock, readOnly: reason) }
      let state = file.state
      try adopt(try copyInMemory(of: pool, version), lock, readOnly: reason)
      opened?.copied = state
      try? pool.close()
    } catch {
      try? pool.close()
      lock.letGo()
      throw error
    }
  }

  private func copyInMemory(of pool: any DatabaseWriter, _ version: Int) throws -> DatabaseQueue {
    let memory = try file.openInMemory()
    if version == Schema.oldest {
      try memory.write { target in
        try file.schema.create(in: target)
        try pool.read { try Version11(source: $0, target: target).copyAll() }
      }
    } else {
      try pool.backup(to: memory)
      try memory.write { try file.schema.migrate($0, from: version) }
    }
    try memory.writeWithoutTransaction { try Schema.check($0) }
    return memory
  }

  /// Copies the rows of a file of version 11 into a new file, which takes its place. The old one is set aside.
  ///
  /// Holds SQLite's write lock meanwhile: what another program commits is copied too.
  private func replaceOldest() throws {
    guard file.hasRoomForCopy else { throw DatabaseFile.NoRoomForCopy(size: file.size) }
    // They stay. The first look has given log and index the file's mode.
    for end in [""] + DatabaseFile.companions { chmod(file.path + end, 0o600) }
    let old = try file.openQueue(file.configuration)
    defer { try? old.close() }
    do {
      try replace(old)
    } catch  where StoreFailure(error) == .full {
      throw DatabaseFile.NoRoomForCopy(size: file.size)
    }
  }

  private func replace(_ old: DatabaseQueue) throws {
    try old.writeWithoutTransaction { source in
      // Then the file is whole without its log, from which a kill during the renames could part it. Another program's
      // reader can prevent that.
      _ = try? source.checkpoint(.truncate)
      try source.inTransaction(.immediate) {
        try file.writeSuccessor { try Version11(source: source, target: $0).copyAll() }
        let copy = try file.setAside(as: "v\(Schema.oldest)", at: clock.read().wall)
        try file.putSuccessorInPlace()
        log(.migrated(from: Schema.oldest, to: file.schema.version, copy: copy))
        return .rollback
      }
    }
  }

  /// Makes the tables, or runs the missing migrations. A file with alarms is copied first.
  private func bring(_ pool: DatabasePool, upToDateFrom version: Int) throws {
    guard version < file.schema.version else { return }
    guard version > 0 else {
      return try inTransaction(pool) { try file.schema.create(in: $0) }
    }
    guard file.hasRoomForCopy else { throw DatabaseFile.NoRoomForCopy(size: file.size) }
    // Another program's lock is met before the copy.
    try inTransaction(pool) { _ in }
    let copy = file.path + ".v\(version)-\(Self.stamp(clock.read().wall))"
    try pool.writeWithoutTransaction { try file.copy($0, as: copy) }
    do {
      try inTransaction(pool) { try file.schema.migrate($0, from: version) }
    } catch {
      // The next try makes its own.
      unlink(copy)
      throw error
    }
    log(.migrated(from: version, to: file.schema.version, copy: copy))
  }

  private func inTransaction(_ pool: DatabasePool, _ body: (Database) throws -> Void) throws {
    try pool.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        try body(database)
        return .commit
      }
    }
  }

  private func refusal(_ error: any Error) -> StoreOpenError {
    if let error = error as? StoreOpenError { return error }
    if error is DatabaseFile.NotDurable { return .notDurable(path: file.path) }
    let reason = StoreFailure.reason(error)
    if access(directory.path, R_OK | X_OK) != 0 { return .notPermitted(path: directory.path, reason: reason) }
    if file.isNoFile { return .notAFile(path: file.path) }
    if file.identity != nil, access(file.path, R_OK) != 0 {
      return .notPermitted(path: file.path, reason: reason)
    }
    return .cannotOpen(path: file.path, reason: reason)
  }

  /// For a file name: UTC, `20261120T213430Z`.
  static func stamp(_ moment: Instant) -> String {
    var seconds = time_t(moment.microseconds / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
