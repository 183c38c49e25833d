import GRDB
import Glibc
import LinuxIO

/// Opens the file by what the first look finds: for writing if possible, else for reading.
extension StoreFile {
  /// Opens the file, or makes it.
  func openOrMake() throws -> OpenFile {
    // Before SQLite opens it: see `FileLock`.
    guard LettingGo.waits(for: { FileLock(database.path) != nil }) else {
      throw StoreOpenError.locked(path: database.path, pid: nil)
    }
    do {
      try database.finishReplacement(at: now)
    } catch  where database.identity == nil && access(database.successor, R_OK) == 0 {
      return try openSuccessor(because: error)
    }
    if let version = try database.look() { return try open(version) }
    try database.setAsideStray(at: now)
    try database.create()
    return try open(0)
  }

  /// - Parameter version: As the first look found it.
  func open(_ version: Int) throws -> OpenFile {
    var version = version
    // Before SQLite opens it: see `FileLock`.
    var lock = try lockFile()
    do {
      if database.needsNoIndex { throw DatabaseError(resultCode: .SQLITE_FULL) }
      if version == Schema.oldest {
        try replaceOldest()
        version = database.schema.version
        lock.letGo()
        lock = try lockFile()
      }
      let pool = try database.openForWriting()
      do {
        try bring(pool, upToDateFrom: version)
        try pool.writeWithoutTransaction { try Schema.check($0) }
      } catch {
        try? pool.close()
        throw error
      }
      return try use(pool, lock)
    } catch
      where error is DatabaseFile.NoRoomForCopy || error is DatabaseError && StoreFailure(error) != .corrupt
    {
      // Its alarms can still ring. A file without alarms is useless.
      lock.letGo()
      guard version > 0 else { throw error }
      return try openForReading(version, because: error)
    } catch {
      lock.letGo()
      throw error
    }
  }

  /// Opens a new file that the disk does not let have its name.
  private func openSuccessor(because error: any Error) throws -> OpenFile {
    let new = DatabaseFile(
      path: database.successor, connections: database.connections, schema: database.schema)
    return try use(try new.openForReading(), try lockFile(), readOnly: StoreFailure.reason(error))
  }

  private func use(
    _ pool: any DatabaseWriter, _ lock: FileLock, readOnly reason: String? = nil,
    copied: FileState? = nil
  ) throws -> OpenFile {
    try OpenFile(pool, of: database, lock, readOnly: reason, copied: copied) {
      try store?.begin($0, isReadOnly: reason != nil)
    }
  }

  private func lockFile() throws -> FileLock {
    guard let lock = FileLock(database.path) else {
      throw StoreOpenError.locked(path: database.path, pid: nil)
    }
    return lock
  }

  /// Rings from a file that cannot be written. An older eggd's file is copied into memory and migrated there.
  private func openForReading(_ version: Int, because error: any Error) throws -> OpenFile {
    let lock = try lockFile()
    guard let pool = try? database.openForReading() else {
      lock.letGo()
      throw error
    }
    do {
      let reason = StoreFailure.reason(error)
      guard version < database.schema.version else { return try use(pool, lock, readOnly: reason) }
      let state = database.state
      let opened = try use(try copyInMemory(of: pool, version), lock, readOnly: reason, copied: state)
      try? pool.close()
      return opened
    } catch {
      try? pool.close()
      lock.letGo()
      throw error
    }
  }

  private func copyInMemory(of pool: any DatabaseWriter, _ version: Int) throws -> DatabaseQueue {
    let memory = database.connections.keep(try DatabaseQueue(configuration: database.configuration))
    if version == Schema.oldest {
      try memory.write { target in
        try database.schema.create(in: target)
        try pool.read { try Version11(source: $0, target: target).copyAll() }
      }
    } else {
      try pool.backup(to: memory)
      try memory.write { try database.schema.migrate($0, from: version) }
    }
    try memory.writeWithoutTransaction { try Schema.check($0) }
    return memory
  }

  /// Copies the rows of a file of version 11 into a new file, which takes its place. The old one is set aside.
  ///
  /// Holds SQLite's write lock meanwhile: what another program commits is copied too.
  private func replaceOldest() throws {
    guard database.hasRoomForCopy else { throw DatabaseFile.NoRoomForCopy(size: database.size) }
    // They stay. The first look has given log and index the file's mode.
    for end in [""] + DatabaseFile.companions { chmod(database.path + end, 0o600) }
    let old = try database.openQueue()
    defer { try? old.close() }
    do {
      try old.writeWithoutTransaction { source in
        // Then the file is whole without its log, from which a kill during the renames could part it. Another program's
        // reader can prevent that.
        _ = try? source.checkpoint(.truncate)
        try source.inTransaction(.immediate) {
          try database.writeSuccessor { try Version11(source: source, target: $0).copyAll() }
          let copy = try database.setAside(as: "v\(Schema.oldest)", at: now)
          try database.putSuccessorInPlace()
          context.log(.migrated(from: Schema.oldest, to: database.schema.version, copy: copy))
          return .rollback
        }
      }
    } catch  where StoreFailure(error) == .full {
      throw DatabaseFile.NoRoomForCopy(size: database.size)
    }
  }

  /// Makes the tables, or runs the missing migrations. A file with alarms is copied first.
  private func bring(_ pool: DatabasePool, upToDateFrom version: Int) throws {
    guard version < database.schema.version else { return }
    guard version > 0 else {
      return try pool.write { try database.schema.create(in: $0) }
    }
    guard database.hasRoomForCopy else { throw DatabaseFile.NoRoomForCopy(size: database.size) }
    // Another program's lock is met before the copy.
    try pool.write { _ in }
    let copy = database.path + ".v\(version)-\(DatabaseFile.stamp(now))"
    try pool.writeWithoutTransaction { try database.copy($0, as: copy) }
    do {
      try pool.write { try database.schema.migrate($0, from: version) }
    } catch {
      // The next try makes its own.
      unlink(copy)
      throw error
    }
    context.log(.migrated(from: version, to: database.schema.version, copy: copy))
  }
}
