/// What runs when an alarm rings: a program and its arguments. No shell reads it.
///
/// As text, on the wire and in the database, words are separated by blanks. Quotes and backslashes group them as in a
/// shell; nothing else is special.
public struct AlarmCommand: Hashable, Sendable {
  /// The program first. Never empty, and neither is the program.
  public let words: [String]

  /// nil without a program, and for what ``LimitedText/run`` refuses.
  public init?(words: [String]) {
    guard let program = words.first, !program.isEmpty else { return nil }
    self.words = words
    if LimitedText.run.problem(in: text) != nil { return nil }
  }

  /// nil for no words, a quote that is not closed, and what ``LimitedText/run`` refuses.
  public init?(_ text: String) {
    guard LimitedText.run.problem(in: text) == nil, let words = Self.split(text) else { return nil }
    self.init(words: words)
  }

  /// The shortest quoting of the words: equal commands have equal texts.
  public var text: String { words.map(Self.quoted).joined(separator: " ") }

  private static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        // In double quotes a backslash escapes only what has a meaning there.
        if quote == "\"", character != "\"", character != "\\" { word?.append("\\") }
        word?.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        word = word ?? ""
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        word = word ?? ""
        quote = character
      } else if character == " " {
        if let ended = word { words.append(ended) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    return words + (word.map { [$0] } ?? [])
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: " "), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): false
      default: true
      }
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
