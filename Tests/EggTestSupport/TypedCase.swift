import EggTime

/// A row of Tests/Fixtures/typed.tsv: what the words of a command line mean at one moment in Seoul.
package struct TypedCase: Sendable, CustomStringConvertible {
  package var text: String
  /// A civil time, the first three where it recurs, or `refused`.
  package var meaning: String
  package var label: String?
  package var hint: String?
  /// All that the refusal offers.
  package var offered: [String] = []

  package var description: String { "'\(text)'" }

  /// The arguments that a shell makes of the text.
  package var words: [String] { Self.words(text) }

  package static let zone = "Asia/Seoul"
  /// 2026-12-02 14:20, a Wednesday.
  package static let now = Instant(microseconds: 1_796_188_800_000_000)

  /// The whole table.
  package static let all: [TypedCase] = contents(ofFixture: "typed.tsv").split(separator: "\n")
    .filter { !$0.hasPrefix("#") && !$0.hasPrefix("text\t") }
    .map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      var row = TypedCase(text: columns[0], meaning: columns[1])
      if row.meaning == "refused" {
        row.offered = columns[2].isEmpty ? [] : columns[2].split(separator: " | ").map(String.init)
      }
      for note in columns[2].split(separator: "; ") where row.meaning != "refused" {
        if note.hasPrefix("label: ") { row.label = String(note.dropFirst("label: ".count)) }
        if note.hasPrefix("hint: ") { row.hint = String(note.dropFirst("hint: ".count)) }
      }
      return row
    }

  /// Words as a shell cuts them, with quotes of both kinds.
  package static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
