/// The statements of a TOML document up to the first that no key of eggd takes: all its keys take texts, true or false, so
/// a table, a dotted key and any other value is a mistake.
///
/// TOMLKit is given no more than that. It tells where a document is not TOML, but not where a key is; and its parser ends
/// the process at some dotted keys and tables that are not TOML, such as `[=` (an assertion in toml++).
struct PlainStatements {
  struct Place: Hashable {
    /// From 1.
    var line: Int
    /// From 1, in characters of Unicode.
    var column: Int
  }

  /// Of each key, the first.
  private(set) var places: [String: Place] = [:]
  /// The document up to the statement that ``odd`` names.
  private(set) var text: Substring
  /// The key or table of the statement that is not plain; nil where all are.
  private(set) var odd: (key: String, place: Place)?
  private var rest: Substring.UnicodeScalarView
  private var line = 1
  private var column = 1

  init(of document: String) {
    text = document[...]
    rest = text.unicodeScalars
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
    while odd == nil {
      skip { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
      guard let first = rest.first else { return }
      if first == "#" { skip { $0 != "\n" } } else { readStatement(isTable: first == "[") }
    }
  }

  private mutating func readStatement(isTable: Bool) {
    let (place, start) = (Place(line: line, column: column), rest.startIndex)
    skip { $0 == "[" || $0 == " " || $0 == "\t" }
    let key = key()
    skipBlanks()
    if rest.first == "=", !isTable {
      next()
      skipBlanks()
      if let quote = rest.first, quote == "\"" || quote == "'" {
        if places[key] == nil { places[key] = place }
        skipText(quote)
        return skip { $0 != "\n" }
      }
      if startsWithBoolean {
        if places[key] == nil { places[key] = place }
        return skip { $0 != "\n" }
      }
    } else if rest.first != ".", !isTable {
      // Not TOML, as TOMLKit will tell.
      return skip { $0 != "\n" }
    }
    odd = (key, place)
    text = text[..<start]
  }

  /// A bare or quoted key, as it is written; of a dotted one the first part.
  private mutating func key() -> String {
    let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    if quote != nil { next() }
    var key = ""
    while let scalar = rest.first, scalar != "\n", scalar != quote {
      if quote == nil, [".", "=", "]", " ", "\t", "\r"].contains(scalar) { break }
      if scalar == "\\", quote == "\"" {
        key.unicodeScalars.append(scalar)
        next()
      }
      if let scalar = rest.first { key.unicodeScalars.append(scalar) }
      next()
    }
    if quote != nil, rest.first == quote { next() }
    return key
  }

  private mutating func skipText(_ quote: Unicode.Scalar) {
    var quotes = 0
    while quotes < 3, rest.first == quote {
      quotes += 1
      next()
    }
    // Two are an empty text.
    if quotes == 2 { return }
    let isLong = quotes == 3
    var ending = 0
    while let scalar = rest.first {
      if !isLong, scalar == "\n" { return }
      next()
      if scalar == "\\", quote == "\"" {
        next()
        ending = 0
      } else if scalar == quote {
        ending += 1
        // Up to two quotes may stand before the three that end a long text.
        if !isLong || ending >= 3 && rest.first != quote { return }
      } else {
        ending = 0
      }
    }
  }

  /// Whether the whole value is one, before blanks and a comment.
  private var startsWithBoolean: Bool {
    ["true", "false"].contains {
      guard rest.starts(with: $0.unicodeScalars) else { return false }
      let next = rest.dropFirst($0.unicodeScalars.count).first
      return next == nil || [" ", "\t", "\r", "\n", "#"].contains(next)
    }
  }

  private mutating func skipBlanks() { skip { $0 == " " || $0 == "\t" } }

  private mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) {
    while let scalar = rest.first, isSkipped(scalar) { next() }
  }

  private mutating func next() {
    guard let scalar = rest.popFirst() else { return }
    if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
  }
}
