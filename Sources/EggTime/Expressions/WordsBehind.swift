/// Decides whether words after a time belong to it, so that they are no label.
struct WordsBehind {
  private let expression: TimeExpression
  private let context: ReadingContext

  /// `expression` was read in `context`.
  init(_ expression: TimeExpression, in context: ReadingContext) {
    self.expression = expression
    self.context = context
  }

  /// The index of the first word that may belong to the time; nil when there is none. Such a word begins with
  /// a digit, is close to a word of time in some language, looks like a zone after a time of day, or follows
  /// a bare number.
  func firstOfTime(_ words: [String]) -> Int? {
    if endsInNumber { return 0 }
    if words.first.map(joins) ?? false { return 0 }
    if let last = words.last, Lexicon.joins(last.bare) { return words.count - 1 }
    let shared = words.firstIndex { !Lexicon.joins($0.bare) } ?? words.count
    let counted = mayCountOn ? shared : -1
    return words.indices.first { mayBelong(words[$0]) || $0 <= counted && Lexicon.isCount(words[$0].bare) }
  }

  private func mayBelong(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return false }
    if ASCII.isDigit(first) || first == UInt8(ascii: "@") || first == UInt8(ascii: ":") { return true }
    if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
      return word.utf8.dropFirst().first.map(ASCII.isDigit) ?? true
    }
    if Lexicon.mayBeTime(word.bare) || expression.hasTimeOfDay && looksLikeZone(word.bare) { return true }
    // Each piece of `(tomorrow)`, `next-week`, `UTC+9` and `'27` is checked; the `s` of `'s` is ignored.
    let pieces = word.pieces
    guard pieces.count > 1 || pieces.first.map({ $0 != word }) ?? false else { return false }
    return pieces.contains { piece in
      piece.utf8.first.map(ASCII.isDigit) ?? false
        || piece.utf8.count > 1
          && (Lexicon.mayBeTime(piece) || expression.hasTimeOfDay && looksLikeZone(piece))
    }
  }

  /// `10m from …`: the time continues.
  private func joins(_ word: String) -> Bool { Lexicon.goesOn(word.bare) }

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

  /// Whether a number in words may continue the time: `1 hour thirty`, `tomorrow ten`. Not after seconds or
  /// days.
  private var mayCountOn: Bool {
    guard expression.kind == .span else { return true }
    let unit = expression.text.lowercased().split { !$0.isLetter }.last.map(String.init) ?? ""
    return Lexicon.meanings(of: unit).contains { Meaning.unit($0)?.trailing != nil }
  }

  /// `1h30`, `at 19`: the next word may be counted.
  private var endsInNumber: Bool {
    guard let last = expression.text.split(whereSeparator: \.isWhitespace).last,
      last.utf8.last.map(ASCII.isDigit) ?? false
    else { return false }
    if expression.kind == .span { return true }
    return last.utf8.count <= 2 && last.utf8.allSatisfy(ASCII.isDigit) && expression.hasTimeOfDay
      && !expression.text.contains(":")
  }
}

extension TimeExpression {
  /// Whether a zone may follow.
  fileprivate var hasTimeOfDay: Bool {
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
