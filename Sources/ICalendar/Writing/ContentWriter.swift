import EggTime

/// Writes content lines: RFC 5545 §3.1.
struct ContentWriter {
  private(set) var text = ""

  /// Bytes of a line without its end.
  private static let longest = 75

  /// Adds a line, folded if it is too long. No character is split.
  mutating func line(_ line: String) { text += String(decoding: Self.folded(line.utf8), as: UTF8.self) }

  /// A line with its end, folded if it is too long. No character of UTF-8 is split.
  static func folded(_ line: some Sequence<UInt8>) -> [UInt8] {
    var rest = Array(line)[...]
    var folded: [UInt8] = []
    var room = longest
    while rest.count > room {
      let places = (rest.startIndex + room - 3)...(rest.startIndex + room)
      // Where no character begins, it is no UTF-8.
      let end = places.last { rest[$0] & 0xC0 != 0x80 } ?? places.upperBound
      folded += rest[..<end] + Array("\r\n ".utf8)
      rest = rest[end...]
      room = longest - 1
    }
    return folded + rest + Array("\r\n".utf8)
  }

  /// Adds a text property; nothing if the text is nil.
  mutating func line(_ name: String, text: String?) {
    if let text { line("\(name):\(ContentText.escaped(text))") }
  }

  /// Adds a moment in UTC; nothing if it is nil.
  mutating func line(_ name: String, _ moment: Instant?) {
    if let moment { line("\(name):\(Self.utc(moment))") }
  }

  /// `20261120T213430Z`, rounded down to the second.
  static func utc(_ moment: Instant) -> String {
    BasicDateTime(Zone.utc.civil(at: moment), isUTC: true).description
  }
}
