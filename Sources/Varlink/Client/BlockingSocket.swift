import Glibc

/// A connected stream socket whose reads and writes block, at most until a deadline.
struct BlockingSocket {
  let fd: Int32

  /// Sends all `bytes`.
  func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant?) throws(VarlinkClientError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          fd, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count >= 0 {
        sent += count
      } else {
        try waitOrThrow(for: Int16(POLLOUT), until: deadline)
      }
    }
  }

  /// Blocks until there is input; returns the number of bytes, at least 1.
  func receive(into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant?)
    throws(VarlinkClientError) -> Int
  {
    while true {
      let count = recv(fd, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { return count }
      if count == 0 { throw .disconnected }
      try waitOrThrow(for: Int16(POLLIN), until: deadline)
    }
  }

  /// After a failed call: waits if waiting can help, otherwise throws.
  private func waitOrThrow(for events: Int16, until deadline: ContinuousClock.Instant?)
    throws(VarlinkClientError)
  {
    guard errno == EAGAIN || errno == EINTR else { throw .disconnected }
    guard errno == EAGAIN else { return }
    var milliseconds: Int32 = -1
    if let deadline {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { throw .timedOut }
      milliseconds = Self.milliseconds(left)
    }
    var entry = pollfd(fd: fd, events: events, revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }

  /// Waits for input or the end of the stream; false at the deadline.
  func hasInput(until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = max(ContinuousClock.now.duration(to: deadline), .zero)
      var entry = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, left == .zero ? 0 : Self.milliseconds(left)) > 0 { return true }
      if left == .zero { return false }
    }
  }

  /// For poll(2), rounded up.
  private static func milliseconds(_ left: Duration) -> Int32 {
    let (seconds, attoseconds) = left.components
    return Int32(min(seconds, 86_400) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
