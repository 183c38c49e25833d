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

  /// nil when no first words read as an expression.
  public init?(_ typed: [String], as kind: ExpressionKind?, in context: ReadingContext) {
    let (words, moved) = Self.arranged(typed, as: kind, in: context)
    self.words = words
    for count in stride(from: words.count, to: 0, by: -1) {
      let text = Self.spaced(words[..<count])
      guard let time = try? TimeExpression.read(text, in: context, as: kind) else { continue }
      let rest = Array(words[count...])
      let isQuoted = rest.count == 1 && rest[0].contains(where: \.isWhitespace)
      (self.time, self.count) = (time, count)
      label = moved ?? (rest.isEmpty ? nil : Self.spaced(rest[...]))
      suspect =
        rest.isEmpty || isQuoted
        ? nil : WordsBehind(time, in: context).firstOfTime(rest, as: kind).map { count + $0 }
      return
    }
    return nil
  }

  /// The words of a sentence in quotes, without what only asks for an alarm (`remind me to`), and apart from a label
  /// before or within the time.
  public static func arranged(
    _ typed: [String], as kind: ExpressionKind?, in context: ReadingContext
  ) -> (words: [String], label: String?) {
    func reads(_ words: ArraySlice<String>) -> Bool {
      (try? TimeExpression.read(spaced(words), in: context, as: kind)) != nil
    }
    guard kind == nil, !reads(typed[...]) else { return (typed, nil) }
    var words = typed
    if typed.count == 1 { words = typed[0].split(whereSeparator: \.isWhitespace).map(String.init) }
    guard words.count > 1 else { return (typed, nil) }
    let framed = Lexicon.withoutFrame(words)
    let isFramed = framed.count < words.count
    words = framed
    let behind = WordsBehind(context)
    func isLabel(_ words: ArraySlice<String>) -> Bool {
      words.allSatisfy { !$0.contains(where: \.isWhitespace) && behind.isOfLabel($0) }
    }
    guard let first = words.indices.first(where: { reads(words[$0...]) }), first > 0, isLabel(words[..<first])
    else {
      guard let last = words.indices.last(where: { reads(words[...$0]) }), last + 1 < words.count else {
        return (words, nil)
      }
      // `remind me at 5pm to call mom`
      if isFramed, Lexicon.isFrameEnd(words[last + 1]) {
        words.remove(at: last + 1)
        return (words, nil)
      }
      guard let end = labelWithin(words, behind: last, in: context), isLabel(words[(last + 1)..<end]) else {
        return (words, nil)
      }
      return (Array(words[...last] + words[end...]), spaced(words[(last + 1)..<end]))
    }
    // `thanksgiving of next year`, `black friday`
    guard !reads(words[..<1]), !Lexicon.joins(words[first - 1]), !Lexicon.isForm(in: words, across: first)
    else {
      return (words, nil)
    }
    // `call tom at 5pm`
    if Lexicon.isName(words[first]), reads(words[(first + 1)...]) { return (words, nil) }
    return (Array(words[first...]), spaced(words[..<first]))
  }

  /// Where a label ends that stands within a time: behind a day alone before its time of day (`friday dinner at 7pm`),
  /// or behind a recurring time before its end (`daily 9am standup until friday`). nil for other words.
  private static func labelWithin(_ words: [String], behind last: Int, in context: ReadingContext) -> Int? {
    guard let before = try? TimeExpression.read(spaced(words[...last]), in: context) else { return nil }
    return words.indices.dropFirst(last + 2).first { end in
      guard let whole = try? TimeExpression.read(spaced(words[...last] + words[end...]), in: context),
        whole.kind == before.kind
      else { return false }
      let time = try? TimeExpression.read(spaced(words[end...]), in: context)
      return before.isDayAlone && !whole.isDayAlone && time?.kind == .timestamp || whole.from != before.from
        || whole.until != before.until
    }
  }

  /// `joined(separator:)` looks up the array's protocol conformances, which takes longer than reading a time.
  public static func spaced(_ words: ArraySlice<String>) -> String {
    var text = words.first ?? ""
    for word in words.dropFirst() { text += " " + word }
    return text
  }
}
