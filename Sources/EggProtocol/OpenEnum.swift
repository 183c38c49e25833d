import Alarms

/// An enum of replies. A value that this version does not know is read as `other`.
public protocol OpenEnum: WireEnum {
  static var other: Self { get }
}

extension OpenEnum {
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
  }
}

extension Alarm.Phase: OpenEnum {}
extension Occurrence.Outcome: OpenEnum {}
extension LateReason: OpenEnum {}
extension ChangeKind: OpenEnum {}

/// An optional enum in a reply that calls have too. A value that this version does not know is read as absent. A nil
/// value is not written.
@propertyWrapper
public struct OpenOptional<Value: WireEnum>: Codable, Equatable, Sendable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws {
    wrappedValue = Value(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue?.rawValue)
  }
}

// The synthesized coders prefer these to the generic ones, which do not know absent fields.
extension KeyedDecodingContainer {
  func decode<Value>(_ type: OpenOptional<Value>.Type, forKey key: Key) throws -> OpenOptional<Value> {
    try decodeIfPresent(type, forKey: key) ?? OpenOptional(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  mutating func encode<Value>(_ value: OpenOptional<Value>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue?.rawValue, forKey: key)
  }
}
