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

  /// Whether the rest can be one label: a single word or quoted text, or several words after a span.
  public var isOneLabel: Bool { rest.count == 1 || time.kind == .span }

  /// nil when no first words read as an expression.
  public init?(_ words: [String], as kind: ExpressionKind?, in context: ReadingContext) {
    for count in stride(from: words.count, to: 0, by: -1) {
      let text = Self.spaced(words[..<count])
      guard let time = try? TimeExpression.read(text, in: context, as: kind) else { continue }
      let rest = Array(words[count...])
      let isQuoted = rest.count == 1 && rest[0].contains(where: \.isWhitespace)
      (self.time, self.count, self.rest) = (time, count, rest)
      suspect = rest.isEmpty || isQuoted ? nil : WordsBehind(time, in: context).firstOfTime(rest)
      return
    }
    return nil
  }

  /// `joined(separator:)` looks up the array's protocol conformances, which takes longer than reading a time.
  public static func spaced(_ words: ArraySlice<String>) -> String {
    var text = words.first ?? ""
    for word in words.dropFirst() { text += " " + word }
    return text
  }
}
