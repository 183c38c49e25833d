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

  // By scalars: a mark that follows a quote or a blank joins it into one character, which is neither.
  private static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    var isEscaped = false
    func append(_ scalar: Unicode.Scalar) {
      if word == nil { word = .init() }
      word?.append(scalar)
    }
    for scalar in text.unicodeScalars {
      if isEscaped {
        // In double quotes a backslash escapes only what has a meaning there.
        if quote == "\"", scalar != "\"", scalar != "\\" { append("\\") }
        append(scalar)
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        word = word ?? .init()
        isEscaped = true
      } else if let open = quote {
        if scalar == open { quote = nil } else { append(scalar) }
      } else if scalar == "'" || scalar == "\"" {
        word = word ?? .init()
        quote = scalar
      } else if scalar == " " {
        if let ended = word { words.append(String(ended)) }
        word = nil
      } else {
        append(scalar)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    return words + (word.map { [String($0)] } ?? [])
  }

  private static func quoted(_ word: String) -> String {
    let special: [Unicode.Scalar] = [" ", "'", "\"", "\\"]
    return word.isEmpty || word.unicodeScalars.contains(where: special.contains) ? word.inSingleQuotes : word
  }
}

extension String {
  /// One word of a POSIX shell, and of an ``AlarmCommand``'s text.
  package var inSingleQuotes: String { "'" + replacingEach("'", with: "'\\''") + "'" }

  /// Replaces a scalar wherever it stands. A mark beside it can join it into a Character that does not equal it, but
  /// shells and systemd read bytes.
  package func replacingEach(_ scalar: Unicode.Scalar, with text: String) -> String {
    var replaced = String.UnicodeScalarView()
    for each in unicodeScalars {
      if each == scalar { replaced.append(contentsOf: text.unicodeScalars) } else { replaced.append(each) }
    }
    return String(replaced)
  }
}
