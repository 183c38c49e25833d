import Glibc

/// Splits a byte stream into NUL-terminated messages. Owns no descriptor; keeps no memory between messages.
struct FrameSplitter {
  /// A message, complete or not, is longer than allowed.
  struct TooLong: Error {}

  private let limit: Int
  private var buffer: [UInt8] = []
  /// Start of the next message.
  private var start = 0
  /// No NUL lies between `start` and here: each byte is searched once, however slowly they arrive.
  private var searched = 0

  /// Consumed bytes stay until they exceed this and half of the buffer.
  static let mostConsumed = 64 << 10

  /// `limit` is in bytes, without the NUL.
  init(limit: Int) {
    self.limit = limit
  }

  /// Bytes not yet returned as part of a message.
  var pendingBytes: Int { buffer.count - start }

  /// Memory in use, in bytes, including returned messages and spare capacity.
  var heldBytes: Int { buffer.capacity }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    buffer.append(contentsOf: bytes)
  }

  /// The next complete message without its NUL; nil until more bytes arrive.
  mutating func next() throws(TooLong) -> [UInt8]? {
    guard let terminator else {
      searched = buffer.count
      compact()
      if pendingBytes > limit { throw TooLong() }
      return nil
    }
    if terminator - start > limit { throw TooLong() }
    let message = Array(buffer[start..<terminator])
    start = terminator + 1
    searched = start
    // With a client that never pauses, the buffer is never fully consumed. Compacting at half moves each byte
    // at most once.
    if start == buffer.count || start >= Self.mostConsumed && start >= buffer.count / 2 { compact() }
    return message
  }

  /// Whether `next()` would return a message or throw.
  mutating func hasMessage() -> Bool {
    if terminator != nil { return true }
    searched = buffer.count
    return pendingBytes > limit
  }

  /// The next NUL, by memchr(3).
  private var terminator: Int? {
    buffer.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start + searched, 0, bytes.count - searched)
      else {
        return nil
      }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Moves the rest to the front and frees the last message.
  private mutating func compact() {
    guard start > 0 else { return }
    buffer = start == buffer.count ? [] : Array(buffer[start...])
    searched -= start
    start = 0
  }
}
