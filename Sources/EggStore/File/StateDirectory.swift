import CLinux
import EggTime
import Glibc
import LinuxIO

/// The database's directory, locked against a second eggd until `unlock` or deinit.
package final class StateDirectory: Sendable {
  /// Without symbolic links.
  package let path: String
  /// The last ring that an earlier eggd could not record; nil for none.
  package let rangUntil: Instant?
  private let lock: Int32
  /// The descriptor of `unrecorded`, which holds ``rangUntil``; -1 if it cannot be made.
  private let unrecorded: Int32

  /// Makes the directory if missing, with mode 0700, and locks it. Waits up to ``LettingGo/patience`` for an eggd that
  /// has just ended.
  ///
  /// The lock is on the file `lock`, which holds the pid; if no file can be made, on the directory itself.
  /// - Parameters:
  ///   - path: `$XDG_STATE_HOME/eggd`, absolute.
  ///   - isSandboxed: A read-only directory is the fault of the unit's sandbox. eggd then starts without the
  ///     sandbox.
  package init(path: String, isSandboxed: Bool = false) throws(StoreOpenError) {
    let failure = FileSystem.makeDirectories(path) == nil ? nil : Self.error(errno, path)
    if isSandboxed, Self.isReadOnly(path) { throw .sandboxed(path: path) }
    if let failure { throw failure }
    self.path = DatabaseFile.resolve(path)
    try Self.checkName(path, of: self.path)
    try Self.check(self.path)
    lock = try Self.lock(self.path)
    unrecorded = (try? SafeFile.openOwn(self.path + "/unrecorded")) ?? -1
    rangUntil = Self.number(in: unrecorded).flatMap { $0 > 0 ? Instant(microseconds: $0) : nil }
    note(rangUntil: rangUntil ?? Instant(microseconds: 0))
  }

  private static let digits = 20

  /// Records that rings up to that moment, in µs, could not be stored. Fixed length, so that it fits on a
  /// full disk.
  func note(rangUntil moment: Instant) {
    let number = Array("\(max(moment.microseconds, 0))".utf8)
    let text = Array(repeating: UInt8(ascii: "0"), count: max(Self.digits - number.count, 0)) + number
    // Without it, an alarm that rings twice gives another reason for that.
    _ = pwrite(unrecorded, text, text.count, 0)
  }

  deinit {
    Glibc.close(lock)
    if unrecorded >= 0 { Glibc.close(unrecorded) }
  }

  /// Releases the directory to another eggd; the caller must not use it any more. Closing would not release
  /// the lock while a forked process has the descriptor.
  func unlock() { flock(lock, LOCK_UN) }

  /// Whether the directory, or its closest existing parent, is on a read-only file system.
  private static func isReadOnly(_ path: String) -> Bool {
    var path = path
    while access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = String(path[..<slash])
    }
    return access(path, W_OK) != 0 && errno == EROFS
  }

  /// Throws if another user could replace this directory.
  private static func checkName(_ path: String, of directory: String) throws(StoreOpenError) {
    for name in [path, directory] {
      if let open = FileSystem.openParent(of: name) {
        throw .notPermitted(path: open, reason: "anybody can replace what is in it")
      }
    }
    // root made its links on purpose. In a user namespace, root is the overflow user, like everybody else.
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    guard [geteuid(), 0, FileSystem.overflowUser].contains(status.st_uid) else {
      throw .notPermitted(path: path, reason: "it is a link of user \(status.st_uid)")
    }
  }

  private static func check(_ path: String) throws(StoreOpenError) {
    guard let status = FileSystem.status(path) else { throw Self.error(errno, path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .notPermitted(path: path, reason: "it is not a directory")
    }
    guard status.st_uid == geteuid() else {
      throw .notPermitted(path: path, reason: "it belongs to user \(status.st_uid)")
    }
    // Fails on a read-only disk, where nobody else can write either.
    if status.st_mode & 0o777 != 0o700 { chmod(path, 0o700) }
    if status.st_mode & 0o022 != 0, let (file, owner) = foreignFile(in: path) {
      // Restores the mode, so that the next start finds the same problem.
      chmod(path, status.st_mode & 0o7777)
      throw .notPermitted(
        path: file, reason: "it belongs to user \(owner), and others could write to its directory")
    }
    if let type = FileSystem.network(path) { throw .networkFileSystem(path: path, type: type) }
  }

  private static func foreignFile(in directory: String) -> (path: String, owner: uid_t)? {
    for name in FileSystem.names(in: directory) ?? [] {
      var status = stat()
      let path = "\(directory)/\(name)"
      guard name != "..", lstat(path, &status) == 0, status.st_uid != geteuid() else { continue }
      return (path, status.st_uid)
    }
    return nil
  }

  private static func lock(_ directory: String) throws(StoreOpenError) -> Int32 {
    let path = directory + "/lock"
    let writable = (try? SafeFile.openOwn(path)) ?? -1
    var descriptor = writable
    if descriptor < 0 { descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
    if descriptor < 0 { descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw error(errno, directory) }
    var failure: Int32 = 0
    _ = LettingGo.waits {
      failure = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
      return failure != EWOULDBLOCK
    }
    guard failure == 0 else {
      let pid = number(in: descriptor).flatMap { Int32(exactly: $0) }
      Glibc.close(descriptor)
      throw failure == EWOULDBLOCK ? .locked(path: directory, pid: pid) : error(failure, directory)
    }
    if writable >= 0 {
      let text = "\(getpid())\n"
      ftruncate(descriptor, 0)
      // On a full disk the lock holds without the pid.
      _ = pwrite(descriptor, text, text.utf8.count, 0)
    }
    return descriptor
  }

  /// The first line of a file.
  private static func number(in descriptor: Int32) -> Int64? {
    var bytes = [UInt8](repeating: 0, count: digits)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int64(String(decoding: bytes[..<count].prefix { $0 != 0x0a }, as: UTF8.self))
  }

  private static func error(_ code: Int32, _ path: String) -> StoreOpenError {
    let reason = String(cString: strerror(code))
    return switch code {
    case EACCES, EPERM, ENOTDIR, ELOOP, ENAMETOOLONG: .notPermitted(path: path, reason: reason)
    default: .cannotOpen(path: path, reason: reason)
    }
  }
}
