import Glibc
import LinuxIO

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
    if let deadline, deadline <= .now { throw .timedOut }
    var entry = pollfd(fd: fd, events: events, revents: 0)
    _ = poll(&entry, 1, deadline?.pollTime ?? -1)
  }

  /// Waits for input or the end of the stream; false at the deadline.
  func hasInput(until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      var entry = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, deadline.pollTime) > 0 { return true }
      if deadline <= .now { return false }
    }
  }
}
