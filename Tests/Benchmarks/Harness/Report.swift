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

/// All reports of a run.
struct Results: Encodable {
  /// The load of the last minute at the start, and the processors.
  var load = 0.0
  var processors = 0
  var reports: [Report] = []

  var seconds: Double { reports.reduce(0) { $0 + $1.seconds } }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "none")
    try encoder.encode(self).write(to: URL(filePath: path))
  }
}
