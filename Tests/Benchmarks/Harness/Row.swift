/// One line of the table.
struct Row: Encodable {
  /// Which part of the measured values the line is about.
  enum Part: String, Encodable {
    case median, p99, least, most

    func of(_ sample: Sample) -> Double {
      switch self {
      case .median: sample.median
      case .p99: sample.quantile(0.99)
      case .least: sample.quantile(0)
      case .most: sample.quantile(1)
      }
    }
  }

  /// Whom it stands beside, measured in the same run; a peer, or the least that the machine takes.
  struct Beside: Encodable {
    var name: String
    var sample: Sample
    /// What the ratio of the two is to be at most.
    var atMost: Double?
    /// What it is to be at least, where more is better.
    var atLeast: Double?
  }

  var subject: String
  var unit: String
  var sample: Sample
  var part = Part.median
  /// The mark, in `unit`.
  var atMost: Double?
  var atLeast: Double?
  var beside: Beside?

  init(
    _ subject: String, _ sample: Sample, _ unit: String, part: Part = .median, atMost: Double? = nil,
    atLeast: Double? = nil, beside: Beside? = nil
  ) {
    (self.subject, self.unit, self.sample, self.part) = (subject, unit, sample, part)
    (self.atMost, self.atLeast, self.beside) = (atMost, atLeast, beside)
  }

  /// What counts.
  var measured: Double { part.of(sample) }

  /// To the same part of what stands beside it.
  var ratio: Double? { beside.map { measured / part.of($0.sample) } }

  /// Whether every mark of the line is reached; nil where there is none.
  var isMet: Bool? {
    var marks: [Bool] = []
    if let atMost { marks.append(measured <= atMost) }
    if let atLeast { marks.append(measured >= atLeast) }
    if let ratio, let atMost = beside?.atMost { marks.append(ratio <= atMost) }
    if let ratio, let atLeast = beside?.atLeast { marks.append(ratio >= atLeast) }
    return marks.isEmpty ? nil : marks.allSatisfy { $0 }
  }

  private enum Key: String, CodingKey {
    case subject, unit, part, measured, sample, atMost, atLeast, beside, ratio, isMet
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(subject, forKey: .subject)
    try container.encode(unit, forKey: .unit)
    try container.encode(part, forKey: .part)
    try container.encode(measured, forKey: .measured)
    try container.encode(sample, forKey: .sample)
    try container.encodeIfPresent(atMost, forKey: .atMost)
    try container.encodeIfPresent(atLeast, forKey: .atLeast)
    try container.encodeIfPresent(beside, forKey: .beside)
    try container.encodeIfPresent(ratio, forKey: .ratio)
    try container.encodeIfPresent(isMet, forKey: .isMet)
  }
}
