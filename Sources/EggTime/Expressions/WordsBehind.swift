/// Decides whether words after a time belong to it, so that they are no label.
struct WordsBehind {
  private let expression: TimeExpression?
  private let context: ReadingContext

  /// `expression` was read in `context`.
  init(_ expression: TimeExpression, in context: ReadingContext) {
    self.expression = expression
    self.context = context
  }

  /// For words before a time.
  init(_ context: ReadingContext) {
    expression = nil
    self.context = context
  }

  /// The index of the first word that may belong to the time; nil when there is none.
  ///
  /// Behind a span or a time of day the first word decides, words such as `the` aside: whether it begins with a
  /// digit, is close to a word of time in some language, or looks like a zone. Then the rest is a label, unless
  /// its end reads as a time together with the expression: `7am gym monday`. Behind a day every word counts.
  func firstOfTime(_ words: [String], as kind: ExpressionKind?) -> Int? {
    guard let expression else { return nil }
    if endsInNumber { return 0 }
    if words.first.map({ Lexicon.goesOn($0.bare) }) ?? false { return 0 }
    guard let first = words.firstIndex(where: { !Lexicon.joins($0.bare) }) else { return words.count - 1 }
    let isComplete = expression.kind == .span || expression.hasTimeOfDay
    if Lexicon.isCount(words[first].bare) {
      let counted = words[(first + 1)...].first { !Lexicon.joins($0.bare) }
      let isCounting = counted.map { mayBelong($0) || Lexicon.isCount($0.bare) } ?? true
      if isCounting || !isComplete { return first }
    } else if mayBelong(words[first]) || expression.hasTimeOfDay && beginsWithPlace(words[first...]) {
      return first
    }
    guard isComplete else { return words.indices.first { mayBelong(words[$0]) } }
    if expression.kind == .calendar, let end = words.firstIndex(where: { Lexicon.bounds($0.bare) }) {
      return end
    }
    return words.indices.dropFirst(first + 1).first { place in
      guard mayBelong(words[place]) || Lexicon.joins(words[place].bare) else { return false }
      let text = expression.text + " " + TypedWords.spaced(words[place...])
      return (try? TimeExpression.read(text, in: context, as: kind)) != nil
    }
  }

  /// `New York`
  private func beginsWithPlace(_ words: ArraySlice<String>) -> Bool {
    (1...3).contains {
      $0 <= words.count && ZonePlaces.machine.contains(TypedWords.spaced(words.prefix($0)).bare)
    }
  }

  /// Whether a word before a time can only be of the label.
  func isOfLabel(_ word: String) -> Bool {
    guard !mayBelong(word) else { return false }
    // `ten부터`: letters of each script.
    return word.pieces.flatMap { $0.split { !$0.isASCII } + $0.split(whereSeparator: \.isASCII) }
      .allSatisfy { !Lexicon.begins(String($0)) }
  }

  private func mayBelong(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    if ASCII.isDigit(first) || first == UInt8(ascii: "@") || first == UInt8(ascii: ":") { return true }
    if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
      return word.utf8.dropFirst().first.map(ASCII.isDigit) ?? true
    }
    if Lexicon.mayBeTime(word.bare) || mayHaveZone && looksLikeZone(word.bare) { return true }
    // Each piece of `(tomorrow)`, `next-week`, `UTC+9` and `'27` is checked; the `s` of `'s` is ignored.
    let pieces = word.pieces
    guard pieces.count > 1 || pieces.first.map({ $0 != word }) ?? false else { return false }
    return pieces.contains { piece in
      piece.utf8.first.map(ASCII.isDigit) ?? false
        || piece.utf8.count > 1
          && (Lexicon.mayBeTime(piece) || mayHaveZone && looksLikeZone(piece))
    }
  }

  private var mayHaveZone: Bool { expression?.hasTimeOfDay ?? false }

  /// `EST`, `est`, `Europe/Pariss`, `Turkey`.
  private func looksLikeZone(_ word: String) -> Bool {
    let letters = word.utf8
    if (3...5).contains(letters.count), letters.allSatisfy({ $0 &- UInt8(ascii: "A") < 26 }) { return true }
    let parts = letters.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.count > 1, parts.allSatisfy({ $0.first.map(ASCII.isLetter) ?? false }) { return true }
    if ForeignZones.name(of: word) != nil || Evaluation.isUniversal(word) { return true }
    if context.zone.abbreviations(around: context.now).contains(where: {
      $0.name.lowercased() == word.lowercased()
    }) {
      return true
    }
    return ZoneDirectory.isIdentifier(word) && (try? context.loadZone(word)) != nil
  }

  /// `1h30`, `at 19`: the next word may be counted.
  private var endsInNumber: Bool {
    guard let expression, let last = expression.text.split(whereSeparator: \.isWhitespace).last,
      last.utf8.last.map(ASCII.isDigit) ?? false
    else { return false }
    if expression.kind == .span { return true }
    return last.utf8.count <= 2 && last.utf8.allSatisfy(ASCII.isDigit) && expression.hasTimeOfDay
      && !expression.text.contains(":")
  }
}

extension TimeExpression {
  /// Whether a zone may follow.
  var hasTimeOfDay: Bool {
    switch reading {
    case .span: false
    case .instant, .civil, .recurring: !isDayAlone
    }
  }
}

extension String {
  /// Its runs of letters and digits.
  fileprivate var pieces: [String] {
    split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Without trailing punctuation.
  fileprivate var bare: String {
    String(decoding: utf8.reversed().drop { ".,;:!?".utf8.contains($0) }.reversed(), as: UTF8.self)
  }
}
