import CLinux
import Glibc

/// Stream sockets in the file system (unix(7)).
public enum UnixSocket {
  /// A system call's error number.
  public struct Failure: Error, Equatable, Sendable {
    /// ENAMETOOLONG when the path has more than `longestPath` bytes.
    public let errno: Int32
  }

  /// The length of sun_path without its NUL.
  public static let longestPath = 107

  /// A connected, blocking socket, closed on exec. With a time-out (whole microseconds), EAGAIN means that
  /// the server's backlog stayed full.
  public static func connect(path: String, timeout: Duration? = nil) throws(Failure) -> Int32 {
    let fd = try open(path: path, flags: 0)
    if let timeout { setSendTimeout(fd, timeout) }
    while true {
      if withAddress(of: path, { Glibc.connect(fd, $0, $1) }) == 0 { break }
      let code = Glibc.errno
      if code == EINTR { continue }
      Glibc.close(fd)
      throw Failure(errno: code)
    }
    if timeout != nil { setSendTimeout(fd, .zero) }
    return fd
  }

  /// A listening, non-blocking socket, closed on exec. The file has exactly the mode 0600 before anyone can connect.
  /// Throws EADDRINUSE if the path exists; the caller decides what to do.
  public static func listen(path: String) throws(Failure) -> Int32 {
    let fd = try open(path: path, flags: Int32(SOCK_NONBLOCK.rawValue))
    let isBound = withAddress(of: path, { bind(fd, $0, $1) }) == 0
    if isBound, chmod(path, 0o600) == 0, Glibc.listen(fd, SOMAXCONN) == 0 { return fd }
    let code = Glibc.errno
    Glibc.close(fd)
    if isBound { unlink(path) }
    throw Failure(errno: code)
  }

  private static func open(path: String, flags: Int32) throws(Failure) -> Int32 {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Failure(errno: EINVAL) }
    guard path.utf8.count <= longestPath else { throw Failure(errno: ENAMETOOLONG) }
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags
    let fd = socket(AF_UNIX, type, 0)
    guard fd >= 0 else { throw Failure(errno: Glibc.errno) }
    return fd
  }

  /// - Parameter path: At most ``longestPath`` bytes.
  package static func withAddress<Result>(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// SO_SNDTIMEO, which also limits connect(2); zero for no limit.
  private static func setSendTimeout(_ fd: Int32, _ timeout: Duration) {
    let (seconds, attoseconds) = timeout.components
    var value = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &value, socklen_t(MemoryLayout<timeval>.size))
  }
}

extension ContinuousClock.Instant {
  /// How long from now, for poll(2): in ms, rounded up; a day at most, and 0 when it has passed.
  package var pollTime: Int32 {
    let (seconds, attoseconds) = min(ContinuousClock.now.duration(to: self), .seconds(86_400)).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

/// The peer of a socket, as recorded by the kernel at connect(2) (SO_PEERCRED, socket(7)).
public struct PeerCredentials: Sendable, Equatable {
  /// 0 outside our pid namespace.
  public let pid: Int32
  /// 65534 outside our user namespace.
  public let uid: UInt32

  public init(pid: Int32, uid: UInt32) {
    self.pid = pid
    self.uid = uid
  }

  /// nil unless `fd` is a connected Unix socket.
  public init?(ofPeerOn fd: Int32) {
    var credentials = clinux_ucred()
    guard clinux_peer_credentials(fd, &credentials) == 0 else { return nil }
    self.init(pid: credentials.pid, uid: credentials.uid)
  }

  /// Whether the peer runs as our effective user.
  public static func isOurUser(_ peer: PeerCredentials) -> Bool { peer.uid == geteuid() }
}
