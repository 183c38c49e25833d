import Glibc
import Testing

/// A socket in journald's place; entries are read on demand.
final class ListeningJournald: Sendable {
  let path = "/tmp/egg-journal-\(getpid())-\(UInt64.random(in: 0..<UInt64.max))"
  private let receiver: Int32

  init() throws {
    receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let bound = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
  }

  deinit {
    close(receiver)
    unlink(path)
  }

  /// The next message; nil for none.
  func received() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(receiver, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : Array(buffer.prefix(count))
  }
}
