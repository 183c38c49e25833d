import Alarms
import EggTime

/// An enum of the interface, with the same raw values.
public protocol WireEnum: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable
where AllCases == [Self] {
  /// The value for those that this version does not know: `other`. nil if only calls and optional fields use
  /// the enum: calls refuse unknown values, optional fields read them as absent.
  static var unknown: Self? { get }
}

extension WireEnum {
  public static var unknown: Self? { nil }
}

extension Category: WireEnum {
  /// A category added by a later version.
  public static var unknown: Category? { .other }
}
extension Timing.Kind: WireEnum {}
extension Alarm.Phase: WireEnum {
  public static var unknown: Alarm.Phase? { .other }
}
extension Occurrence.Outcome: WireEnum {
  public static var unknown: Occurrence.Outcome? { .other }
}
extension LateReason: WireEnum {
  public static var unknown: LateReason? { .other }
}
extension Group.Color: WireEnum {}
extension ChangeKind: WireEnum {
  public static var unknown: ChangeKind? { .other }
}

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
  /// Reads a UUID in either case.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = AlarmID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
    }
    self = id
  }

  /// Writes lower case with hyphens.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension CivilDateTime: Codable {
  /// Reads `2026-12-24 18:00:00`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decodeDescription("not a date and time")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension CivilDate: Codable {
  /// Reads `2026-12-24`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decodeDescription("not a date")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Lead: Codable {
  /// Reads `1d 2h`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decodeDescription("not a lead")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension DayRange: Codable {
  /// Reads `2026-12-24..2027-01-01` and `2026-12-25`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decodeDescription("not days")
  }

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
