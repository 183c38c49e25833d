/// Cuts a sentence into tokens.
struct Lexer {
  var scanner: Scanner
  var tokens: [Token] = []
  /// Whether a date may look at what follows it. In that look none may: each would look at all that follow.
  var looksAhead = true

  /// Throws for a malformed date or zone.
  static func tokens(of scanner: Scanner) throws(Misread) -> [Token] {
    var lexer = Lexer(scanner: scanner)
    while !lexer.scanner.atEnd { try lexer.next() }
    return lexer.joined
  }

  /// The tokens, with forms of several words as one: `new year's eve`.
  private var joined: [Token] {
    var joined: [Token] = []
    var rest = tokens[...]
    let mostWords = Lexicon.mostWords(isASCII: scanner.bytes.allSatisfy { $0 < 0x80 })
    while let first = rest.first {
      var length = min(mostWords, rest.count)
      var meanings: [Meaning] = []
      while length > 1, meanings.isEmpty {
        let words = rest.prefix(length).map { word(from: $0.start, to: $0.end) }
        meanings = Lexicon.meanings(of: TypedWords.spaced(words[...], by: "_"))
        if meanings.isEmpty { length -= 1 }
      }
      if let last = rest.prefix(length).last, !meanings.isEmpty {
        joined.append(Token(kind: .word(meanings), start: first.start, end: last.end, isGlued: first.isGlued))
      } else {
        joined.append(first)
      }
      rest = rest.dropFirst(length)
    }
    return joined
  }

  mutating func next() throws(Misread) {
    let isGlued = !skipBlanks() && !tokens.isEmpty
    guard let byte = scanner.peek() else { return }
    if let bracket = weekdayInBrackets() { return tokens.append(bracket) }
    let start = scanner.position
    let kind: Token.Kind
    if ASCII.isDigit(byte) || byte == UInt8(ascii: ".") && scanner.peek(1).map(ASCII.isDigit) ?? false {
      kind = try digits()
    } else if ASCII.isLetter(byte) || "@&".utf8.contains(byte) {
      kind = try word(isGlued: isGlued)
    } else if Self.hyphens.contains(where: { takes($0) }) {
      kind = .mark(.hyphen)
    } else if Self.dots.contains(where: { takes($0) }) {
      kind = .mark(.comma)
    } else if byte >= 0x80 {
      return foreignWord(isGlued: isGlued)
    } else if let zone = try offsetZone(isGlued: isGlued) {
      kind = .zone(zone)
    } else if let mark = mark() {
      kind = .mark(mark)
    } else {
      throw Misread(offset: start, reason: .unexpected)
    }
    add(kind, from: start, isGlued: isGlued)
  }

  private mutating func add(_ kind: Token.Kind, from start: Int, isGlued: Bool) {
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

  /// `(금)`; otherwise nil, without moving.
  private mutating func weekdayInBrackets() -> Token? {
    let bookmark = scanner
    if scanner.takes("("),
      let (length, meanings) = Lexicon.longestPrefix(of: scanner.bytes[scanner.position..<scanner.end]),
      meanings.contains(where: { $0.weekday != nil })
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

  private mutating func mark() -> Token.Mark? {
    if scanner.takes(",") { return .comma }
    let last = tokens.last?.meanings ?? []
    // `mon/wed`, `24/dec`
    if last.contains(where: { $0.weekday != nil }), scanner.takes("/") { return .comma }
    if last.contains(where: { $0.month != nil }) || seesMonth, scanner.takes("/") { return .hyphen }
    if scanner.takes("+") { return .plus }
    if scanner.takes("-") || scanner.takes("~") { return .hyphen }
    if scanner.takes(".") { return scanner.takes(".") ? .range : nil }
    return nil
  }

  /// A whole run of letters, some beyond ASCII, that is a known word: `µs`; otherwise nil, without moving.
  private mutating func wholeWord() -> Token.Kind? {
    let start = scanner.position
    var end = start
    while let byte = scanner.byte(at: end), byte >= 0x80 || ASCII.isLetter(byte) { end += 1 }
    let meanings = Lexicon.meanings(of: scanner.text(start..<end).lowercased())
    guard !meanings.isEmpty else { return nil }
    scanner.position = end
    takeAbbreviationPoint()
    return .word(meanings)
  }

  /// Telephones write `o’clock`.
  private static let apostrophe = Array("\u{2019}".utf8)

  /// As the tables write it.
  private func word(from start: Int, to end: Int) -> String {
    let word = scanner.text(start..<end).lowercased()
    return ASCII.isAll(word) ? word : String(word.map { $0 == "\u{2019}" ? "'" : $0 })
  }

  /// A run of Latin letters: a word, a zone's name, or something unknown.
  private mutating func word(isGlued: Bool) throws(Misread) -> Token.Kind {
    if scanner.takes("@") { return .word(Lexicon.meanings(of: "@")) }
    if scanner.takes("&") { return .word(Lexicon.meanings(of: "&")) }
    let start = scanner.position
    if !seesListOfDays, let name = zoneName() { return .zone(.named(name, offset: start)) }
    var end = start
    while let byte = scanner.byte(at: end) {
      guard ASCII.isLetter(byte) || byte == UInt8(ascii: "'") else {
        guard scanner.bytes[end..<scanner.end].starts(with: Self.apostrophe) else { break }
        end += Self.apostrophe.count
        continue
      }
      end += 1
    }
    // `p.m.`
    var dotted = end
    while scanner.byte(at: dotted) == UInt8(ascii: "."), let letter = scanner.byte(at: dotted + 1),
      ASCII.isLetter(letter)
    {
      dotted += 2
    }
    for end in dotted == end ? [end] : [dotted, end] {
      let typed = scanner.text(start..<end)
      var meanings = Lexicon.meanings(of: word(from: start, to: end))
      if typed.utf8.count == 1, typed != typed.lowercased() {
        // A single capital is no unit: `M` may mean months or minutes.
        meanings.removeAll { $0.unit != nil }
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
    // `5 p.`
    if scanner.position == start + 1 { takeAbbreviationPoint() }
    return .unknown(scanner.text(from: start))
  }

  /// The point of `mon.` and `p.m.`, before a blank, a comma or the end.
  private mutating func takeAbbreviationPoint() {
    guard scanner.sees(".") else { return }
    let next = scanner.peek(1)
    if next.map({ ASCII.isBlank($0) || $0 == UInt8(ascii: ",") }) ?? true { _ = scanner.takes(".") }
  }

  /// Behind the next byte.
  private var seesMonth: Bool {
    var rest = scanner
    rest.position += 1
    return rest.word().map { Lexicon.means($0, \.month) } ?? false
  }

  /// `mon/wed/fri`
  private var seesListOfDays: Bool {
    guard let word = scanner.word() else { return false }
    return scanner.peek(word.utf8.count) == UInt8(ascii: "/") && Lexicon.means(word, \.weekday)
  }

  private static let hyphens: [Character] = ["\u{2013}", "\u{301C}", "\u{FF5E}"]
  /// Of `월·수·금`.
  private static let dots: [Character] = ["\u{B7}", "\u{318D}"]
  private static let marks = (hyphens + dots).map { Array($0.utf8) }

  /// A run of letters beyond ASCII. Such words are written together: cuts them off one by one, or leaves the run
  /// whole.
  private mutating func foreignWord(isGlued: Bool) {
    let start = scanner.position
    if let word = wholeWord() { return add(word, from: start, isGlued: isGlued) }
    var run = scanner.bytes[start..<scanner.end].prefix { $0 >= 0x80 }
    let mark = run.indices.first { place in Self.marks.contains { run[place...].starts(with: $0) } }
    if let mark { run = run[..<mark] }
    // `3째주`
    if isGlued, case .number = tokens.last?.kind,
      let suffix = Lexicon.ordinalSuffixes.first(where: { run.starts(with: $0.utf8) }),
      suffix.utf8.count < run.count
    {
      scanner.position += suffix.utf8.count
      return add(.unknown(suffix), from: start, isGlued: isGlued)
    }
    let links = tokens.last?.links ?? []
    // `2주 내`, but not `10분 내 방 청소`
    let isEnd = run.endIndex == scanner.end && links.contains(.unit)
    guard scanner.peek(run.count).map(ASCII.isLetter) != true,
      let pieces = Lexicon.pieces(of: run, behind: links, isGlued: isGlued || isEnd)
    else {
      while let byte = scanner.peek(), byte >= 0x80 || ASCII.isLetter(byte) { scanner.position += 1 }
      return add(.unknown(scanner.text(from: start)), from: start, isGlued: isGlued)
    }
    for piece in pieces {
      let first = scanner.position
      scanner.position += piece.length
      add(.word(piece.meanings), from: first, isGlued: first > start || isGlued)
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
}
