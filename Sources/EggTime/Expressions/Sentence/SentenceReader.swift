/// Reads times in words: their parts in any order, each at most once.
///
/// A sentence is read whole, or refused with its possible readings.
struct SentenceReader {
  let text: Scanner
  let tokens: [Token]
  var index = 0
  var sentence = Sentence()

  /// In any of the languages of ``Lexicon``. `isEvery`: as behind the word `every`.
  static func form(of scanner: Scanner, isEvery: Bool = false) throws(Misread) -> Form {
    var tokens = try Lexer.tokens(of: scanner)
    if isEvery {
      let start = scanner.position
      tokens.insert(Token(kind: .word([.every]), start: start, end: start, isGlued: false), at: 0)
    }
    var reader = SentenceReader(text: scanner, tokens: tokens)
    do throws(Misread) {
      try reader.refuseHowOften()
      while reader.index < reader.tokens.count { try reader.part() }
      return try reader.form()
    } catch {
      throw reader.atUnknownWord(error)
    }
  }

  private init(text: Scanner, tokens: [Token]) {
    self.text = text
    self.tokens = tokens
  }

  /// Blames the unknown word in a part that was not read to its end.
  private func atUnknownWord(_ misread: Misread) -> Misread {
    guard !misread.isDecisive,
      let unknown = tokens.first(where: {
        if case .unknown = $0.kind { $0.start >= misread.offset } else { false }
      })
    else { return misread }
    return Misread(offset: unknown.start, reason: .unexpected)
  }

  private mutating func part() throws(Misread) {
    var isListed = false
    if !sentence.isEmpty, takes(.comma) || takes(.and) {
      guard index < tokens.count else { throw stop }
      isListed = true
    }
    if takes(.nothing) { return }
    try refuseRange()
    if isListed, try anotherTime() { return }
    if try everyPart() { return }
    if try spanPart() { return }
    if try timePart() { return }
    if try datePart() { return }
    if try weekdayPart() { return }
    if try partOfDayPart() { return }
    if try zonePart() { return }
    throw stop
  }

  /// After a time or a day, an unknown word may be a zone too.
  private mutating func zonePart() throws(Misread) -> Bool {
    guard let token, sentence.zone == nil else { return false }
    let hasTime =
      sentence.time != nil || sentence.date != nil || sentence.day != nil || sentence.every != nil
    switch token.kind {
    case .zone(let zone): sentence.zone = zone
    case .unknown(let name) where hasTime:
      guard name.utf8.allSatisfy(ASCII.isLetter) else { return false }
      let place = placeOfSeveralWords()
      sentence.zone = .named(place ?? name, offset: token.start)
    default: return false
    }
    // A zone alone means nothing.
    guard hasTime else { throw stop }
    index += 1
    return true
  }

  /// `New York`; takes all but the last word.
  private mutating func placeOfSeveralWords() -> String? {
    guard let token else { return nil }
    for ahead in [1, 2] {
      guard let last = self.token(ahead: ahead) else { return nil }
      let name = text.text(token.start..<last.end)
      if ZonePlaces.machine.contains(name) {
        index += ahead
        return name
      }
    }
    return nil
  }

  // The tokens ahead.

  var token: Token? { index < tokens.count ? tokens[index] : nil }

  func token(ahead: Int) -> Token? { index + ahead < tokens.count ? tokens[index + ahead] : nil }

  /// The misread for a text that no sentence continues like this.
  var stop: Misread {
    guard let token else { return Misread(offset: text.end, reason: .incomplete) }
    return Misread(offset: token.start, reason: .unexpected)
  }

  /// The byte at which a token begins; the end of the text after the last.
  func start(of token: Int) -> Int { token < tokens.count ? tokens[token].start : text.end }

  /// The bytes from a token up to the next one.
  func range(from first: Int) -> Range<Int> {
    guard first < index else { return text.end..<text.end }
    return start(of: first)..<tokens[index - 1].end
  }

  func means(_ meaning: Meaning, ahead: Int = 0) -> Bool {
    token(ahead: ahead)?.meanings.contains(meaning) ?? false
  }

  /// Takes a word with that meaning.
  mutating func takes(_ meaning: Meaning) -> Bool {
    guard means(meaning) else { return false }
    index += 1
    return true
  }

  enum Mark {
    case comma
    case plus
    case hyphen
    case range
  }

  mutating func takes(_ mark: Mark) -> Bool {
    let isNext =
      switch (token?.kind, mark) {
      case (.comma, .comma), (.plus, .plus), (.hyphen, .hyphen), (.range, .range): true
      default: false
      }
    if isNext { index += 1 }
    return isNext
  }

  /// Takes the next word if one of its meanings is picked.
  mutating func take<Value>(_ pick: (Meaning) -> Value?) -> Value? {
    guard let found = peek(pick) else { return nil }
    index += 1
    return found
  }

  func peek<Value>(ahead: Int = 0, _ pick: (Meaning) -> Value?) -> Value? {
    guard let token = token(ahead: ahead) else { return nil }
    for meaning in token.meanings {
      if let value = pick(meaning) { return value }
    }
    return nil
  }

  /// Throws if the part was already said.
  func place<Value>(
    _ value: Value, from first: Int, unless old: Sentence.Part<Value>?
  ) throws(Misread) -> Sentence.Part<Value> {
    guard old == nil else { throw Misread(offset: start(of: first), reason: .unexpected) }
    return Sentence.Part(value: value, range: range(from: first))
  }
}

/// Meanings by kind, for ``SentenceReader/take(_:)``.
extension Meaning {
  static func unit(_ meaning: Meaning) -> PersonUnit? {
    if case .unit(let unit) = meaning { unit } else { nil }
  }
  static func weekday(_ meaning: Meaning) -> Weekday? {
    if case .weekday(let weekday) = meaning { weekday } else { nil }
  }
  static func shortWeekday(_ meaning: Meaning) -> Weekday? {
    if case .shortWeekday(let weekday) = meaning { weekday } else { nil }
  }
  static func partsOfDay(_ meaning: Meaning) -> PartOfDay? {
    if case .partsOfDay(let part) = meaning { part } else { nil }
  }
  static func someTime(_ meaning: Meaning) -> [TimeOfDay]? {
    if case .someTime(let times) = meaning { times } else { nil }
  }
  static func weekAhead(_ meaning: Meaning) -> Int? {
    if case .week(let weeks) = meaning { weeks } else { nil }
  }
  static func monthFromNow(_ meaning: Meaning) -> Int? {
    if case .monthFromNow(let months) = meaning { months } else { nil }
  }
  static func yearFromNow(_ meaning: Meaning) -> Int? {
    if case .yearFromNow(let years) = meaning { years } else { nil }
  }
  static func weekdays(_ meaning: Meaning) -> UInt8? {
    if case .weekdays(let weekdays) = meaning { weekdays } else { nil }
  }
  static func month(_ meaning: Meaning) -> Int? { if case .month(let month) = meaning { month } else { nil } }
  static func day(_ meaning: Meaning) -> Int? { if case .day(let days) = meaning { days } else { nil } }
  static func ordinal(_ meaning: Meaning) -> Int? {
    if case .ordinal(let number) = meaning { number } else { nil }
  }
  static func number(_ meaning: Meaning) -> Int? {
    if case .number(let number) = meaning { number } else { nil }
  }
  static func place(_ meaning: Meaning) -> Int? {
    if case .place(let number) = meaning { number } else { nil }
  }
  static func partOfDay(_ meaning: Meaning) -> PartOfDay? {
    if case .partOfDay(let part) = meaning { part } else { nil }
  }
  static func partOfToday(_ meaning: Meaning) -> PartOfDay? {
    if case .partOfToday(let part) = meaning { part } else { nil }
  }
  static func meridiem(_ meaning: Meaning) -> Bool? {
    if case .meridiem(let isAfternoon) = meaning { isAfternoon } else { nil }
  }
  static func time(_ meaning: Meaning) -> TimeOfDay? {
    if case .time(let time) = meaning { time } else { nil }
  }
}
