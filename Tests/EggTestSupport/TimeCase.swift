/// A row of Tests/Fixtures/time-cases.tsv: what the tools of this field say about an expression.
package struct TimeCase: Sendable, CustomStringConvertible {
  /// `timespan`, `timestamp` or `calendar`.
  package var kind: String
  /// The wall clock it is read at, RFC 3339; `-` where that does not matter.
  package var base: String
  /// The local zone; `-` where that does not matter.
  package var zone: String
  package var text: String
  /// Microseconds, several with commas between them; `never`, `error`.
  package var expected: String
  package var note: String
  /// The class without a flag; `-` where none is said.
  package var auto: String

  package var description: String { "\(kind) '\(text)' at \(base) in \(zone)" }

  /// The whole table.
  package static let all: [TimeCase] = contents(ofFixture: "time-cases.tsv").split(separator: "\n")
    .filter { !$0.hasPrefix("#") && !$0.hasPrefix("kind\t") }
    .map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return TimeCase(
        kind: columns[0], base: columns[1], zone: columns[2], text: columns[3], expected: columns[4],
        note: columns[6], auto: columns[7])
    }
}
