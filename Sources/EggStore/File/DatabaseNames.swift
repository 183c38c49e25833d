import EggTime
import GRDB
import Glibc

/// The files beside the database, and which of them is which.
extension DatabaseFile {
  /// What tells whether a file has changed since it was looked at.
  struct State: Equatable {
    var identity: Identity
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  /// nil when there is no file.
  var state: State? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return State(
      identity: Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino)), size: Int(status.st_size),
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
  }

  /// Directory and name.
  var parts: (directory: String, name: String) {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return (String(path[..<slash]), String(path[path.index(after: slash)...]))
  }

  /// The file behind symbolic links, as SQLite puts -wal beside that one; the path itself where there is
  /// none.
  static func resolve(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Where a salvage puts its complete result, before the corrupt file makes room for it.
  var salvaged: String { path + ".salvaged" }

  /// What SQLite keeps beside a database.
  static let companions = ["-wal", "-shm", "-journal"]

  /// The disk has no room for the copy that is made before an upgrade.
  struct NoRoomForCopy: Error {
    /// What it needs, in bytes.
    var size: Int
  }

  /// The size of the database, in bytes.
  var size: Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether a copy is likely to fit on the disk.
  var hasRoomForCopy: Bool {
    var status = statvfs()
    guard statvfs(parts.directory, &status) == 0 else { return true }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) > UInt64(size)
  }

  /// Copies the database as `name`: a file of that name is whole.
  func copy(_ database: Database, as name: String) throws {
    let unfinished = path + ".copying"
    // What an eggd that was killed meanwhile has left.
    func remove() { for end in [""] + Self.companions { unlink(unfinished + end) } }
    remove()
    do {
      try database.execute(sql: "VACUUM INTO ?", arguments: [unfinished])
    } catch {
      // Half a copy takes room that others need.
      remove()
      throw StoreFailure(error) == .full ? NoRoomForCopy(size: size) : error
    }
    let descriptor = Glibc.open(unfinished, O_RDONLY | O_CLOEXEC)
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0, rename(unfinished, name) == 0 else {
      throw DatabaseError(resultCode: .SQLITE_IOERR, message: String(cString: strerror(errno)))
    }
    syncDirectory()
  }

  /// Renames the database with what SQLite keeps beside it; what follows `path` is kept.
  ///
  /// - Returns: The new name of the database.
  func setAside(as suffix: String, at moment: Instant) throws -> String {
    let stamp = AlarmStore.stamp(moment)
    var name = path + ".\(suffix)-\(stamp)"
    var count = 1
    while access(name, F_OK) == 0 {
      count += 1
      name = path + ".\(suffix)-\(stamp)-\(count)"
    }
    // The database first: if eggd ends in between, `setAsideStray` finds a log that has none.
    for end in [""] + Self.companions where access(path + end, F_OK) == 0 {
      guard rename(path + end, name + end) == 0 else {
        throw DatabaseError(resultCode: .SQLITE_IOERR, message: String(cString: strerror(errno)))
      }
    }
    syncDirectory()
    return name
  }

  /// A log whose database is gone must not be replayed onto a new one.
  func setAsideStray(at moment: Instant) throws {
    guard access(path, F_OK) != 0, access(path + "-wal", F_OK) == 0 else { return }
    _ = try setAside(as: "stray", at: moment)
  }

  /// Takes up a salvage that ended between its two renames; what one left that ended before them is of no use.
  func finishSalvage(at moment: Instant) throws {
    guard access(path, F_OK) != 0 else {
      unlink(salvaged)
      return
    }
    guard access(salvaged, F_OK) == 0 else { return }
    try setAsideStray(at: moment)
    try putSalvagedInPlace()
  }

  func putSalvagedInPlace() throws {
    guard rename(salvaged, path) == 0 else {
      throw DatabaseError(resultCode: .SQLITE_IOERR, message: String(cString: strerror(errno)))
    }
    syncDirectory()
  }

  /// fsync(2) of the directory: the names are as durable as what they name.
  func syncDirectory() {
    let descriptor = Glibc.open(parts.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    Glibc.close(descriptor)
  }
}
