/// An enum in a reply. A value that this version does not know is read as ``WireEnum/unknown``.
///
/// Calls use the bare enum, which refuses unknown values.
@propertyWrapper
public struct Open<Value: WireEnum>: Codable, Equatable, Sendable {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws {
    guard let value = try OpenOptional<Value>(from: decoder).wrappedValue else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "an unknown value"))
    }
    wrappedValue = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue.rawValue)
  }
}

/// An optional enum in a reply. A value that this version does not know is read as ``WireEnum/unknown``,
/// which may be nil. A nil value is not written.
@propertyWrapper
public struct OpenOptional<Value: WireEnum>: Codable, Equatable, Sendable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws {
    wrappedValue = Value(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? Value.unknown
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
