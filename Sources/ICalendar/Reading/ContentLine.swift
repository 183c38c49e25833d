/// One logical line of an iCalendar file, unfolded: RFC 5545 §3.1. Lines may also end with LF alone.
struct ContentLine {
  /// Bytes kept of one line. Attachments can be of any size, and are of no use here.
  static let longest = 1 << 16

  /// Of its first line in the file, counted from 1.
  var number = 1
  /// Without the line end; at most ``longest``. A character that was split by a fold is put together again.
  var bytes: [UInt8]
  /// Whether the line was longer than ``longest``.
  var isCut = false

  /// Empty lines are skipped.
  static func all(in file: [UInt8]) -> [ContentLine] {
    ComponentLines.lines(of: file).map { line in
      let bytes = line.unfolded
      return ContentLine(
        number: line.number, bytes: Array(bytes.prefix(longest)), isCut: bytes.count > longest)
    }
  }
}
