import CLinux
import Dispatch
import EggTime
import Glibc
import LinuxIO

/// The connection to eggd-wake, which keeps the machine's timer. The service manager starts it for the first connection.
/// Confined to its queue, but for the release.
final class WakerConnection {
  /// As eggd-wake sends it (`Waker.Answer`).
  enum Answer: UInt8 {
    case armed = 0
    case notPermitted = 1
    /// The timer is armed, but no clock of the machine wakes it.
    case noClock = 2
    /// The last moment is past. Not an answer: sent when it happens.
    case past = 3
  }

  private let socket: Int32
  private let epoll: Epoll

  /// nil where nobody listens. `heard` gets each answer, and nil when the connection has ended.
  init?(path: String, queue: DispatchQueue, heard: @escaping (Answer?) -> Void) {
    // A service manager's backlog is not full for that long.
    guard let socket = try? UnixSocket.connect(path: path, timeout: .milliseconds(10)) else { return nil }
    guard let epoll = try? Epoll(queue: queue) else {
      close(socket)
      return nil
    }
    self.socket = socket
    self.epoll = epoll
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    epoll.add(socket) { _ in
      var byte: UInt8 = 0
      let count = read(socket, &byte, 1)
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      // What is no answer ends the connection too.
      heard(count == 1 ? Answer(rawValue: byte) : nil)
    }
    guard epoll.watch(socket, for: .readable) else { return nil }
  }

  deinit { epoll.closeLater(socket) }

  /// Whether the service manager behind the socket lacks CAP_WAKE_ALARM: it cannot give it to eggd-wake, which then does
  /// not start.
  var managerLacksCapability: Bool {
    PeerCredentials(ofPeerOn: socket).map { $0.pid > 0 && clinux_may_wake($0.pid) == 0 } ?? false
  }

  /// nil for none. Eight bytes always fit, because each moment is answered.
  func tell(_ moment: Instant?) {
    var bytes = (moment?.microseconds ?? 0).littleEndian
    _ = send(socket, &bytes, 8, Int32(MSG_NOSIGNAL))
  }
}
