import Alarms
import EggTime

/// Words of a command line told apart into a time expression and a label.
struct ExpressionWords: Equatable {
  /// The words that read as one expression, joined by blanks.
  var expression: String
  /// The one word (or quoted text) behind it.
  var label: String?

  /// Joins words as far as they read as one expression; one word more is the label.
  ///
  /// `failure` reads a text and says why it is no expression, nil where it is one. Refused, with the quoted
  /// forms as a hint: several bare words behind the expression, and one that is a time itself
  /// (`07:30 noon`). One that looks like a time of day but is none (`tomorrow 25:00`) is what cannot be read.
  static func split(
    _ words: [String], verb: String, failure: (String) throws -> Failure?
  ) throws -> ExpressionWords {
    let joined = spaced(words[...])
    guard
      let count = try (0...words.count).last(where: {
        try $0 > 0 && failure(spaced(words[..<$0])) == nil
      })
    else {
      throw try failure(joined) ?? Failure(.usage, "no time was given", hint: "eggctl \(verb) 6m30s")
    }
    let expression = spaced(words[..<count])
    let rest = words[count...]
    guard let label = rest.first else { return ExpressionWords(expression: expression) }
    let remainder = spaced(rest)
    let isTime = try failure(remainder) == nil
    if !isTime, rest.contains(where: \.hasClockForm), let failure = try failure(joined) { throw failure }
    guard rest.count == 1, !isTime else {
      throw Failure(
        .usage,
        isTime
          ? "'\(joined.visible)' does not read as one time; is '\(remainder.visible)' the label?"
          : "'\(remainder.visible)' is several words behind the time '\(expression.visible)'",
        excerpt: Excerpt.caret(under: expression.utf8.count + 1, in: joined),
        hint: "eggctl \(verb) \(expression.shellQuoted) --label \(remainder.shellQuoted)")
    }
    return ExpressionWords(expression: expression, label: label)
  }

  /// Joined by blanks. `joined(separator:)` looks the array's protocols up, which takes longer than reading a time.
  private static func spaced(_ words: ArraySlice<String>) -> String {
    var text = words.first ?? ""
    for word in words.dropFirst() { text += " " + word }
    return text
  }
}

extension String {
  /// `25:00`, `7:3`: digits, a colon and a digit.
  var hasClockForm: Bool {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let before = utf8[..<colon]
    guard !before.isEmpty, before.allSatisfy(digits.contains) else { return false }
    return utf8[utf8.index(after: colon)...].first.map(digits.contains) ?? false
  }

  /// The text as one word of a POSIX shell; bare where it may be.
  var shellQuoted: String {
    let bare = utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if bare, !isEmpty { return self }
    guard contains(where: { "\"$`\\!".contains($0) }) else { return "\"\(visible)\"" }
    return "'\(visible.replacing("'", with: "'\\''"))'"
  }
}
