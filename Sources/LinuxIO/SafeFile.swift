import Glibc

/// Opens files where other users may have put something in their place: nothing is followed, nothing that was there is
/// overwritten, and nothing makes the caller wait.
package enum SafeFile {
  package enum Failure: Error, Equatable, Sendable {
    /// The value of errno.
    case failed(Int32)
    /// A directory, FIFO, socket or device.
    case notRegular
    /// Another user's, or a second name of a file.
    case notOurs

    /// In the words of errno(3), for those who have none of their own.
    package var code: Int32 {
      switch self {
      case .failed(let code): code
      case .notRegular: EINVAL
      case .notOurs: EPERM
      }
    }
  }

  /// Makes a file for its owner alone and opens it for writing. EEXIST where anything has that name.
  package static func create(_ path: String) throws(Failure) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(errno) }
    // The umask may have taken more.
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// The same with these contents, synced. Leaves no part of them where that fails.
  ///
  /// - Parameter old: A file that it will replace, if it is one: it gets the same mode and group.
  package static func write(_ bytes: [UInt8], to path: String, like old: String? = nil) throws(Failure) {
    let descriptor = try create(path)
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw given(up: path) }
      rest = rest.dropFirst(count)
    }
    if let old { imitate(old, descriptor) }
    guard fsync(descriptor) == 0 else { throw given(up: path) }
  }

  private static func imitate(_ old: String, _ descriptor: Int32) {
    var status = stat()
    guard lstat(old, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    var mode = status.st_mode & 0o777
    // What the old group may do, another one may not.
    if fchown(descriptor, uid_t.max, status.st_gid) != 0 { mode = mode & 0o707 | (mode & 0o007) << 3 }
    fchmod(descriptor, mode)
  }

  private static func given(up path: String) -> Failure {
    let code = errno
    unlink(path)
    return .failed(code)
  }

  /// Opens this user's own file for reading and writing; makes it where it is missing.
  package static func openOwn(_ path: String) throws(Failure) -> Int32 {
    try opened(path, O_RDWR | O_CREAT | O_NOFOLLOW) { $0.st_uid == geteuid() && $0.st_nlink == 1 }
  }

  /// The beginning of a regular file, at most so many bytes. Follows links.
  package static func read(_ path: String, upTo most: Int) throws(Failure) -> [UInt8] {
    let descriptor = try opened(path, O_RDONLY) { _ in true }
    defer { close(descriptor) }
    return try read(descriptor, upTo: most)
  }

  /// The same of this user's own file, which is no link.
  package static func readOwn(_ path: String, upTo most: Int) throws(Failure) -> [UInt8] {
    let descriptor = try opened(path, O_RDONLY | O_NOFOLLOW) { $0.st_uid == geteuid() }
    defer { close(descriptor) }
    return try read(descriptor, upTo: most)
  }

  private static func opened(
    _ path: String, _ flags: Int32, isOurs: (stat) -> Bool
  ) throws(Failure) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
    guard descriptor >= 0 else { throw .failed(errno) }
    var status = stat()
    let failure: Failure? =
      if fstat(descriptor, &status) != 0 {
        .failed(errno)
      } else if status.st_mode & S_IFMT != S_IFREG {
        .notRegular
      } else if !isOurs(status) {
        .notOurs
      } else {
        nil
      }
    guard let failure else { return descriptor }
    close(descriptor)
    throw failure
  }

  private static func read(_ descriptor: Int32, upTo most: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < most {
      var failure: Int32?
      // Not cleared first: most files are much shorter.
      let piece = [UInt8](unsafeUninitializedCapacity: min(most - bytes.count, 1 << 16)) { space, count in
        var result = -1
        repeat {
          result = Glibc.read(descriptor, space.baseAddress, space.count)
        } while result < 0 && errno == EINTR
        if result < 0 { failure = errno }
        count = max(result, 0)
      }
      if let failure { throw .failed(failure) }
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }
}
