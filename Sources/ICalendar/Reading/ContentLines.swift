/// One logical line of an iCalendar file, unfolded.
struct ContentLine {
  /// Of its first line in the file, counted from 1.
  var number = 1
  /// Without the line end; at most ``ContentLines/longest``.
  var bytes: [UInt8] = []
  /// Whether the line was longer than ``ContentLines/longest``.
  var isCut = false
}

/// Joins bytes to content lines: RFC 5545 §3.1. Lines may also end with LF alone.
///
/// Holds one line at a time. A character that was split by a fold is put together again.
struct ContentLines {
  /// Bytes kept of one line. Attachments can be of any size, and are not read.
  static let longest = 1 << 16

  private var line = ContentLine()
  private var number = 1
  /// Whether the next byte begins a physical line.
  private var isAtStart = true

  /// Calls `take` for each line that these bytes complete. Empty lines are skipped.
  mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ContentLine) -> Void) {
    var position = 0
    while position < bytes.count {
      if isAtStart {
        isAtStart = false
        if bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\t") {
          position += 1
        } else {
          flush(take)
        }
        continue
      }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      let length = rest.firstIndex(of: UInt8(ascii: "\n"))
      append(UnsafeRawBufferPointer(rebasing: rest[..<(length ?? rest.count)]))
      guard let length else { return }
      if line.bytes.last == UInt8(ascii: "\r") { line.bytes.removeLast() }
      position += length + 1
      number += 1
      isAtStart = true
    }
  }

  /// Calls `take` for the last line if no line end follows it.
  mutating func end(_ take: (ContentLine) -> Void) {
    if line.bytes.last == UInt8(ascii: "\r") { line.bytes.removeLast() }
    flush(take)
  }

  private mutating func append(_ piece: UnsafeRawBufferPointer) {
    let room = Self.longest - line.bytes.count
    line.bytes.append(contentsOf: piece.prefix(room))
    if piece.count > room { line.isCut = true }
  }

  private mutating func flush(_ take: (ContentLine) -> Void) {
    if line.number == 1, line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { line.bytes.removeFirst(3) }
    if !line.bytes.isEmpty { take(line) }
    line.bytes.removeAll(keepingCapacity: true)
    line.isCut = false
    line.number = number
  }
}
