import Glibc
import LinuxIO
import Synchronization

/// The socket that eggd makes if none was passed on.
package final class ListeningSocket: Sendable {
  package let descriptor: Int32
  private let path: String
  private let isThere = Mutex(true)

  package enum Failure: Error, Hashable, Sendable {
    /// Another process accepts connections there.
    case inUse(path: String)
    case pathTooLong(path: String, limit: Int)
    /// Another user has the directory, or could put another one in its place.
    case notOurs(path: String, reason: String)
    case failed(path: String, errno: Int32)

    /// 78 where a restart can't help, else 1.
    package var exitStatus: Int32 {
      switch self {
      case .pathTooLong, .notOurs: 78
      case .inUse, .failed: 1
      }
    }
  }

  /// Binds `path` (0600) in a directory of mode 0700, which is made where it is missing.
  ///
  /// To be called with the state's lock held. A socket file that nobody accepts on was left behind by an eggd
  /// that was killed: only after ECONNREFUSED it is removed.
  package init(path: String) throws(Failure) {
    self.path = path
    guard path.utf8.count <= UnixSocket.longestPath else {
      throw .pathTooLong(path: path, limit: UnixSocket.longestPath)
    }
    let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    if let missing = FileSystem.makeDirectories(directory) { throw .failed(path: missing, errno: errno) }
    var status = stat()
    guard lstat(directory, &status) == 0 else { throw .failed(path: directory, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .notOurs(path: directory, reason: "it is not a directory")
    }
    guard status.st_uid == geteuid() else {
      throw .notOurs(path: directory, reason: "it belongs to user \(status.st_uid)")
    }
    if let open = FileSystem.openParent(of: directory) {
      throw .notOurs(path: open, reason: "anybody can replace what is in it")
    }
    guard chmod(directory, 0o700) == 0 else { throw .failed(path: directory, errno: errno) }
    do {
      descriptor = try Self.bind(path)
    } catch {
      throw error.errno == EADDRINUSE ? .inUse(path: path) : .failed(path: path, errno: error.errno)
    }
  }

  private static func bind(_ path: String) throws(UnixSocket.Failure) -> Int32 {
    do {
      return try UnixSocket.listen(path: path)
    } catch {
      guard error.errno == EADDRINUSE, LettingGo.waits(for: { isAbandoned(path) }) else { throw error }
    }
    unlink(path)
    return try UnixSocket.listen(path: path)
  }

  /// A socket of ours that nobody accepts on. A file of another kind refuses connections too, and is not ours to
  /// remove.
  private static func isAbandoned(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
      return false
    }
    do {
      close(try UnixSocket.connect(path: path, timeout: LettingGo.patience))
      return false
    } catch {
      return error.errno == ECONNREFUSED
    }
  }

  /// Takes the file away again, once; the descriptor is its server's. To be called with the state's lock held: without
  /// it, another eggd may have a socket of its own there.
  package func remove() {
    isThere.withLock { isThere in
      if isThere { unlink(path) }
      isThere = false
    }
  }
}

extension ListeningSocket.Failure: CustomStringConvertible {
  /// One line, lower case.
  package var description: String {
    switch self {
    case .inUse(let path): "another process serves '\(path)'"
    case .pathTooLong(let path, let limit):
      "the socket's path '\(path)' is longer than \(limit) bytes: set XDG_RUNTIME_DIR to a shorter one"
    case .notOurs(let path, let reason): "cannot listen in '\(path)': \(reason)"
    case .failed(let path, let errno): "cannot listen on '\(path)': \(String(cString: strerror(errno)))"
    }
  }
}
