/// The words of all languages that are read.
enum Lexicon {
  static let languages = [Language.english, .korean]

  /// By the word in lower case.
  private static let meanings: [String: [Meaning]] = {
    var found: [String: [Meaning]] = [:]
    for language in languages {
      for row in language.table {
        for form in row.forms.split(separator: " ") {
          found[String(form), default: []] += row.meanings
        }
      }
    }
    return found
  }()

  /// What a word in lower case can mean; empty for one that says nothing about time.
  static func meanings(of word: String) -> [Meaning] { meanings[word] ?? [] }

  /// The longest word beyond ASCII that the bytes begin with; nil where there is none.
  static func longestPrefix(of bytes: ArraySlice<UInt8>) -> (length: Int, meanings: [Meaning])? {
    var length = min(bytes.count, longest)
    while length > 0 {
      let word = String(decoding: bytes.prefix(length), as: UTF8.self)
      if let found = meanings[word] { return (length, found) }
      length -= 1
    }
    return nil
  }

  /// In bytes, of the words beyond ASCII.
  private static let longest = meanings.keys.filter { $0.utf8.contains { $0 >= 0x80 } }.map(\.utf8.count).max() ?? 0

  /// The words in Latin letters, from five letters on, that a mistyped one is compared with.
  private static let compared = (meanings.keys + CalendarShorthand.names + ["fortnight"]).filter {
    $0.utf8.count >= 5 && $0.utf8.allSatisfy(ASCII.isLetter)
  }.sorted().map { Array($0.utf8) }

  /// Whether a word, in any case, is a word of time in some language, or so like one that it may be a slip: by one edit
  /// (a letter more, less, another, or two that are swapped), from eight letters on by two.
  static func mayBeTime(_ word: String) -> Bool {
    let lower = word.lowercased()
    if meanings[lower] != nil || CalendarShorthand.event(lower) != nil { return true }
    let letters = Array(lower.utf8)
    guard letters.allSatisfy(ASCII.isLetter) else { return false }
    return compared.contains { candidate in
      let limit = candidate.count >= 8 ? 2 : 1
      return abs(candidate.count - letters.count) <= limit
        && Spelling.distance(letters, candidate) <= limit
    }
  }

  /// A word that a mistyped one may have been: one slip in three to five letters, two in longer ones; nil for a word
  /// that is one of them, or like none.
  static func nearest(to word: String) -> String? { Spelling.nearest(to: word, among: candidates) }

  private static let candidates = (meanings.keys + CalendarShorthand.names).filter {
    $0.utf8.count >= 3 && $0.utf8.allSatisfy(ASCII.isLetter)
  }.sorted().map { Array($0.utf8) }
}
