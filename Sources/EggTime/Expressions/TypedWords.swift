/// Command-line words, split into a time and the rest.
public struct TypedWords {
  /// As many first words as read as one expression.
  public let time: TimeExpression
  /// How many words those are.
  public let count: Int
  public let rest: [String]
  /// The index in ``rest`` of the first word that may belong to the time; nil when there is none. A single
  /// argument with blanks never does: it was quoted.
  public let suspect: Int?

  /// Whether the rest can be one label: a single word or quoted text, or several words after a span or a time
  /// of day.
  public var isOneLabel: Bool { rest.count == 1 || time.kind == .span || time.hasTimeOfDay }

  /// nil when no first words read as an expression.
  public init?(_ words: [String], as kind: ExpressionKind?, in context: ReadingContext) {
    for count in stride(from: words.count, to: 0, by: -1) {
      let text = Self.spaced(words[..<count])
      guard let time = try? TimeExpression.read(text, in: context, as: kind) else { continue }
      let rest = Array(words[count...])
      let isQuoted = rest.count == 1 && rest[0].contains(where: \.isWhitespace)
      (self.time, self.count, self.rest) = (time, count, rest)
      suspect = rest.isEmpty || isQuoted ? nil : WordsBehind(time, in: context).firstOfTime(rest, as: kind)
      return
    }
    return nil
  }

  /// The words of a sentence in quotes, without what only asks for an alarm (`remind me to`), and with a label
  /// before the time moved behind it.
  public static func arranged(
    _ typed: [String], as kind: ExpressionKind?, in context: ReadingContext
  ) -> [String] {
    func reads(_ words: ArraySlice<String>) -> Bool {
      (try? TimeExpression.read(spaced(words), in: context, as: kind)) != nil
    }
    guard kind == nil, !reads(typed[...]) else { return typed }
    var words = typed
    if typed.count == 1 { words = typed[0].split(whereSeparator: \.isWhitespace).map(String.init) }
    guard words.count > 1 else { return typed }
    let framed = Lexicon.withoutFrame(words)
    let isFramed = framed.count < words.count
    words = framed
    guard let first = words.indices.first(where: { reads(words[$0...]) }) else {
      // `remind me at 5pm to call mom`
      if isFramed, let last = words.indices.last(where: { reads(words[...$0]) }), last + 1 < words.count,
        Lexicon.isFrameEnd(words[last + 1])
      {
        words.remove(at: last + 1)
      }
      return words
    }
    let behind = WordsBehind(context)
    guard first > 0,
      words[..<first].allSatisfy({ !$0.contains(where: \.isWhitespace) && behind.isOfLabel($0) }),
      !reads(words[..<1])
    else { return words }
    return words[first...] + [spaced(words[..<first])]
  }

  /// A recurring time, its label, and what stands behind `until`; nil for other words.
  public static func ending(
    _ words: [String], in context: ReadingContext
  ) -> (time: String, label: String, end: String)? {
    for (place, word) in words.enumerated() where place > 0 {
      let isBefore = Lexicon.isUntil(word)
      guard isBefore || word.hasSuffix("까지") else { continue }
      let first = isBefore ? place + 1 : place
      guard
        let found = TypedWords(Array(words[..<place]), as: nil, in: context), found.time.kind == .calendar,
        let last = words.indices.reversed().first(where: {
          $0 >= first && read(words[first...$0], in: context) != nil
        })
      else { continue }
      var end = spaced(words[first...last])
      if !isBefore { end.removeLast(2) }
      let label = spaced(ArraySlice(found.rest + words[(last + 1)...]))
      guard let time = read([end], in: context), let moment = time.moment else { continue }
      // `--until` reads the words of tools only.
      if (try? TimeExpression.read(end, in: context, as: .timestamp)) == nil {
        end = String("\(context.zone.civil(at: moment))".prefix(time.isDayAlone ? 10 : 16))
      }
      return (found.time.text, label, end)
    }
    return nil
  }

  private static func read(_ words: ArraySlice<String>, in context: ReadingContext) -> TimeExpression? {
    guard let found = try? TimeExpression.read(spaced(words), in: context), found.kind == .timestamp else {
      return nil
    }
    return found
  }

  /// `joined(separator:)` looks up the array's protocol conformances, which takes longer than reading a time.
  public static func spaced(_ words: ArraySlice<String>) -> String {
    var text = words.first ?? ""
    for word in words.dropFirst() { text += " " + word }
    return text
  }
}
