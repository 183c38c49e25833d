import CLinux
import EggTime
import Glibc
import LinuxIO

/// The directory that holds the database, locked against a second eggd until it is unlocked or this lives no more.
package final class StateDirectory: Sendable {
  /// The directory, without symbolic links.
  package let path: String
  /// When the last alarm rang that an eggd before this one could not record; nil where none did.
  package let rangUntil: Instant?
  private let lock: Int32
  /// The file `unrecorded`, which holds ``rangUntil``; -1 where none can be made.
  private let unrecorded: Int32

  /// Makes the directory where it is missing, for its owner alone (0700), and locks it.
  ///
  /// The lock is on the file `lock`, which holds our pid; where no file can be made, on the directory itself.
  /// - Parameters:
  ///   - path: `$XDG_STATE_HOME/eggd`, absolute.
  ///   - isSandboxed: What is read-only is so by the unit's sandbox: eggd starts without that rather than not write.
  package init(path: String, isSandboxed: Bool = false) throws(StoreOpenError) {
    do throws(StoreOpenError) {
      try Self.make(path)
    } catch {
      if isSandboxed, Self.isReadOnly(path) { throw .sandboxed(path: path) }
      throw error
    }
    if isSandboxed, Self.isReadOnly(path) { throw .sandboxed(path: path) }
    self.path = DatabaseFile.resolve(path)
    try Self.checkName(path, of: self.path)
    try Self.check(self.path)
    lock = try Self.lock(self.path)
    unrecorded = open(
      self.path + "/unrecorded", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    var bytes = [UInt8](repeating: 0, count: Self.digits)
    let count = pread(unrecorded, &bytes, bytes.count, 0)
    let moment = count > 0 ? Int64(String(decoding: bytes[..<count], as: UTF8.self)) : nil
    rangUntil = moment.flatMap { $0 > 0 ? Instant(microseconds: $0) : nil }
    note(rangUntil: rangUntil ?? Instant(microseconds: 0))
  }

  private static let digits = 20

  /// Rings up to that moment, in µs, could not be recorded. Always as long, so that a full disk takes it, too.
  func note(rangUntil moment: Instant) {
    let number = Array("\(max(moment.microseconds, 0))".utf8)
    let text = Array(repeating: UInt8(ascii: "0"), count: max(Self.digits - number.count, 0)) + number
    // Without it an alarm that rings once more gives another reason for that.
    _ = pwrite(unrecorded, text, text.count, 0)
  }

  deinit {
    Glibc.close(lock)
    if unrecorded >= 0 { Glibc.close(unrecorded) }
  }

  /// Lets another eggd have it; nothing in it is used any more. Closing would not do where a process that was just forked
  /// has the descriptor, too.
  func unlock() { flock(lock, LOCK_UN) }

  /// Whether the closest directory above it that exists, or it itself, is on a file system that takes no writes.
  private static func isReadOnly(_ path: String) -> Bool {
    var path = path
    while access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = String(path[..<slash])
    }
    return access(path, W_OK) != 0 && errno == EROFS
  }

  private static func make(_ path: String) throws(StoreOpenError) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      guard mkdir(String(path[..<end]), 0o700) != 0, errno != EEXIST else { continue }
      // Above an existing directory mkdir may fail in other ways (EROFS, EACCES); only what is missing
      // matters.
      let failure = errno
      guard access(String(path[..<end]), F_OK) != 0 else { continue }
      throw Self.error(failure, path)
    }
  }

  /// Throws where another user could put another directory in the place of this one.
  private static func checkName(_ path: String, of directory: String) throws(StoreOpenError) {
    for name in [path, directory] {
      if let open = FileSystem.openParent(of: name) {
        throw .notPermitted(path: open, reason: "anybody can replace what is in it")
      }
    }
    // Root's link is one that was meant. In a user namespace root is the overflow user, as everybody else is.
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    guard [geteuid(), 0, FileSystem.overflowUser].contains(status.st_uid) else {
      throw .notPermitted(path: path, reason: "it is a link of user \(status.st_uid)")
    }
  }

  private static func check(_ path: String) throws(StoreOpenError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.error(errno, path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .notPermitted(path: path, reason: "it is not a directory")
    }
    guard status.st_uid == geteuid() else {
      throw .notPermitted(path: path, reason: "it belongs to user \(status.st_uid)")
    }
    // A read-only disk does not let us, and then nobody else can write there either.
    if status.st_mode & 0o777 != 0o700 { chmod(path, 0o700) }
    if status.st_mode & 0o022 != 0, let (file, owner) = foreignFile(in: path) {
      // As open as it was, so that the next start finds it too.
      chmod(path, status.st_mode & 0o7777)
      throw .notPermitted(
        path: file, reason: "it belongs to user \(owner), and others could write to its directory")
    }
    if let type = FileSystem.network(path) { throw .networkFileSystem(path: path, type: type) }
  }

  /// One of our files that another user has put there.
  private static func foreignFile(in directory: String) -> (path: String, owner: uid_t)? {
    let database = "/schedule.db"
    for name in [
      "/lock", "/unrecorded", database, database + "-wal", database + "-shm", database + ".salvaged",
    ] {
      var status = stat()
      guard lstat(directory + name, &status) == 0, status.st_uid != geteuid() else { continue }
      return (directory + name, status.st_uid)
    }
    return nil
  }

  private static func lock(_ directory: String) throws(StoreOpenError) -> Int32 {
    let path = directory + "/lock"
    let writable = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    var descriptor = writable
    if descriptor < 0 { descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    if descriptor < 0 { descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw error(errno, directory) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let failure = errno
      let pid = pid(in: descriptor)
      Glibc.close(descriptor)
      throw failure == EWOULDBLOCK ? .locked(path: directory, pid: pid) : error(failure, directory)
    }
    if writable >= 0 {
      let text = "\(getpid())\n"
      ftruncate(descriptor, 0)
      // On a full disk the lock holds without it.
      _ = pwrite(descriptor, text, text.utf8.count, 0)
    }
    return descriptor
  }

  private static func pid(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes[..<count].prefix { $0 != 0x0a }, as: UTF8.self))
  }

  private static func error(_ code: Int32, _ path: String) -> StoreOpenError {
    let reason = String(cString: strerror(code))
    return switch code {
    case EACCES, EPERM, ENOTDIR, ELOOP, ENAMETOOLONG: .notPermitted(path: path, reason: reason)
    default: .cannotOpen(path: path, reason: reason)
    }
  }
}
