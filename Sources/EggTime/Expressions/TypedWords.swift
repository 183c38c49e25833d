/// Words that were typed, told apart into a time and what stands behind it.
public struct TypedWords {
  /// What the first of them say, as many as read as one expression.
  public let time: TimeExpression
  /// How many those are.
  public let count: Int
  /// Those behind it.
  public let rest: [String]
  /// The first word of the rest, by its index there, that may have been meant as a part of the time; nil where there is
  /// none. One argument with blanks in it never is: it was quoted.
  public let suspect: Int?

  /// Whether the rest, where it is no part of the time, is one label: one word or quoted text, or behind a span several.
  public var isOneLabel: Bool { rest.count == 1 || time.kind == .span }

  /// nil where no words, from the first on, read as an expression.
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

  /// Joined by blanks. `joined(separator:)` looks the array's protocols up, which takes longer than reading a time.
  public static func spaced(_ words: ArraySlice<String>) -> String {
    var text = words.first ?? ""
    for word in words.dropFirst() { text += " " + word }
    return text
  }
}
