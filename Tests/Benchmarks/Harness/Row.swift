/// One figure of eggd, the marks it is to reach, and what stands beside it.
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
  struct Beside {
    var name: String
    var sample: Sample
    /// What the ratio of the two is to be at most.
    var atMost: Double?
    /// What it is to be at least, where more is better.
    var atLeast: Double?
    /// Its figure is a row of its own.
    var isAbove = false
  }

  var subject: String
  var unit: String
  var sample: Sample
  var part = Part.median
  /// The mark, in `unit`.
  var atMost: Double?
  var atLeast: Double?
  var beside: [Beside]

  init(
    _ subject: String, _ sample: Sample, _ unit: String, part: Part = .median, atMost: Double? = nil,
    atLeast: Double? = nil, beside: [Beside] = []
  ) {
    (self.subject, self.unit, self.sample, self.part) = (subject, unit, sample, part)
    (self.atMost, self.atLeast, self.beside) = (atMost, atLeast, beside)
  }

  /// What counts.
  var measured: Double { part.of(sample) }

  /// To the same part of what stands beside it.
  func ratio(to other: Beside) -> Double { measured / part.of(other.sample) }

  /// Whether its own mark is reached; nil where there is none.
  var isMet: Bool? { Self.isMet(measured, atMost, atLeast) }

  /// Whether the mark of a ratio is; nil where there is none.
  func isMet(beside other: Beside) -> Bool? { Self.isMet(ratio(to: other), other.atMost, other.atLeast) }

  /// All marks of it: what each is about, and whether it is reached.
  var marks: [(name: String, isMet: Bool)] {
    let own = isMet.map { [(subject, $0)] } ?? []
    return own
      + beside.compactMap { other in isMet(beside: other).map { ("\(subject), beside \(other.name)", $0) } }
  }

  private static func isMet(_ value: Double, _ atMost: Double?, _ atLeast: Double?) -> Bool? {
    guard atMost != nil || atLeast != nil else { return nil }
    return value <= atMost ?? .infinity && value >= atLeast ?? -.infinity
  }

  private enum Key: String, CodingKey {
    case subject, unit, part, measured, sample, atMost, atLeast, beside, name, ratio, isMet
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
    try container.encodeIfPresent(isMet, forKey: .isMet)
    guard !beside.isEmpty else { return }
    var others = container.nestedUnkeyedContainer(forKey: .beside)
    for other in beside {
      var container = others.nestedContainer(keyedBy: Key.self)
      try container.encode(other.name, forKey: .name)
      try container.encode(part.of(other.sample), forKey: .measured)
      try container.encode(other.sample, forKey: .sample)
      try container.encode(ratio(to: other), forKey: .ratio)
      try container.encodeIfPresent(other.atMost, forKey: .atMost)
      try container.encodeIfPresent(other.atLeast, forKey: .atLeast)
      try container.encodeIfPresent(isMet(beside: other), forKey: .isMet)
    }
  }
}
