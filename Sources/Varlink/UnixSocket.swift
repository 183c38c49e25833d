import Glibc

/// Stream sockets in the file system (unix(7)).
public enum UnixSocket {
  /// A system call's error number, and the path.
  public struct Failure: Error, Equatable, Sendable {
    /// ENAMETOOLONG when the path has more than `longestPath` bytes.
    public let errno: Int32
    /// The call that failed.
    public let call: String
    /// As given.
    public let path: String
  }

  /// Bytes that fit sun_path beside its NUL.
  public static let longestPath = 107

  /// A connected, blocking socket, closed on exec.
  public static func connect(path: String) throws(Failure) -> Int32 {
    throw Failure(errno: ENOENT, call: "connect", path: path)
  }

  /// A listening, non-blocking socket, closed on exec; the file has exactly `mode` from its first moment on.
  /// Throws EADDRINUSE if the path exists: what to do about that is the caller's to decide.
  public static func listen(path: String, mode: mode_t = 0o600) throws(Failure) -> Int32 {
    throw Failure(errno: ENOENT, call: "bind", path: path)
  }
}
