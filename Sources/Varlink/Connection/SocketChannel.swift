import Dispatch
import Glibc
import Synchronization

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
  private let reader: any DispatchSourceRead
  private var writer: (any DispatchSourceWrite)?
  private let openSources = SourceCount()
  private var isWriterRunning = false
  private var unsent: [UInt8] = []
  /// Bytes at the front of `unsent` that are sent.
  private var sent = 0
  private var closesWhenSent = false
  private(set) var isClosed = false
  private var hasEnded = false
  /// Dispatch tells of a hang-up once and then watches no more (SR-9033): what is left is read without being told.
  private var isHungUp = false
  private var isReadComing = false
  private var isFlushComing = false
  /// With more than that the peer has enough to do.
  private static let sentAtOnce = 1 << 16

  /// Called with what one read(2) brought; the bytes are gone afterwards.
  var onBytes: ((UnsafeRawBufferPointer) -> Void)?
  /// Called when less is unsent than before.
  var onSent: (() -> Void)?
  /// Called at most once, on a turn of its own: the peer's end, or ours by `close()` (`gone`).
  var onEnd: ((End) -> Void)?

  /// Takes over `fd`, which is made non-blocking. Reading is paused.
  init(fd: Int32, queue: DispatchQueue, scratch: ReadBuffer) {
    self.fd = fd
    self.queue = queue
    self.scratch = scratch
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    reader = DispatchSource.makeReadSource(fileDescriptor: fd, queue: queue)
    openSources.add(reader, closing: fd)
    reader.setEventHandler { [weak self] in self?.readOnce() }
  }

  deinit {
    cancelSources()
  }

  /// Whether bytes are taken from the socket. A pause costs nothing while it lasts.
  var isReading = false {
    didSet {
      guard isReading != oldValue, !isClosed else { return }
      if isReading { reader.resume() } else { reader.suspend() }
      readOnUntold()
    }
  }

  /// Bytes handed to `send` that the kernel has not taken yet.
  var unsentBytes: Int { unsent.count - sent }

  /// Sends what the socket takes when the queue gets to it, so that what is said at once leaves at once and wakes the
  /// peer once; the rest as it drains. Nothing after the end.
  func send(_ bytes: [UInt8]) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, !closesWhenSent else { return }
    if unsent.isEmpty { unsent = bytes } else { unsent += bytes }
    guard !isWriterRunning, !isFlushComing else {
      if isFlushComing, unsentBytes >= Self.sentAtOnce { flush() }
      return
    }
    isFlushComing = true
    queue.async { [weak self] in
      guard let self else { return }
      isFlushComing = false
      guard !isClosed, !isWriterRunning else { return }
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
    cancelSources()
    isClosed = true
    unsent = []
    sent = 0
    queue.async { self.end(.gone) }
  }

  private func readOnce() {
    guard isReading, !isClosed else { return }
    let count = recv(fd, scratch.bytes.baseAddress, scratch.bytes.count, 0)
    if count > 0 {
      onBytes?(UnsafeRawBufferPointer(rebasing: scratch.bytes[..<count]))
      isHungUp = isHungUp || looksHungUp
      readOnUntold()
    } else if count == 0 {
      isReading = false
      if looksHungUp { close() } else { end(.halfClosed) }
    } else if errno != EAGAIN && errno != EINTR {
      close()
    }
  }

  private func readOnUntold() {
    guard isHungUp, isReading, !isClosed, !isReadComing else { return }
    isReadComing = true
    queue.async { [weak self] in
      guard let self else { return }
      isReadComing = false
      readOnce()
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
        return setWriterRunning(true)
      }
      sent += count
    }
    unsent = []
    sent = 0
    setWriterRunning(false)
    if closesWhenSent { close() }
  }

  /// Moves what is left to the front once most of it is sent: each byte is moved at most once.
  private func dropSent() {
    guard sent > unsent.count / 2 else { return }
    unsent.removeFirst(sent)
    sent = 0
  }

  private func setWriterRunning(_ running: Bool) {
    guard running != isWriterRunning else { return }
    isWriterRunning = running
    let writer = self.writer ?? makeWriter()
    if running { writer.resume() } else { writer.suspend() }
  }

  private func makeWriter() -> any DispatchSourceWrite {
    let writer = DispatchSource.makeWriteSource(fileDescriptor: fd, queue: queue)
    openSources.add(writer, closing: fd)
    writer.setEventHandler { [weak self] in
      guard let self, !isClosed else { return }
      flush()
      onSent?()
    }
    self.writer = writer
    return writer
  }

  /// A suspended source must run once more to be let go of.
  private func cancelSources() {
    guard !isClosed else { return }
    reader.cancel()
    if !isReading { reader.resume() }
    writer?.cancel()
    if !isWriterRunning { writer?.resume() }
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

/// Closes a descriptor when the last source that watches it has let go of it (dispatch_source_cancel(3)).
private final class SourceCount: Sendable {
  private let count = Mutex(0)

  func add(_ source: any DispatchSourceProtocol, closing fd: Int32) {
    count.withLock { $0 += 1 }
    source.setCancelHandler { [self] in
      let left = count.withLock { count in
        count -= 1
        return count
      }
      if left == 0 { Glibc.close(fd) }
    }
  }
}
