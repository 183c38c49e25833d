import EggTime

/// A row of Tests/Fixtures/meant.tsv: what a text means at 14:20 on Wednesday 2026-12-02, on the clock of any zone.
package struct MeantCase: Sendable, CustomStringConvertible {
  package var text: String
  /// A civil time, the first three where it recurs, an instant that ends in `Z`, or `refused`.
  package var meaning: String
  package var label: String?
  package var hasOneReading = false
  /// Texts of the moments that a refusal offers.
  package var offered: [String] = []

  package var description: String { "'\(text)'" }
  package var words: [String] { TypedCase.words(text) }

  package static let zones = ["Asia/Seoul", "Europe/Paris", "America/New_York"]

  package static func context(in zone: String) throws -> ReadingContext {
    let zone = try Zone.named(zone)
    let now = CivilDateTime(year: 2026, month: 12, day: 2, hour: 14, minute: 20)
    return ReadingContext(now: zone.resolve(now).instant, zone: zone)
  }

  /// The whole table.
  package static let all: [MeantCase] = contents(ofFixture: "meant.tsv").split(separator: "\n")
    .filter { !$0.hasPrefix("#") && !$0.hasPrefix("text\t") }
    .map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      var row = MeantCase(text: columns[0], meaning: columns[1])
      let note = columns.count > 2 ? columns[2] : ""
      if row.meaning == "refused" {
        row.offered = note.isEmpty ? [] : note.split(separator: " | ").map(String.init)
      }
      for part in note.split(separator: "; ") where row.meaning != "refused" {
        if part == "one reading" { row.hasOneReading = true }
        if part.hasPrefix("label: ") { row.label = String(part.dropFirst("label: ".count)) }
      }
      return row
    }

  /// Tests/Fixtures/titles.tsv: what people note down, by language.
  package static let titles: [(language: String, title: String)] = contents(ofFixture: "titles.tsv")
    .split(separator: "\n").dropFirst().map { line in
      let columns = line.split(separator: "\t").map(String.init)
      return (columns[0], columns[1])
    }
}
