import Glibc

/// Cuts a byte stream into messages at their NULs. Owns no descriptor; holds no memory between messages.
struct FrameSplitter {
  /// A message, ended or not, has more bytes than are allowed.
  struct TooLong: Error {}

  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where the next message begins.
  private var start = 0
  /// There is no NUL from `start` up to here: each byte is looked at once, however slowly they come.
  private var searched = 0

  /// Consumed bytes are kept up to this, or to half of the buffer.
  static let mostConsumed = 64 << 10

  /// Messages of at most `limit` bytes, NUL not counted.
  init(limit: Int) {
    self.limit = limit
  }

  /// Bytes that belong to no message handed out yet.
  var pendingBytes: Int { buffer.count - start }

  /// Bytes of memory in use, those of messages handed out and room to grow included.
  var heldBytes: Int { buffer.capacity }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    buffer.append(contentsOf: bytes)
  }

  /// The next whole message without its NUL; nil until more bytes come.
  mutating func next() throws(TooLong) -> [UInt8]? {
    guard let terminator else {
      searched = buffer.count
      compact()
      if pendingBytes > limit { throw TooLong() }
      return nil
    }
    if terminator - start > limit { throw TooLong() }
    if start == 0, terminator == buffer.count - 1 { return whole() }
    let message = Array(buffer[start..<terminator])
    start = terminator + 1
    searched = start
    // A client that never stops sending leaves no moment at which all is consumed. Where half is, what is left moves
    // once for as many bytes as went.
    if start == buffer.count || start >= Self.mostConsumed && start >= buffer.count / 2 { compact() }
    return message
  }

  /// Whether `next()` would return a message or throw.
  mutating func hasMessage() -> Bool {
    if terminator != nil { return true }
    searched = buffer.count
    return pendingBytes > limit
  }

  /// The one message that is there, most often all that came: without a copy.
  private mutating func whole() -> [UInt8] {
    var message = buffer
    buffer = []
    searched = 0
    message.removeLast()
    return message
  }

  /// Where the next NUL is, by memchr(3).
  private var terminator: Int? {
    buffer.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start + searched, 0, bytes.count - searched)
      else {
        return nil
      }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Moves what is left to the front; the last message's memory is let go of.
  private mutating func compact() {
    guard start > 0 else { return }
    buffer = start == buffer.count ? [] : Array(buffer[start...])
    searched -= start
    start = 0
  }
}
