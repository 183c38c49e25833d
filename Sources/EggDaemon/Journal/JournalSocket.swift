import Glibc
import LinuxIO

/// Sends entries to journald without waiting. sd_journal_sendv(3) would wait for a journald that stalls. Here the caller
/// learns at once that it would have to wait, and can send the entry from a thread that may.
final class JournalSocket: Sendable {
  private let descriptor: Int32
  private let path: String

  private static let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  /// The longest that one try of ``wait(_:stalled:)`` takes, in µs.
  private static let patience: suseconds_t = 50_000
  private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

  /// `path` is where journald listens. It is looked up for each entry, because journald may start later or again.
  init(path: String) {
    self.path = path
    descriptor = socket(AF_UNIX, Self.kind, 0)
    var patience = timeval(tv_sec: 0, tv_usec: Self.patience)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether journald took the entry. It does not if it is absent, its queue is full, or the entry is too long for one
  /// message.
  func send(_ message: NativeMessage) -> Bool { send(message, Self.flags) == nil }

  /// Sends an entry and waits for a journald that is busy. `stalled` is called whenever it took nothing for ``patience``.
  ///
  /// - Returns: false if journald is absent, or the entry is too long for one message.
  func wait(_ message: NativeMessage, stalled: () -> Void = {}) -> Bool {
    while let failure = send(message, Int32(MSG_NOSIGNAL)) {
      guard failure == EAGAIN else { return false }
      stalled()
    }
    return true
  }

  /// nil if it was taken, otherwise why not.
  private func send(_ message: NativeMessage, _ flags: Int32) -> Int32? {
    guard path.utf8.count <= UnixSocket.longestPath else { return ENOENT }
    return UnixSocket.withAddress(of: path) { address, length in
      while true {
        let sent = sendto(descriptor, message.bytes, message.bytes.count, flags, address, length)
        if sent >= 0 { return nil }
        if errno != EINTR { return errno }
      }
    }
  }
}
