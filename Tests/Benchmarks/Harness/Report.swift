import Foundation

/// What one benchmark found out.
struct Report: Encodable {
  var benchmark: String
  var rows: [Row] = []
  /// What could not be measured as it is not installed, takes root, or would have to be the machine's own.
  var missing: [String] = []
  /// What could have been measured, and was not, and why.
  var failed: [String] = []
  /// What belongs to the figures.
  var notes: [String] = []
  /// How long it took, in s.
  var seconds = 0.0
}

/// All reports of a run.
struct Results: Encodable {
  var conditions: Conditions
  var reports: [Report] = []

  var seconds: Double { reports.reduce(0) { $0 + $1.seconds } }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "none")
    try Written.write(try encoder.encode(self), to: path)
  }
}
