/// Text values: RFC 5545 §3.3.11.
enum ContentText {
  static func unescaped(_ value: some StringProtocol) -> String { unescaped(value.utf8) }

  private static func unescaped(_ value: some Sequence<UInt8>) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in value {
      if !isEscaped, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(isEscaped && byte | 0x20 == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The texts of a comma-separated list.
  static func list(_ value: some StringProtocol) -> [String] { words(value.utf8).map(unescaped) }

  /// The texts of a list as they stand, escapes included.
  static func words(_ value: some Collection<UInt8>) -> [[UInt8]] {
    var isEscaped = false
    return value.split(omittingEmptySubsequences: false) { byte in
      defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
      return byte == UInt8(ascii: ",") && !isEscaped
    }.map { Array($0) }
  }

  /// Leaves out control characters, which could end a line.
  static func escaped(_ text: String) -> String {
    var value = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",":
        value.unicodeScalars.append("\\")
        value.unicodeScalars.append(scalar)
      case "\n": value += "\\n"
      case "\t": value.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{7F}"..<"\u{A0}": continue
      default: value.unicodeScalars.append(scalar)
      }
    }
    return value
  }
}

extension String {
  /// One line without control characters, trimmed.
  var asOneLine: String { cleaned(keepingLines: false) }

  /// Lines without control characters, trimmed.
  var asLines: String { cleaned(keepingLines: true) }

  private func cleaned(keepingLines: Bool) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where keepingLines: text.append(scalar)
      case "\n", "\t": text.append(" ")
      case _ where scalar.properties.generalCategory == .control: continue
      default: text.append(scalar)
      }
    }
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\n" }
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(Substring(text.drop(while: isBlank)))
  }

  /// The text cut to both limits; an ellipsis marks the cut.
  func cut(to limits: (characters: Int?, bytes: Int)) -> String {
    let (characters, bytes) = (limits.characters ?? .max, limits.bytes)
    guard count > characters || utf8.count > bytes else { return self }
    let ellipsis = "…"
    var text = ""
    var size = ellipsis.utf8.count
    for character in prefix(characters - 1) {
      size += String(character).utf8.count
      guard size <= bytes else { break }
      text.append(character)
    }
    return text + ellipsis
  }
}
