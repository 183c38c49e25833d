import Dispatch
import Glibc
import LinuxIO

/// One connected stream socket: bytes in, bytes out, and its end. Knows no messages. All members are used on
/// `queue` only, which guards the state.
final class SocketChannel: @unchecked Sendable {
  enum End: Equatable {
    /// The peer sends no more but may still read: shutdown(2).
    case halfClosed
    /// The peer closed, or the connection broke.
    case gone
  }

  private let fd: Int32
  private let queue: DispatchQueue
  private let bytesPerRead: Int
  private let epoll: Epoll
  /// The kernel took less than was offered.
  private var awaitsRoom = false {
    didSet { if awaitsRoom != oldValue { watchForReadiness() } }
  }
  private var unsent: [UInt8] = []
  /// Bytes at the start of `unsent` that are already sent.
  private var sent = 0
  private var closesWhenSent = false
  private(set) var isClosed = false
  private var hasEnded = false
  private var isFlushComing = false
  /// Once this much is pending, it is sent without waiting for the end of the turn.
  private static let sentAtOnce = 1 << 16

  /// Called with the bytes of one read(2), valid during the call only.
  var onBytes: ((UnsafeRawBufferPointer) -> Void)?
  /// Called when `unsent` has shrunk.
  var onSent: (() -> Void)?
  /// Called at most once, asynchronously, with the peer's end or ours by `close()` (`gone`).
  var onEnd: ((End) -> Void)?

  /// Takes over `fd` and makes it non-blocking. Starts with reading paused. `epoll` belongs to the same
  /// queue.
  init(fd: Int32, queue: DispatchQueue, epoll: Epoll, bytesPerRead: Int) {
    self.fd = fd
    self.queue = queue
    self.epoll = epoll
    self.bytesPerRead = bytesPerRead
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    epoll.add(fd) { [weak self] in self?.react(to: $0) }
  }

  deinit {
    if !isClosed { epoll.closeLater(fd) }
  }

  /// Whether to read from the socket. A pause costs nothing.
  var isReading = false {
    didSet { if isReading != oldValue { watchForReadiness() } }
  }

  /// Whether the peer has closed the connection entirely, even if some of its bytes are unread.
  var isLeft: Bool {
    var entry = pollfd(fd: fd, events: 0, revents: 0)
    return !isClosed && poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Whether to notice the peer's end while not reading. Its unread bytes are lost then.
  var noticesEnd = false {
    didSet { if noticesEnd != oldValue { watchForReadiness() } }
  }

  /// Memory in use, in bytes.
  var heldBytes: Int { unsent.capacity }

  /// Bytes passed to `send` that the kernel has not taken yet.
  var unsentBytes: Int { unsent.count - sent }

  /// Sends when the queue next gets to it, so that everything said at once leaves in one write and wakes the
  /// peer once. The rest follows as the socket drains. Ignored after the end.
  func send(_ bytes: [UInt8]) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, !closesWhenSent else { return }
    if unsent.isEmpty { unsent = bytes } else { unsent += bytes }
    guard !awaitsRoom, !isFlushComing else {
      if isFlushComing, unsentBytes >= Self.sentAtOnce { flush() }
      return
    }
    isFlushComing = true
    queue.async { [weak self] in
      guard let self else { return }
      isFlushComing = false
      guard !isClosed, !awaitsRoom else { return }
      flush()
      onSent?()
    }
  }

  func closeWhenSent() {
    closesWhenSent = true
    if unsent.isEmpty { close() }
  }

  /// Closes at once and drops unsent bytes.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    epoll.close(fd)
    unsent = []
    sent = 0
    queue.async { self.end(.gone) }
  }

  private func watchForReadiness() {
    guard !isClosed else { return }
    var readiness: Epoll.Readiness = []
    if isReading { readiness.insert(.readable) }
    if awaitsRoom { readiness.insert(.writable) }
    // Reading and writing notice the end themselves.
    if readiness.isEmpty, noticesEnd { readiness = .end }
    if !epoll.watch(fd, for: readiness) { close() }
  }

  private func react(to readiness: Epoll.Readiness) {
    if readiness.contains(.end) { return close() }
    if readiness.contains(.readable) { readOnce() }
    guard readiness.contains(.writable), awaitsRoom, !isClosed else { return }
    flush()
    onSent?()
  }

  private func readOnce() {
    guard isReading, !isClosed else { return }
    withUnsafeTemporaryAllocation(byteCount: bytesPerRead, alignment: 16) { bytes in
      let count = recv(fd, bytes.baseAddress, bytes.count, 0)
      if count > 0 {
        onBytes?(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      } else if count == 0 {
        isReading = false
        if isLeft { close() } else { end(.halfClosed) }
      } else if errno != EAGAIN && errno != EINTR {
        close()
      }
    }
  }

  private func flush() {
    while sent < unsent.count {
      let count = unsent.withUnsafeBytes { bytes in
        Glibc.send(fd, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { return close() }
        dropSent()
        awaitsRoom = true
        return
      }
      sent += count
    }
    unsent = []
    sent = 0
    awaitsRoom = false
    if closesWhenSent { close() }
  }

  /// Once most is sent, moves the rest to the front: each byte moves at most once.
  private func dropSent() {
    guard sent > unsent.count / 2 else { return }
    unsent.removeFirst(sent)
    sent = 0
  }

  private func end(_ how: End) {
    guard !hasEnded || how == .gone else { return }
    hasEnded = true
    let action = onEnd
    if how == .gone {
      onEnd = nil
      onBytes = nil
      onSent = nil
    }
    action?(how)
  }
}
