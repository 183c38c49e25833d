/// What was measured several times, in one unit.
struct Sample: Encodable {
  /// Ascending.
  let values: [Double]

  init(_ values: [Double]) { self.values = values.sorted() }

  /// Spans in ns as µs.
  static func microseconds(_ spans: [Int64]) -> Sample { Sample(spans.map { Double($0) / 1e3 }) }

  /// Spans in ns as ms.
  static func milliseconds(_ spans: [Int64]) -> Sample { Sample(spans.map { Double($0) / 1e6 }) }

  var median: Double { quantile(0.5) }

  /// The value below which that part of all lies; the last one for 1.
  func quantile(_ part: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    return values[min(Int(Double(values.count) * part), values.count - 1)]
  }

  private enum Key: String, CodingKey {
    case median, p25, p75, p99, least, most, count
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    guard !values.isEmpty else { return try container.encode(0, forKey: .count) }
    let parts: [(Key, Double)] = [
      (.median, 0.5), (.p25, 0.25), (.p75, 0.75), (.p99, 0.99), (.least, 0), (.most, 1),
    ]
    for (key, part) in parts { try container.encode(quantile(part), forKey: key) }
    try container.encode(values.count, forKey: .count)
  }
}

/// What kept a benchmark from measuring.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
