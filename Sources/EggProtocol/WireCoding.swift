import Alarms
import EggTime

/// An enum of the interface; its raw values are the interface's.
public protocol WireEnum: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable
where AllCases == [Self] {}

extension Category: WireEnum {}
extension Timing.Kind: WireEnum {}
extension Alarm.Phase: WireEnum {}
extension Occurrence.Outcome: WireEnum {}
extension LateReason: WireEnum {}
extension Group.Color: WireEnum {}
extension ChangeKind: WireEnum {}

extension Instant: Codable {
  /// Reads microseconds since the epoch.
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes microseconds since the epoch.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

extension TimeSpan: Codable {
  /// Reads microseconds.
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes microseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

extension AlarmID: Codable {
  /// Reads a UUID's text, either case.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = AlarmID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
    }
    self = id
  }

  /// Writes lower case, with hyphens.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension CivilDateTime: Codable {
  /// Reads `2026-12-24 18:00:00`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decodeDescription("no date and time")
  }

  /// Writes the same.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension CivilDate: Codable {
  /// Reads `2026-12-24`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decodeDescription("no date")
  }

  /// Writes the same.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension SingleValueDecodingContainer {
  fileprivate func decodeDescription<Value: LosslessStringConvertible>(_ fault: String) throws -> Value {
    guard let value = Value(try decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: self, debugDescription: fault)
    }
    return value
  }
}
