import EggTime

/// A row of Tests/Fixtures/sentences.tsv: what a sentence means at one moment in three zones.
package struct SentenceCase: Sendable, CustomStringConvertible {
  /// `en`, `ko`, `pasted`, `wrong`.
  package var language: String
  package var text: String
  /// By zone: local civil times with their offsets, several with commas between them; `refused`.
  package var meanings: [String]
  /// Texts that a refusal has to offer.
  package var offered: [String] = []
  /// A text that a hint has to name.
  package var hint: String?

  package var description: String { "\(language) '\(text)'" }

  package static let zones = ["Europe/Paris", "Asia/Seoul", "America/New_York"]
  /// 2026-11-24T12:20:30Z, a Tuesday.
  package static let now = Instant(microseconds: 1_795_522_830_000_000)

  /// The whole table.
  package static let all: [SentenceCase] = contents(ofFixture: "sentences.tsv").split(separator: "\n")
    .filter { !$0.hasPrefix("#") && !$0.hasPrefix("language\t") }
    .map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      var row = SentenceCase(language: columns[0], text: columns[1], meanings: Array(columns[2...4]))
      let note = columns.count > 5 ? columns[5] : ""
      if note.hasPrefix("hint: ") {
        row.hint = String(note.dropFirst("hint: ".count))
      } else if columns[2] == "refused", !note.isEmpty {
        row.offered = note.split(separator: "|").map { $0.trimmingBlanks }
      }
      return row
    }
}

extension Substring {
  fileprivate var trimmingBlanks: String { split(separator: " ").joined(separator: " ") }
}
