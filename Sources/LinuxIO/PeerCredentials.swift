import CLinux
import Glibc

/// The peer of a socket, as recorded by the kernel at connect(2) (SO_PEERCRED, socket(7)).
public struct PeerCredentials: Sendable, Equatable {
  /// 0 outside our pid namespace.
  public let pid: Int32
  /// 65534 outside our user namespace.
  public let uid: UInt32
  public let gid: UInt32

  public init(pid: Int32, uid: UInt32, gid: UInt32) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }

  /// nil unless `fd` is a connected Unix socket.
  public init?(ofPeerOn fd: Int32) {
    var credentials = clinux_ucred()
    guard clinux_peer_credentials(fd, &credentials) == 0 else { return nil }
    self.init(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
  }

  /// Whether the peer runs as our effective user.
  public static func isOurUser(_ peer: PeerCredentials) -> Bool { peer.uid == geteuid() }
}
