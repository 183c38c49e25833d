/// Where a valid TOML document names its top-level keys, and its tables. TOMLKit knows places of syntax errors only.
struct KeyPlaces {
  struct Place: Hashable {
    /// From 1.
    var line: Int
    /// From 1, in characters of Unicode.
    var column: Int
  }

  private(set) var places: [String: Place] = [:]
  private var rest: Substring.UnicodeScalarView
  private var line = 1
  private var column = 1

  /// `text` must be valid TOML: of any other, some keys may have no place.
  init(of text: String) {
    rest = text[...].unicodeScalars
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
    var isInTable = false
    while !rest.isEmpty {
      skip { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
      guard let first = rest.first else { return }
      let place = Place(line: line, column: column)
      if first == "[" {
        isInTable = true
        skip { $0 == "[" || $0 == " " || $0 == "\t" }
        note(key(), place)
      } else if first != "#", !isInTable {
        note(key(), place)
      }
      skipStatement()
    }
  }

  private mutating func note(_ key: String?, _ place: Place) {
    if let key, places[key] == nil { places[key] = place }
  }

  /// A bare or quoted key: of a dotted one the first part. nil for escapes, which no key of eggd needs.
  private mutating func key() -> String? {
    var key = ""
    let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
    if quote != nil { next() }
    while let scalar = rest.first {
      if let quote {
        if scalar == quote {
          next()
          return key
        }
        if quote == "\"", scalar == "\\" { return nil }
      } else if scalar == "." || scalar == "=" || scalar == "]" || scalar == " " || scalar == "\t" {
        break
      }
      if scalar == "\n" { return nil }
      key.unicodeScalars.append(scalar)
      next()
    }
    return key
  }

  /// To the end of a line that is in no text of several lines, array or inline table.
  private mutating func skipStatement() {
    var depth = 0
    while let scalar = rest.first {
      switch scalar {
      case "\n" where depth <= 0: return
      case "#": skip { $0 != "\n" }
      case "\"", "'": skipText(scalar)
      case "[", "{":
        depth += 1
        next()
      case "]", "}":
        depth -= 1
        next()
      default: next()
      }
    }
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

  private mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) {
    while let scalar = rest.first, isSkipped(scalar) { next() }
  }

  private mutating func next() {
    guard let scalar = rest.popFirst() else { return }
    if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
  }
}
