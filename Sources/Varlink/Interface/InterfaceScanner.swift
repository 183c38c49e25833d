/// The tokens of an interface text (UAPI.20, Parsing Expression Grammar).
struct InterfaceScanner {
  private let text: String.UnicodeScalarView
  private var index: String.UnicodeScalarView.Index
  /// Line of the next token, from 1.
  private(set) var line = 1

  init(_ text: String) {
    self.text = text.unicodeScalars
    index = self.text.startIndex
  }

  func failure(_ reason: String) -> InterfaceError { InterfaceError(line: line, reason: reason) }

  private var current: Unicode.Scalar? { index < text.endIndex ? text[index] : nil }

  private mutating func advance() { index = text.index(after: index) }

  /// Skips white space and comments; true at a line break or the end.
  @discardableResult
  mutating func skipSpace() -> Bool {
    var sawBreak = false
    while let scalar = current {
      if scalar == "#" {
        while let next = current, !Self.isBreak(next) { advance() }
      } else if Self.isBreak(scalar) {
        sawBreak = true
        advance()
        if scalar == "\r", current == "\n" { advance() }
        line += 1
      } else if Self.isSpace(scalar) {
        advance()
      } else {
        return sawBreak
      }
    }
    return true
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\u{00A0}", "\u{FEFF}", "\u{1680}", "\u{180E}", "\u{2000}"..."\u{200A}", "\u{202F}",
      "\u{205F}", "\u{3000}":
      true
    default: false
    }
  }

  /// Whether only white space and comments are left. Skips nothing.
  func isAtEnd() -> Bool {
    var ahead = self
    ahead.skipSpace()
    return ahead.current == nil
  }

  func peek(_ token: String) -> Bool {
    var ahead = self
    return ahead.take(token)
  }

  /// Takes `token` if it comes next.
  mutating func take(_ token: String) -> Bool {
    skipSpace()
    guard text[index...].starts(with: token.unicodeScalars) else { return false }
    index = text.index(index, offsetBy: token.unicodeScalars.count)
    return true
  }

  mutating func expect(_ token: String) throws(InterfaceError) {
    guard take(token) else { throw failure("expected '\(token)'") }
  }

  /// A run of letters, digits and `others`; may be empty.
  mutating func word(also others: String = "") -> String {
    skipSpace()
    let start = index
    while let scalar = current, Self.isAlphanumeric(scalar) || others.unicodeScalars.contains(scalar) {
      advance()
    }
    return String(text[start..<index])
  }

  static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
  }
}

/// Names in the grammar.
enum InterfaceName {
  /// A field or an enumeration's value: `[A-Za-z](_?[A-Za-z0-9])*`.
  static func isField(_ name: String) -> Bool {
    startsWithLetter(name) && !name.hasSuffix("_") && !name.contains("__")
      && name.unicodeScalars.allSatisfy { InterfaceScanner.isAlphanumeric($0) || $0 == "_" }
  }

  /// A type, method or error: `[A-Z][A-Za-z0-9]*`.
  static func isMember(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, ("A"..."Z").contains(first) else { return false }
    return name.unicodeScalars.allSatisfy(InterfaceScanner.isAlphanumeric)
  }

  /// Reverse-domain, at least two parts, hyphens only inside a part.
  static func isInterface(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2 && startsWithLetter(name)
      && parts.allSatisfy { part in
        guard let first = part.unicodeScalars.first, let last = part.unicodeScalars.last else { return false }
        return first != "-" && last != "-"
          && part.unicodeScalars.allSatisfy { InterfaceScanner.isAlphanumeric($0) || $0 == "-" }
      }
  }

  private static func startsWithLetter(_ name: String) -> Bool {
    name.unicodeScalars.first.map { InterfaceScanner.isAlphanumeric($0) && !("0"..."9").contains($0) }
      ?? false
  }
}
