import CLinux
import Glibc

/// Who is at the other end of a socket, as the kernel noted at connect(2) (SO_PEERCRED, socket(7)).
public struct PeerCredentials: Sendable, Equatable {
  /// Process; 0 if it is not of our pid namespace.
  public let pid: Int32
  /// User; 65534 if it is not of our user namespace.
  public let uid: UInt32
  /// Group.
  public let gid: UInt32

  /// As given.
  public init(pid: Int32, uid: UInt32, gid: UInt32) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }

  /// Asks the kernel; nil for what is no connected Unix socket.
  public init?(ofPeerOn fd: Int32) {
    var credentials = clinux_ucred()
    guard clinux_peer_credentials(fd, &credentials) == 0 else { return nil }
    self.init(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
  }

  /// Whether the peer runs as our effective user.
  public static func isOurUser(_ peer: PeerCredentials) -> Bool { peer.uid == geteuid() }
}
