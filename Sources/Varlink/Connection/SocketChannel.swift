import Dispatch
import Glibc
import LinuxIO

/// One connected stream socket on a queue: bytes in, bytes out, and its end. Knows no messages.
/// Every member is used on `queue` only, which also guards all of its state.
final class SocketChannel: @unchecked Sendable {
  enum End: Equatable {
    /// The peer sends no more but may still read: shutdown(2).
    case halfClosed
    /// The peer has closed, or the connection broke.
    case gone
  }

  private let fd: Int32
  private let queue: DispatchQueue
  private let scratch: ReadBuffer
  private let epoll: Epoll
  /// The socket took less than there is.
  private var awaitsRoom = false {
    didSet { if awaitsRoom != oldValue { watchForReadiness() } }
  }
  private var unsent: [UInt8] = []
  /// Bytes at the front of `unsent` that are sent.
  private var sent = 0
  private var closesWhenSent = false
  private(set) var isClosed = false
  private var hasEnded = false
  private var isFlushComing = false
  /// With more than that the peer has enough to do.
  private static let sentAtOnce = 1 << 16

  /// Called with what one read(2) brought; the bytes are gone afterwards.
  var onBytes: ((UnsafeRawBufferPointer) -> Void)?
  /// Called when less is unsent than before.
  var onSent: (() -> Void)?
  /// Called at most once, on a turn of its own: the peer's end, or ours by `close()` (`gone`).
  var onEnd: ((End) -> Void)?

  /// Takes over `fd`, which is made non-blocking. Reading is paused. `epoll` is of the same queue.
  init(fd: Int32, queue: DispatchQueue, epoll: Epoll, scratch: ReadBuffer) {
    self.fd = fd
    self.queue = queue
    self.epoll = epoll
    self.scratch = scratch
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    epoll.add(fd) { [weak self] in self?.isReady(for: $0) }
  }

  deinit {
    guard !isClosed else { return }
    queue.async { [epoll, fd] in
      epoll.remove(fd)
      Glibc.close(fd)
    }
  }

  /// Whether bytes are taken from the socket. A pause costs nothing while it lasts.
  var isReading = false {
    didSet { if isReading != oldValue { watchForReadiness() } }
  }

  /// Whether the other end has closed the connection altogether, maybe before all that it sent was read.
  var isLeft: Bool {
    var entry = pollfd(fd: fd, events: 0, revents: 0)
    return !isClosed && poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Whether the peer's end is noticed while nothing is read. Bytes that it sent before are lost then.
  var noticesEnd = false {
    didSet { if noticesEnd != oldValue { watchForReadiness() } }
  }

  /// Bytes of memory in use.
  var heldBytes: Int { unsent.capacity }

  /// Bytes handed to `send` that the kernel has not taken yet.
  var unsentBytes: Int { unsent.count - sent }

  /// Sends what the socket takes when the queue gets to it, so that what is said at once leaves at once and wakes the
  /// peer once; the rest as it drains. Nothing after the end.
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

  /// Closes when everything is sent.
  func closeWhenSent() {
    closesWhenSent = true
    if unsent.isEmpty { close() }
  }

  /// Closes at once; what is unsent is lost.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    epoll.remove(fd)
    Glibc.close(fd)
    unsent = []
    sent = 0
    queue.async { self.end(.gone) }
  }

  private func watchForReadiness() {
    guard !isClosed else { return }
    var readiness: Epoll.Readiness = []
    if isReading { readiness.insert(.readable) }
    if awaitsRoom { readiness.insert(.writable) }
    // Reading and writing meet the end themselves.
    if readiness.isEmpty, noticesEnd { readiness = .end }
    if !epoll.watch(fd, for: readiness) { close() }
  }

  private func isReady(for readiness: Epoll.Readiness) {
    if readiness.contains(.end) { return close() }
    if readiness.contains(.readable) { readOnce() }
    guard readiness.contains(.writable), awaitsRoom, !isClosed else { return }
    flush()
    onSent?()
  }

  private func readOnce() {
    guard isReading, !isClosed else { return }
    let count = recv(fd, scratch.bytes.baseAddress, scratch.bytes.count, 0)
    if count > 0 {
      onBytes?(UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count]))
    } else if count == 0 {
      isReading = false
      if looksHungUp { close() } else { end(.halfClosed) }
    } else if errno != EAGAIN && errno != EINTR {
      close()
    }
  }

  private var looksHungUp: Bool {
    var entry = pollfd(fd: fd, events: 0, revents: 0)
    return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLHUP | POLLERR) != 0
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

  /// Moves what is left to the front once most of it is sent: each byte is moved at most once.
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
