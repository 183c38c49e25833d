import Alarms
import EggTime
import Varlink

/// An enum of the interface, with the same raw values.
public protocol WireEnum: RawRepresentable<String>, CaseIterable, Codable, Hashable, Sendable
where AllCases == [Self] {}

extension WireEnum {
  /// The value for those that this version does not know: `other`. nil if only calls and optional fields use
  /// the enum: calls refuse unknown values, optional fields read them as absent.
  public static var unknown: Self? { Self(rawValue: "other") }
}

extension Category: WireEnum {}
extension Timing.Kind: WireEnum {}
extension Group.Color: WireEnum {}
extension ListOrder: WireEnum {}

/// Read and written in microseconds; a moment's are since the epoch.
public protocol WireMicroseconds: Codable {
  init(microseconds: Int64)
  var microseconds: Int64 { get }
}

extension WireMicroseconds {
  public init(from decoder: any Decoder) throws {
    self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(microseconds)
  }
}

extension Instant: WireMicroseconds {}
extension TimeSpan: WireMicroseconds {}

/// Read from its description, and written as that.
public protocol WireText: Codable, LosslessStringConvertible {}

extension WireText {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a \(Self.self)")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A UUID: read in either case, written in lower case with hyphens.
extension AlarmID: WireText {}
/// `2026-12-24 18:00:00`.
extension CivilDateTime: WireText {}
/// `2026-12-24`.
extension CivilDate: WireText {}
/// `1d 2h`.
extension Lead: WireText {}
/// `2026-12-24..2027-01-01`, `2026-12-25`.
extension DayRange: WireText {}

/// By the list of its fields.
extension Manner: Codable {
  public init(from decoder: any Decoder) throws {
    self.init()
    let members = try decoder.container(keyedBy: MemberName.self)
    for field in Self.fields {
      let name = MemberName(stringValue: field.name)
      self[field] =
        switch field.kind {
        case .text: try members.decodeIfPresent(String.self, forKey: name).map { .text($0) }
        case .span: try members.decodeIfPresent(Int64.self, forKey: name).map { .number($0) }
        case .flag: try members.decodeIfPresent(Bool.self, forKey: name).map { .flag($0) }
        }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: MemberName.self)
    for field in Self.fields {
      let name = MemberName(stringValue: field.name)
      switch self[field] {
      case .text(let text): try members.encode(text, forKey: name)
      case .number(let number): try members.encode(number, forKey: name)
      case .flag(let flag): try members.encode(flag, forKey: name)
      case nil: break
      }
    }
  }
}
