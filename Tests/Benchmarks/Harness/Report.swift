import Foundation

/// What one benchmark found out.
struct Report: Encodable {
  var benchmark: String
  var rows: [Row] = []
  /// What could not be measured, and why.
  var missing: [String] = []
  /// What belongs to the figures.
  var notes: [String] = []
  /// How long it took, in s.
  var seconds = 0.0
}

/// All reports of a run, as a table and as JSON.
struct Results: Encodable {
  /// The load of the last minute at the start, and the processors.
  var load = 0.0
  var processors = 0
  var reports: [Report] = []

  static let head = line(
    ["mark", "measured", "spread", "beside it, in the same run", "ratio", ""])

  /// A report as lines of the table.
  static func text(_ report: Report) -> String {
    var lines = ["\(report.benchmark)  (\(report.seconds.short) s)"]
    lines += report.rows.map(text)
    lines += report.missing.map { "  not measured: \($0)" }
    lines += report.notes.map { "  \($0)" }
    return lines.joined(separator: "\n")
  }

  private static func text(_ row: Row) -> String {
    var marks = ""
    if let most = row.atMost { marks += " ≤ \(most.short) \(row.unit)" }
    if let least = row.atLeast { marks += " ≥ \(least.short) \(row.unit)" }
    if let most = row.beside?.atMost { marks += " ≤ \(most.short) ×" }
    if let least = row.beside?.atLeast { marks += " ≥ \(least.short) ×" }
    let sample = row.sample
    let spread =
      sample.values.count < 2
      ? "" : "\(sample.quantile(0.25).short) – \(sample.quantile(0.75).short), \(sample.values.count)"
    let beside = row.beside.map { "\($0.name) \(row.part.of($0.sample).short)" } ?? ""
    let verdict = row.isMet.map { $0 ? "ok" : "MISSED" } ?? ""
    return line([
      "  " + row.subject + marks, "\(row.measured.short) \(row.unit)", spread, beside,
      row.ratio.map(\.short) ?? "", verdict,
    ])
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [62, 13, 24, 38, 7, 0]
    return zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(width > 0 ? 1 : 0, width - cell.count))
    }.joined()
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "none")
    try encoder.encode(self).write(to: URL(filePath: path))
  }
}
