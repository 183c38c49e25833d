import EggTime
import GRDB
import Glibc
import LinuxIO

/// The files beside the database.
extension DatabaseFile {
  var state: FileState? { FileState(path) }

  var parts: (directory: String, name: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// The target of symbolic links, because SQLite puts -wal beside that; without a target, the path itself.
  static func resolve(_ path: String) -> String { FileSystem.realPath(path) ?? path }

  /// A complete new file, before it replaces the old one.
  var successor: String { path + ".next" }

  /// The suffixes of SQLite's own files beside a database.
  static let companions = ["-wal", "-shm", "-journal"]

  /// The disk has no room for the copy before an upgrade.
  struct NoRoomForCopy: Error {
    var size: Int
  }

  /// In bytes.
  var size: Int { Int(FileSystem.status(path)?.st_size ?? 0) }

  /// In bytes.
  var logSize: Int { Int(FileSystem.status(path + "-wal")?.st_size ?? 0) }

  var hasRoomForCopy: Bool { hasRoom(for: UInt64(size)) }

  /// - Parameter bytes: Beside what the files take already.
  func hasRoom(for bytes: UInt64) -> Bool {
    var status = statvfs()
    guard statvfs(parts.directory, &status) == 0 else { return true }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) > bytes
  }

  /// Deletes a database and SQLite's files beside it.
  func remove(_ database: String) { for end in [""] + Self.companions { unlink(database + end) } }

  /// Copies the database as `name`, which never holds a partial copy.
  func copy(_ database: Database, as name: String) throws {
    let unfinished = path + ".copying"
    remove(unfinished)
    do {
      Glibc.close(try Self.create(unfinished))
      try database.execute(sql: "VACUUM INTO ?", arguments: [unfinished])
    } catch {
      // Frees the room of a partial copy.
      remove(unfinished)
      throw StoreFailure(error) == .full ? NoRoomForCopy(size: size) : error
    }
    let descriptor = Glibc.open(unfinished, O_RDONLY | O_CLOEXEC)
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw DatabaseError(errno: errno) }
    try rename(unfinished, to: name)
  }

  private func rename(_ old: String, to new: String) throws {
    guard Glibc.rename(old, new) == 0 else { throw DatabaseError(errno: errno) }
    FileSystem.sync(parts.directory)
  }

  /// Renames the database and SQLite's files beside it, by adding a suffix to each name.
  ///
  /// - Returns: The database's new name.
  func setAside(as suffix: String, at moment: Instant) throws -> String {
    let stamp = Self.stamp(moment)
    var name = path + ".\(suffix)-\(stamp)"
    var count = 1
    while access(name, F_OK) == 0 {
      count += 1
      name = path + ".\(suffix)-\(stamp)-\(count)"
    }
    // The database first: if eggd ends in between, `setAsideStray` finds a log without a database.
    for end in [""] + Self.companions where access(path + end, F_OK) == 0 {
      try rename(path + end, to: name + end)
    }
    return name
  }

  /// For a file name: UTC, `20261120T213430Z`.
  static func stamp(_ moment: Instant) -> String {
    BasicDateTime(Zone.utc.civil(at: moment), isUTC: true).description
  }

  /// Sets aside a log without a database: it must not be replayed onto a new one.
  func setAsideStray(at moment: Instant) throws {
    guard access(path, F_OK) != 0, access(path + "-wal", F_OK) == 0 else { return }
    _ = try setAside(as: "stray", at: moment)
  }

  /// Writes ``successor``, complete and synced; leaves the old file untouched.
  ///
  /// - Parameter fill: Gets a database with empty tables.
  func writeSuccessor<Result>(_ fill: (Database) throws -> Result) throws -> Result {
    let new = DatabaseFile(path: path + ".writing", connections: connections)
    remove(new.path)
    // Frees the room of a partial one.
    defer { remove(new.path) }
    try new.create()
    let queue = try new.openQueue()
    defer { try? queue.close() }
    let result = try queue.write { database in
      try schema.create(in: database)
      return try fill(database)
    }
    try queue.close()
    try rename(new.path, to: successor)
    return result
  }

  /// Completes a replacement that ended between its two renames; removes one that ended before them, and files that a
  /// kill left unfinished, which would take the room of the next try.
  func finishReplacement(at moment: Instant) throws {
    for end in [".copying", ".writing", ".reading"] { remove(path + end) }
    guard access(path, F_OK) != 0 else {
      unlink(successor)
      return
    }
    guard access(successor, F_OK) == 0 else { return }
    try setAsideStray(at: moment)
    try putSuccessorInPlace()
  }

  func putSuccessorInPlace() throws { try rename(successor, to: path) }
}
