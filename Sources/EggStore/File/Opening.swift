import EggTime
import GRDB
import Glibc
import LinuxIO

/// Opens the file by what the first look finds: for writing if possible, else for reading.
struct Opening {
  let file: DatabaseFile
  let clock: any Clock
  let log: @Sendable (StoreEvent) -> Void
  let begin: (_ database: Database, _ isReadOnly: Bool) throws -> Void

  private var now: Instant { clock.read().wall }

  /// An opened file, and why it cannot be written; nil if it can.
  struct Opened {
    let file: OpenFile
    let reason: String?

    init(_ file: OpenFile, readOnly reason: String? = nil) {
      self.file = file
      self.reason = reason
    }
  }

  /// Opens the file, or makes it.
  func openAtStart() throws -> Opened {
    // Before SQLite opens it: see `FileLock`.
    guard LettingGo.waits(for: { FileLock(file.path) != nil }) else {
      throw StoreOpenError.locked(path: file.path, pid: nil)
    }
    do {
      try file.finishReplacement(at: now)
    } catch  where file.identity == nil && access(file.successor, R_OK) == 0 {
      return try openSuccessor(because: error)
    }
    var kind = try file.look()
    if kind == .missing {
      try file.setAsideStray(at: now)
      try file.create()
      kind = .version(0)
    }
    return try open(kind)
  }

  /// Opens the file as the first look requires.
  func open(_ kind: DatabaseFile.Kind) throws -> Opened {
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
      return Opened(try use(pool, lock))
    } catch  where error is DatabaseFile.NoRoomForCopy || Self.leavesReading(error) {
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
  private func openSuccessor(because error: any Error) throws -> Opened {
    let new = DatabaseFile(path: file.successor, connections: file.connections, schema: file.schema)
    let opened = try use(try new.openForReading(), try lockFile(), isReadOnly: true)
    return Opened(opened, readOnly: StoreFailure.reason(error))
  }

  private func use(
    _ pool: any DatabaseWriter, _ lock: FileLock, isReadOnly: Bool = false,
    copied: DatabaseFile.State? = nil
  ) throws -> OpenFile {
    try OpenFile(pool, of: file, lock, isReadOnly: isReadOnly, copied: copied) { try begin($0, isReadOnly) }
  }

  private func lockFile() throws -> FileLock {
    guard let lock = FileLock(file.path) else { throw StoreOpenError.locked(path: file.path, pid: nil) }
    return lock
  }

  private static func leavesReading(_ error: any Error) -> Bool {
    error is DatabaseError && StoreFailure(error) != .corrupt
  }

  /// Rings from a file that cannot be written. An older eggd's file is copied into memory and migrated there.
  private func openForReading(_ version: Int, because error: any Error) throws -> Opened {
    let lock = try lockFile()
    guard let pool = try? file.openForReading() else {
      lock.letGo()
      throw error
    }
    do {
      let reason = StoreFailure.reason(error)
      guard version < file.schema.version else {
        return Opened(try use(pool, lock, isReadOnly: true), readOnly: reason)
      }
      let state = file.state
      let copy = try copyInMemory(of: pool, version)
      let opened = try use(copy, lock, isReadOnly: true, copied: state)
      try? pool.close()
      return Opened(opened, readOnly: reason)
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
        let copy = try file.setAside(as: "v\(Schema.oldest)", at: now)
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
      return try pool.write { try file.schema.create(in: $0) }
    }
    guard file.hasRoomForCopy else { throw DatabaseFile.NoRoomForCopy(size: file.size) }
    // Another program's lock is met before the copy.
    try pool.write { _ in }
    let copy = file.path + ".v\(version)-\(DatabaseFile.stamp(now))"
    try pool.writeWithoutTransaction { try file.copy($0, as: copy) }
    do {
      try pool.write { try file.schema.migrate($0, from: version) }
    } catch {
      // The next try makes its own.
      unlink(copy)
      throw error
    }
    log(.migrated(from: version, to: file.schema.version, copy: copy))
  }
}
