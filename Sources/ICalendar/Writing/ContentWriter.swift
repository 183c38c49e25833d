import EggTime

/// Writes content lines: RFC 5545 §3.1.
struct ContentWriter {
  private(set) var text = ""

  /// Bytes of a line without its end.
  private static let longest = 75

  /// Adds a line, folded if it is too long. No character is split.
  mutating func line(_ line: String) {
    if line.utf8.count <= Self.longest {
      text += line
    } else {
      var room = Self.longest
      for scalar in line.unicodeScalars {
        let size = UTF8.width(scalar)
        if room < size {
          text += "\r\n "
          room = Self.longest - 1
        }
        text.unicodeScalars.append(scalar)
        room -= size
      }
    }
    text += "\r\n"
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
  static func utc(_ moment: Instant) -> String { civil(Zone.utc.civil(at: moment)) + "Z" }

  /// `20261120T213430`.
  static func civil(_ time: CivilDateTime) -> String { BasicDateTime(time).description }
}
