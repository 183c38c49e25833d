/// Reads times in words: their parts in any order, each at most once.
///
/// A sentence is read whole, or refused with its possible readings.
struct SentenceReader {
  let text: Scanner
  let tokens: [Token]
  /// Of the next token.
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
      while reader.index < reader.tokens.count { try reader.part() }
      guard !reader.sentence.isEmpty else { throw reader.stop }
      return try SentenceMeaning(reader).form()
    } catch {
      throw reader.alternatives ?? reader.howOften ?? reader.atUnknownWord(error)
    }
  }

  /// `monday or tuesday 9am`, `at 9am or at 10am`, `5 or 6pm`
  private var alternatives: Misread? {
    guard let or = tokens.first(where: { $0.meanings.contains(.or) }) else { return nil }
    var before = text.text(text.position..<or.start).split(separator: " ")
    var behind = text.text(or.end..<text.end).split(separator: " ")
    guard var first = before.popLast(), var second = behind.first else { return nil }
    behind.removeFirst()
    let isDigit = { (character: Character) in character.isASCII && character.isNumber || character == ":" }
    let digits = second.prefix(while: isDigit)
    if first.allSatisfy(isDigit), !digits.isEmpty {
      first += second[digits.endIndex...]
    } else if Lexicon.joins(String(second)), let next = behind.first, let word = before.popLast() {
      behind.removeFirst()
      first = word + " " + first
      second += " " + next
    }
    return Misread(
      .unexpected, at: or.start,
      readings: [first, second].map { (before + [$0] + behind).joined(separator: " ") })
  }

  /// The whole text as a span; nil for any other text.
  static func span(of scanner: Scanner) -> SaidSpan? {
    guard let tokens = try? Lexer.tokens(of: scanner) else { return nil }
    var reader = SentenceReader(text: scanner, tokens: tokens)
    guard let span = try? reader.span(), reader.index == tokens.count else { return nil }
    return span
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
    if takes(.nothing) || sentence.time == nil && takes(.topic) { return }
    let first = index
    if recurs, takes(.allDay) {
      try sentence.allDay.say((), range(from: first))
      return
    }
    if sentence.time == nil, let range = clockRange(behindDay: sentence.hasDay) {
      // `every 90 minutes from 9 to 17`
      guard recurs, sentence.window == nil else { throw range.misread }
      sentence.window = range
      return
    }
    if try boundPart() { return }
    if try exceptPart() { return }
    if isListed || sentence.every != nil, try anotherTime(isListed: isListed) { return }
    if try everyPart() { return }
    if try spanPart() { return }
    if try timePart() { return }
    if try datePart() { return }
    if try weekdayPart() { return }
    if try partOfDayPart() { return }
    guard zonePart() else { throw stop }
  }

  /// A moment that is the whole of these tokens; nil for anything else. A start may be that of a week, a month or a year.
  func moment(_ range: Range<Int>, isStart: Bool = false) -> (form: CivilForm, parts: Sentence)? {
    var reader = SentenceReader(text: text, tokens: Array(tokens[range]))
    if isStart, let form = reader.firstDay() { return (form, reader.sentence) }
    do throws(Misread) {
      while reader.index < reader.tokens.count { try reader.part() }
      guard !reader.sentence.isEmpty, case .civil(let form) = try SentenceMeaning(reader).form(),
        form.zone == nil
      else { return nil }
      return (form, reader.sentence)
    } catch {
      return nil
    }
  }

  /// A zone by its name, or by a city of the zone database: `in Berlin`, `london time`. After a time or a day, an
  /// unknown word may be a zone too.
  private mutating func zonePart() -> Bool {
    guard sentence.zone == nil else { return false }
    let first = index
    var name = hasTime ? take(\.zone) : nil
    if name == nil, sentence.time != nil {
      _ = takes(.in)
      name = takePlace(of: [3, 2, 1], ZonePlaces.machine.zone(ofCity:))
    }
    if let name {
      sentence.zone = .named(name, offset: start(of: first))
      _ = takes(.clockTime)
      return true
    }
    index = first
    // A zone alone means nothing.
    guard sentence.hasDay || sentence.time != nil, let token else { return false }
    switch token.kind {
    case .zone(let zone):
      index += 1
      sentence.zone = zone
    case .unknown(let name) where name.utf8.allSatisfy(ASCII.isLetter):
      // `United States`
      let place = takePlace(of: [2, 3, 1]) { ZonePlaces.machine.contains($0) || $0 == name ? $0 : nil }
      sentence.zone = place.map { .named($0, offset: token.start) }
    default: return false
    }
    return true
  }

  /// Whether a time of day stands beside the zone: `내일 뉴욕 통화` has none.
  private var hasTime: Bool {
    sentence.time != nil
      || tokens[index...].contains { token in
        if case .clock = token.kind { return true }
        return token.meanings.contains {
          [.hourMark, .clockTime, .sameTime].contains($0) || $0.time != nil
        }
      }
  }

  /// Takes the first of these counts of words that name a place.
  private mutating func takePlace(of counts: [Int], _ pick: (String) -> String?) -> String? {
    for count in counts {
      guard let token, let last = self.token(ahead: count - 1),
        let found = pick(text.text(token.start..<last.end))
      else { continue }
      index += count
      return found
    }
    return nil
  }
}
