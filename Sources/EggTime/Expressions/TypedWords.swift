/// Command-line words, split into a time and a label.
public struct TypedWords {
  /// As many first words as read as one expression.
  public let time: TimeExpression
  /// How many words those are.
  public let count: Int
  /// As typed, without what only asks for an alarm and without a label before or within the time.
  public let words: [String]
  /// What is no part of the time; nil when there is nothing.
  public let label: String?
  /// The index in ``words`` of the first word behind the time that may belong to it; nil when there is none, and the
  /// label is certain. A single argument with blanks never does: it was quoted.
  public let suspect: Int?
  /// How many first words are the time if its last ones belong to the label: 1 in `9am London meeting`. nil where they
  /// do not.
  public let shorterCount: Int?

  /// nil when no first words read as an expression.
  public init?(_ typed: [String], as kind: ExpressionKind?, in context: ReadingContext) {
    let found = Arrangement(typed, as: kind, in: context)
    guard let (time, count) = found.time else { return nil }
    self.time = time
    self.count = count
    words = found.words
    let rest = Array(words[count...])
    let isQuoted = rest.count == 1 && rest[0].contains(where: \.isWhitespace)
    let parts = [found.label].compactMap(\.self) + rest
    label = parts.isEmpty ? nil : Self.spaced(parts[...])
    let behind = WordsBehind(time, as: kind, in: context)
    // `first thing tomorrow`
    let isCut = !rest.isEmpty && Lexicon.isForm(in: words, before: count, endingBehind: count)
    suspect =
      rest.isEmpty || isQuoted
      ? nil : isCut ? count : behind.firstOfTime(rest).map { count + $0 }
    let doubtful = suspect == nil ? 0 : behind.doubtfulEnd
    shorterCount = (1..<count).contains(count - doubtful) ? count - doubtful : nil
  }

  /// The words of a sentence in quotes, without what only asks for an alarm (`remind me to`), and apart from a label
  /// before or within the time. `doubtfulStart` is where a time, read or refused, begins behind words that may be its
  /// label.
  public static func arranged(
    _ typed: [String], as kind: ExpressionKind?, in context: ReadingContext
  ) -> (words: [String], label: String?, doubtfulStart: Int?) {
    let found = Arrangement(typed, as: kind, in: context)
    return (found.words, found.label, found.doubtfulStart)
  }

  /// Whether a word, in any case, is one of time, or likely a typo of one.
  public static func mayBeTime(_ word: String) -> Bool { Lexicon.mayBeTime(word) }

  /// Whether a word stands between the ends of a range: `to`.
  public static func isTo(_ word: String) -> Bool { Lexicon.means(word, .to) }

  /// Whether a word is common in any text and needs another after it: `in`, `for`.
  public static func isJoint(_ word: String) -> Bool { Lexicon.introduces(word) }

  /// Whether words before a time may name its zone: `london` of `london 9am`.
  public static func isPlace(_ words: ArraySlice<String>, in context: ReadingContext) -> Bool {
    WordsBehind(in: context).isPlace(words)
  }

  public static func isDash(_ word: String) -> Bool { ["-", "\u{2013}", "\u{2014}"].contains(word) }

  /// `joined(separator:)` looks up the array's protocol conformances, which takes longer than reading a time.
  public static func spaced(_ words: ArraySlice<String>, by separator: String = " ") -> String {
    var text = words.first ?? ""
    for word in words.dropFirst() { text += separator + word }
    return text
  }
}
