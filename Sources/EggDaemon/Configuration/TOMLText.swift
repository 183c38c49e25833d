/// The statements of a TOML document, as far as config.toml has use for them: keys with texts, lists of texts, true or
/// false, and tables. Read strictly, after TOML 1.0 (https://toml.io/en/v1.0.0).
///
/// Reading ends at the first statement that is wrong or that no key takes: numbers, dates, dotted keys and lists of tables.
struct TOMLText {
  struct Place: Hashable {
    /// From 1.
    var line: Int
    /// From 1, in characters of Unicode.
    var column: Int
  }

  enum Value: Hashable {
    case text(String)
    case texts([String])
    case flag(Bool)
    /// A header, or what begins an inline table; its pairs follow.
    case table
    /// Nothing that a key takes. It is the last statement.
    case other
  }

  struct Statement: Hashable {
    /// The names of its tables, then its own.
    var path: [String]
    var value: Value
    /// Of the key or header.
    var place: Place
  }

  struct Mistake: Error, Hashable {
    var place: Place
    var reason: String
  }

  private(set) var statements: [Statement] = []
  /// Why the document ends before its end.
  private(set) var mistake: Mistake?
  private var table: [String] = []
  /// Paths of values and headers.
  private var taken: Set<[String]> = []
  /// Paths that a header has made tables of.
  private var tables: Set<[String]> = []
  private var rest: Substring.UnicodeScalarView
  private var place = Place(line: 1, column: 1)

  init(_ document: String) {
    rest = document[...].unicodeScalars
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
    do throws(Mistake) {
      while try readLine() {}
    } catch {
      mistake = error
    }
  }

  /// - Returns: Whether there is more.
  private mutating func readLine() throws(Mistake) -> Bool {
    skipBlanks()
    guard let first = rest.first else { return false }
    if first == "[" {
      try readHeader()
    } else if first != "#", first != "\n", first != "\r" {
      try readPair()
    }
    if statements.last?.value == .other { return false }
    try endLine()
    return true
  }

  private mutating func readHeader() throws(Mistake) {
    let start = place
    take()
    let isList = rest.first == "["
    if isList { take() }
    let path = try keys()
    if isList { return statements.append(Statement(path: path, value: .other, place: start)) }
    guard rest.first == "]" else { throw expected("']'") }
    take()
    let names = path.joined(separator: ".")
    guard taken.insert(path).inserted else {
      throw Mistake(place: start, reason: "'\(names.visible)' is there twice")
    }
    for count in 1..<path.count
    where taken.contains(Array(path[..<count])) && !tables.contains(Array(path[..<count])) {
      throw Mistake(place: start, reason: "'\(path[..<count].joined(separator: ".").visible)' is no table")
    }
    for count in 1...path.count { tables.insert(Array(path[..<count])) }
    table = path
    statements.append(Statement(path: path, value: .table, place: start))
  }

  private mutating func readPair() throws(Mistake) {
    let start = place
    let names = try keys()
    let path = table + names.prefix(1)
    guard rest.first == "=" else { throw expected("'='") }
    take()
    skipBlanks()
    if rest.first == "{", names.count == 1 { return try readInlineTable(path, at: start) }
    let value = try value()
    guard names.count == 1, value != .other else {
      return statements.append(Statement(path: path, value: .other, place: start))
    }
    try add(path, value, at: start)
  }

  private mutating func add(_ path: [String], _ value: Value, at start: Place) throws(Mistake) {
    guard !tables.contains(path), taken.insert(path).inserted else {
      throw Mistake(place: start, reason: "'\(path.joined(separator: ".").visible)' is there twice")
    }
    statements.append(Statement(path: path, value: value, place: start))
  }

  /// `{ time = "4m", label = "green" }`
  private mutating func readInlineTable(_ path: [String], at start: Place) throws(Mistake) {
    try add(path, .table, at: start)
    let outer = table
    table = path
    defer { table = outer }
    take()
    skipBlanks()
    var isEmpty = true
    while !isEmpty || rest.first != "}" {
      isEmpty = false
      skipBlanks()
      try readPair()
      if statements.last?.value == .other { return }
      skipBlanks()
      guard rest.first == "," else { break }
      take()
    }
    guard rest.first == "}" else { throw expected("'}' or ','") }
    take()
  }

  /// Keys with dots between them, up to what comes behind.
  private mutating func keys() throws(Mistake) -> [String] {
    var keys: [String] = []
    while true {
      skipBlanks()
      keys.append(try key())
      skipBlanks()
      guard rest.first == "." else { return keys }
      take()
    }
  }

  private mutating func key() throws(Mistake) -> String {
    if let quote = quote { return try text(quote, isLong: false) }
    var key = ""
    while let scalar = rest.first, Self.isBare(scalar) { key.unicodeScalars.append(take()) }
    if key.isEmpty {
      throw expected(rest.first?.isASCII ?? true ? "a key" : "a key, in quotes for letters other than A to Z")
    }
    return key
  }

  private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar || scalar == "-" || scalar == "_")
  }

  private mutating func value() throws(Mistake) -> Value {
    if let quote = quote { return .text(try text(quote, isLong: true)) }
    if rest.first == "[" { return try list() }
    for flag in [true, false] where rest.starts(with: "\(flag)".unicodeScalars) {
      let end = rest.dropFirst("\(flag)".unicodeScalars.count).first
      guard end.map({ [" ", "\t", "\r", "\n", "#"].contains($0) }) ?? true else { break }
      for _ in "\(flag)".unicodeScalars { take() }
      return .flag(flag)
    }
    return .other
  }

  private mutating func list() throws(Mistake) -> Value {
    take()
    var texts: [String] = []
    while true {
      try skipLines()
      if rest.first == "]" { break }
      guard let quote = quote else { return .other }
      texts.append(try text(quote, isLong: true))
      try skipLines()
      guard rest.first == "," else { break }
      take()
    }
    guard rest.first == "]" else { throw expected("']' or ','") }
    take()
    return .texts(texts)
  }

  private var quote: Unicode.Scalar? { rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil } }

  /// A text in quotes; where it may be a long one, of several lines in three quotes.
  private mutating func text(_ quote: Unicode.Scalar, isLong: Bool) throws(Mistake) -> String {
    let start = place
    take()
    var isLong = isLong
    if isLong, rest.starts(with: [quote, quote]) {
      for _ in 1...2 { take() }
      takeNewline()
    } else {
      isLong = false
    }
    var text = ""
    while let scalar = rest.first {
      if scalar == quote, !isLong || rest.starts(with: [quote, quote, quote]) {
        let quotes = isLong ? rest.prefix(5).prefix { $0 == quote }.count : 1
        for count in 1...quotes {
          take()
          // Up to two may stand before the three that end a long text.
          if count <= quotes - 3 { text.unicodeScalars.append(quote) }
        }
        return text
      }
      if isLong, takeNewline() {
        text += "\n"
      } else if scalar == "\\", quote == "\"" {
        try readEscape(isLong: isLong, into: &text)
      } else if Self.isControl(scalar) {
        break
      } else {
        text.unicodeScalars.append(take())
      }
    }
    guard let scalar = rest.first, scalar != "\n", scalar != "\r" else {
      throw Mistake(place: start, reason: "the text lacks its closing quotes")
    }
    throw Mistake(place: place, reason: "the text contains a control character")
  }

  private mutating func readEscape(isLong: Bool, into text: inout String) throws(Mistake) {
    let start = place
    take()
    let short: [Unicode.Scalar: Unicode.Scalar] = [
      "b": "\u{8}", "t": "\t", "n": "\n", "f": "\u{C}", "r": "\r", "\"": "\"", "\\": "\\",
    ]
    if let scalar = rest.first, let meant = short[scalar] {
      take()
      return text.unicodeScalars.append(meant)
    }
    if let scalar = rest.first, let digits = ["u": 4, "U": 8][scalar] {
      take()
      let number = String(String.UnicodeScalarView(rest.prefix(digits)))
      if number.utf8.count == digits, number.allSatisfy(\.isHexDigit),
        let meant = UInt32(number, radix: 16).flatMap(Unicode.Scalar.init)
      {
        for _ in 1...digits { take() }
        return text.unicodeScalars.append(meant)
      }
    } else if isLong {
      skipBlanks()
      if takeNewline() {
        repeat { skipBlanks() } while takeNewline()
        return
      }
    }
    throw Mistake(place: start, reason: "the text has an unknown escape")
  }

  /// Blanks, comments and ends of lines.
  private mutating func skipLines() throws(Mistake) {
    repeat {
      skipBlanks()
      try skipComment()
    } while takeNewline()
  }

  private mutating func endLine() throws(Mistake) {
    skipBlanks()
    try skipComment()
    guard takeNewline() || rest.isEmpty else { throw expected("the end of the line") }
  }

  private mutating func skipComment() throws(Mistake) {
    guard rest.first == "#" else { return }
    while let scalar = rest.first, scalar != "\n", !rest.starts(with: ["\r", "\n"]) {
      if Self.isControl(scalar) {
        throw Mistake(place: place, reason: "the comment contains a control character")
      }
      take()
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
  }

  private func expected(_ what: String) -> Mistake { Mistake(place: place, reason: "expected \(what)") }

  private mutating func skipBlanks() { while rest.first == " " || rest.first == "\t" { take() } }

  @discardableResult
  private mutating func takeNewline() -> Bool {
    if rest.starts(with: ["\r", "\n"]) { take() }
    guard rest.first == "\n" else { return false }
    take()
    return true
  }

  @discardableResult
  private mutating func take() -> Unicode.Scalar {
    guard let scalar = rest.popFirst() else { return "\0" }
    if scalar == "\n" { place = Place(line: place.line + 1, column: 1) } else { place.column += 1 }
    return scalar
  }
}
