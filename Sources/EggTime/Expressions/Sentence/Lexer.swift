/// Cuts a sentence into tokens.
struct Lexer {
  private(set) var scanner: Scanner
  private(set) var tokens: [Token] = []

  /// Throws for a malformed date or zone.
  static func tokens(of scanner: Scanner) throws(Misread) -> [Token] {
    var lexer = Lexer(scanner: scanner)
    while !lexer.scanner.atEnd { try lexer.next() }
    return lexer.joined
  }

  private init(scanner: Scanner) { self.scanner = scanner }

  /// The tokens, with forms of several words as one: `new year's eve`.
  private var joined: [Token] {
    var joined: [Token] = []
    var rest = tokens[...]
    while let first = rest.first {
      let most = min(Lexicon.mostWords[form(of: rest.prefix(1))] ?? 1, rest.count)
      let length = (1...most).reversed().first { count in
        count > 1 && !Lexicon.meanings(of: form(of: rest.prefix(count))).isEmpty
      }
      guard let length, let last = rest.prefix(length).last else {
        joined.append(first)
        rest = rest.dropFirst()
        continue
      }
      let meanings = Lexicon.meanings(of: form(of: rest.prefix(length)))
      joined.append(Token(kind: .word(meanings), start: first.start, end: last.end, isGlued: first.isGlued))
      rest = rest.dropFirst(length)
    }
    return joined
  }

  /// As the tables write it.
  private func form(of tokens: ArraySlice<Token>) -> String {
    tokens.map { scanner.text($0.start..<$0.end).lowercased() }.joined(separator: "_")
  }

  private mutating func next() throws(Misread) {
    let isGlued = !skipBlanks() && !tokens.isEmpty
    guard let byte = scanner.peek() else { return }
    if let bracket = weekdayInBrackets() { return tokens.append(bracket) }
    let start = scanner.position
    let kind: Token.Kind
    if ASCII.isDigit(byte) || byte == UInt8(ascii: ".") && scanner.peek(1).map(ASCII.isDigit) ?? false {
      kind = try digits()
    } else if ASCII.isLetter(byte) || byte == UInt8(ascii: "@") {
      kind = try word(isGlued: isGlued)
    } else if takes("\u{2013}") || takes("\u{301C}") || takes("\u{FF5E}") {
      kind = .hyphen
    } else if byte >= 0x80 {
      return foreignWord(isGlued: isGlued)
    } else if let zone = try offsetZone(isGlued: isGlued) {
      kind = .zone(zone)
    } else if let mark = mark() {
      kind = mark
    } else {
      throw Misread(offset: start, reason: .unexpected)
    }
    tokens.append(Token(kind: kind, start: start, end: scanner.position, isGlued: isGlued))
  }

  /// Also skips the blanks that programs print between a time and `PM`, and text in brackets.
  private mutating func skipBlanks() -> Bool {
    let start = scanner.position
    repeat { scanner.skipBlanks() } while takes("\u{202F}") || takes("\u{A0}") || takesComment()
    return scanner.position > start
  }

  /// Takes a non-ASCII character.
  private mutating func takes(_ character: Character) -> Bool {
    let bytes = Array(character.utf8)
    let end = scanner.position + bytes.count
    guard end <= scanner.end, scanner.bytes[scanner.position..<end].elementsEqual(bytes) else { return false }
    scanner.position = end
    return true
  }

  /// Takes the comment that RFC 5322 allows after an offset: `+0900 (KST)`.
  private mutating func takesComment() -> Bool {
    guard scanner.sees("("), case .zone(.offset) = tokens.last?.kind else { return false }
    var end = scanner.position + 1
    while let byte = scanner.byte(at: end), byte != UInt8(ascii: ")") { end += 1 }
    guard end < scanner.end else { return false }
    scanner.position = end + 1
    return true
  }

  /// `(금)`; otherwise nil, without moving.
  private mutating func weekdayInBrackets() -> Token? {
    let bookmark = scanner
    if scanner.takes("("),
      let (length, meanings) = Lexicon.longestPrefix(of: scanner.bytes[scanner.position..<scanner.end]),
      meanings.contains(where: { Meaning.weekday($0) != nil })
    {
      let start = scanner.position
      scanner.position += length
      if scanner.takes(")") {
        return Token(kind: .word(meanings), start: start, end: start + length, isGlued: false)
      }
    }
    scanner = bookmark
    return nil
  }

  private mutating func mark() -> Token.Kind? {
    if scanner.takes(",") { return .comma }
    if let last = tokens.last, last.meanings.contains(where: { Meaning.weekday($0) != nil }),
      scanner.takes("/")
    {
      return .comma
    }
    if scanner.takes("+") { return .plus }
    if scanner.takes("-") || scanner.takes("~") { return .hyphen }
    if scanner.takes(".") { return scanner.takes(".") ? .range : nil }
    return nil
  }

  private mutating func digits() throws(Misread) -> Token.Kind {
    if let date = date() { return .date(date) }
    if let clock = try clock() { return clock }
    let count = scanner.digitCount
    let whole = count == 0 ? 0 : try scanner.wholeNumber()
    var fraction: [UInt8]?
    if scanner.sees("."), scanner.peek(1).map(ASCII.isDigit) ?? false {
      _ = scanner.takes(".")
      var digits: [UInt8] = []
      while let byte = scanner.peek(), ASCII.isDigit(byte) {
        digits.append(byte - UInt8(ascii: "0"))
        _ = scanner.takes(Unicode.Scalar(byte))
      }
      fraction = digits
    }
    return .number(TypedNumber(whole: whole, digits: count, fraction: fraction))
  }

  /// `7:30`, `7:30:15`, `7:30:15.25`; otherwise nil, without moving.
  private mutating func clock() throws(Misread) -> Token.Kind? {
    let bookmark = scanner
    let hourDigits = scanner.digitCount
    guard scanner.number(digits: 1...2) != nil, scanner.takes(":"), scanner.digitCount == 2 else {
      scanner = bookmark
      return nil
    }
    scanner = bookmark
    let time = try scanner.time()
    // `15:44,39:01` and `1:30:00:00` are not times of day.
    guard !scanner.sees(":"), !scanner.seesDigit else {
      scanner = bookmark
      return nil
    }
    return .clock(time, hourDigits: hourDigits)
  }

  /// A date in digits, `2027-01-20`, `20.1.2027`, `1/20/2027`, `1/20`, `2027. 1. 20.`; otherwise nil, without
  /// moving.
  private mutating func date() -> NumericDate? {
    let bookmark = scanner
    for (character, separator) in [("-", NumericDate.Separator.hyphen), ("/", .slash), (".", .point)]
      as [(
        Unicode.Scalar, NumericDate.Separator
      )]
    {
      var parts: [(value: Int, digits: Int, offset: Int)] = []
      repeat {
        if separator == .point, !parts.isEmpty { scanner.skipBlanks() }
        let (digits, offset) = (scanner.digitCount, scanner.position)
        guard let value = scanner.number(digits: 1...4) else { break }
        parts.append((value, digits, offset))
      } while parts.count < 3 && scanner.takes(character)
      let isWhole = parts.count == 3 || separator == .slash && parts.count == 2 && !scanner.sees("/")
      let isFollowed =
        scanner.sees(character) && separator != .point || scanner.seesDigit || scanner.sees(":")
      if isWhole, !isFollowed, separator != .point || parts[0].digits == 4 || parts[2].digits == 4 {
        if separator == .point { _ = scanner.takes(".") }
        // The T of RFC 3339.
        if parts.count == 3, scanner.sees("T") || scanner.sees("t"),
          scanner.peek(1).map(ASCII.isDigit) ?? false
        {
          _ = scanner.takes("T") || scanner.takes("t")
        }
        return NumericDate(parts: parts, separator: separator)
      }
      scanner = bookmark
    }
    return dayAndMonth()
  }

  /// `24.12.`, `12. 24.`; otherwise nil, without moving.
  private mutating func dayAndMonth() -> NumericDate? {
    let bookmark = scanner
    var parts: [(value: Int, digits: Int, offset: Int)] = []
    while parts.count < 2 {
      let (digits, offset) = (scanner.digitCount, scanner.position)
      guard let value = scanner.number(digits: 1...2), scanner.takes(".") else { break }
      parts.append((value, digits, offset))
      if parts.count == 1 { scanner.skipBlanks() }
    }
    if parts.count == 2, scanner.atEnd || scanner.peek().map(ASCII.isBlank) ?? false || scanner.sees(",") {
      return NumericDate(parts: parts, separator: .point)
    }
    scanner = bookmark
    return nil
  }

  /// A whole run of letters, some beyond ASCII, that is a known word: `fünf`, `Übermorgen`; otherwise nil,
  /// without moving.
  private mutating func wholeWord() -> Token.Kind? {
    let start = scanner.position
    var end = start
    while let byte = scanner.byte(at: end), byte >= 0x80 || ASCII.isLetter(byte) { end += 1 }
    let typed = scanner.text(start..<end)
    guard typed.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    // Telephones write `o’clock`.
    let plain = typed.lowercased().replacing("\u{2019}", with: "'")
    let meanings = Lexicon.meanings(of: plain)
    guard !meanings.isEmpty else { return nil }
    scanner.position = end
    takeAbbreviationPoint()
    return .word(meanings)
  }

  /// A run of Latin letters: a word, a zone's name, or something unknown.
  private mutating func word(isGlued: Bool) throws(Misread) -> Token.Kind {
    if scanner.takes("@") { return .word(Lexicon.meanings(of: "@")) }
    let start = scanner.position
    if !seesListOfDays, let name = zoneName() { return .zone(.named(name, offset: start)) }
    if let word = wholeWord() { return word }
    var end = start
    while let byte = scanner.peek(end - start), ASCII.isLetter(byte) || byte == UInt8(ascii: "'") { end += 1 }
    // `p.m.`
    var dotted = end
    while scanner.byte(at: dotted) == UInt8(ascii: "."), let letter = scanner.byte(at: dotted + 1),
      ASCII.isLetter(letter)
    {
      dotted += 2
    }
    for end in dotted == end ? [end] : [dotted, end] {
      let typed = scanner.text(start..<end)
      var meanings = Lexicon.meanings(of: typed.lowercased())
      if typed.utf8.count == 1, typed != typed.lowercased() {
        // A single capital is no unit: `M` may mean months or minutes.
        meanings.removeAll { if case .unit = $0 { true } else { false } }
      }
      guard !meanings.isEmpty else { continue }
      scanner.position = end
      takeAbbreviationPoint()
      return .word(meanings)
    }
    let typed = scanner.text(start..<end)
    if let zone = try universalTime(typed, isGlued: isGlued, from: start, to: end) { return .zone(zone) }
    scanner.position = end
    while let byte = scanner.peek(), ASCII.isDigit(byte) || ASCII.isLetter(byte) || byte == UInt8(ascii: "_")
    {
      scanner.position += 1
    }
    return .unknown(scanner.text(start..<scanner.position))
  }

  /// The point of `mon.` and `p.m.`, before a blank, a comma or the end.
  private mutating func takeAbbreviationPoint() {
    guard scanner.sees(".") else { return }
    let next = scanner.peek(1)
    if next.map({ ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }) ?? true { _ = scanner.takes(".") }
  }

  /// `UTC`, `GMT` and, after a time, `Z`, in any case. Refuses `UTC+9`.
  private mutating func universalTime(
    _ typed: String, isGlued: Bool, from start: Int, to end: Int
  ) throws(Misread) -> ZoneForm? {
    let name = typed.lowercased()
    guard name == "utc" || name == "gmt" || name == "z" && !tokens.isEmpty else { return nil }
    scanner.position = end
    if scanner.sees("+") || scanner.sees("-"), let digit = scanner.peek(1), ASCII.isDigit(digit) {
      let sign = scanner.takes("-") ? "-" : "+"
      if sign == "+" { _ = scanner.takes("+") }
      let hours = scanner.digitCount <= 2 ? scanner.number(digits: 1...2) : nil
      var minutes = 0
      if scanner.takes(":") { minutes = scanner.number(digits: 2...2) ?? 0 }
      let offset = hours.map { sign + Digits.padded($0, to: 2) + ":" + Digits.padded(minutes, to: 2) }
      throw Misread(
        offset: start, reason: .zoneWithOffset, isDecisive: true,
        readings: offset.map { [scanner.text(0..<start) + $0 + scanner.text(scanner.position..<scanner.end)] }
          ?? [])
    }
    return name == "z" ? .offset(0) : .named("UTC", offset: start)
  }

  /// `mon/wed/fri`
  private var seesListOfDays: Bool {
    var end = scanner.position
    while let byte = scanner.byte(at: end), ASCII.isLetter(byte) { end += 1 }
    return scanner.byte(at: end) == UInt8(ascii: "/")
      && Lexicon.meanings(of: scanner.text(scanner.position..<end).lowercased()).contains {
        Meaning.weekday($0) != nil
      }
  }

  /// `Europe/Paris`; nil, without moving, for a word without a slash.
  private mutating func zoneName() -> String? {
    var end = scanner.position
    var hasSlash = false
    while let byte = scanner.byte(at: end) {
      let isLetter = ASCII.isLetter(byte) || byte == UInt8(ascii: "_")
      let isInner =
        hasSlash && (ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"))
      if byte == UInt8(ascii: "/"), let next = scanner.byte(at: end + 1), ASCII.isLetter(next) {
        hasSlash = true
      } else if !isLetter, !isInner {
        break
      }
      end += 1
    }
    guard hasSlash else { return nil }
    defer { scanner.position = end }
    return scanner.text(scanner.position..<end)
  }

  /// `+09:00`, `-0500` after a time or a date, from -12:00 to +14:00; nil, without moving, for any other sign.
  /// A minus directly behind a clock begins a range (`9:00-10:00`), unless the text has a date of ISO 8601.
  private mutating func offsetZone(isGlued: Bool) throws(Misread) -> ZoneForm? {
    guard scanner.sees("+") || scanner.sees("-"), let last = tokens.last, last.mayHaveZoneBehind else {
      return nil
    }
    let isMinus = scanner.sees("-")
    var rest = scanner
    rest.position += 1
    let digits = rest.digitCount
    rest.position += digits
    let isExact = digits == 4 || digits == 2 && rest.takes(":") && rest.digitCount == 2
    let hasISODate = tokens.contains {
      if case .date(let date) = $0.kind { date.separator == .hyphen } else { false }
    }
    guard isExact ? !isMinus || !isGlued || hasISODate : digits == 2 && isMinus && hasISODate else {
      return nil
    }
    let bookmark = scanner
    do throws(Misread) {
      let offset = try scanner.zoneOffset()
      var rest = scanner
      rest.skipBlanks()
      // `9:00 +1000 min` adds a span; `9:00-11:00:30` is no offset.
      let isUnit = rest.word().map {
        Lexicon.meanings(of: $0).contains { if case .unit = $0 { true } else { false } }
      }
      if isUnit != true, !scanner.sees(":"), !scanner.seesDigit, ZoneForm.isOffset(offset) {
        return .offset(offset)
      }
    } catch {
      if error.isDecisive, !isMinus { throw error }
    }
    scanner = bookmark
    return nil
  }

  /// A run of letters beyond ASCII. Such words are written together: cuts them off one by one, or leaves the run
  /// whole.
  private mutating func foreignWord(isGlued: Bool) {
    let start = scanner.position
    if let word = wholeWord() {
      return tokens.append(Token(kind: word, start: start, end: scanner.position, isGlued: isGlued))
    }
    let run = scanner.bytes[start..<scanner.end].prefix { $0 >= 0x80 }
    guard scanner.peek(run.count).map(ASCII.isLetter) != true,
      let pieces = Lexicon.pieces(of: run, behind: tokens.last?.links ?? [], isGlued: isGlued)
    else {
      while let byte = scanner.peek(), byte >= 0x80 || ASCII.isLetter(byte) { scanner.position += 1 }
      let typed = scanner.text(start..<scanner.position)
      return tokens.append(
        Token(kind: .unknown(typed), start: start, end: scanner.position, isGlued: isGlued))
    }
    for piece in pieces {
      let end = scanner.position + piece.length
      let isGlued = scanner.position > start || isGlued
      tokens.append(Token(kind: .word(piece.meanings), start: scanner.position, end: end, isGlued: isGlued))
      scanner.position = end
    }
  }
}

extension Token {
  /// What may be joined to it.
  fileprivate var links: Set<Meaning.Link> {
    switch kind {
    case .number: [.number]
    case .word(let meanings): Set(meanings.map(\.link))
    default: []
    }
  }

  /// Whether a sign and digits after it are a zone's offset.
  fileprivate var mayHaveZoneBehind: Bool {
    switch kind {
    case .clock, .date: true
    case .number(let number): number.asClock != nil
    case .word(let meanings):
      meanings.contains {
        switch $0 {
        case .meridiem, .time, .day, .weekday: true
        default: false
        }
      }
    default: false
    }
  }
}
