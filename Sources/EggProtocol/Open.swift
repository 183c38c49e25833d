/// An enum of a reply: a value that this version does not know reads as the enum's last.
///
/// Calls hold the bare enum, which refuses an unknown value.
@propertyWrapper
public struct Open<Value: WireEnum>: Codable, Equatable, Sendable {
  /// The value, known to this version.
  public var wrappedValue: Value

  /// That value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Reads a value's name.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = Value(rawValue: text) ?? Value.allCases.last else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "an enum without values"))
    }
    wrappedValue = value
  }

  /// Writes the value's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue.rawValue)
  }
}

/// An optional enum of a reply, read as ``Open`` reads it and left out where it is nil.
@propertyWrapper
public struct OpenOptional<Value: WireEnum>: Codable, Equatable, Sendable {
  /// The value, known to this version.
  public var wrappedValue: Value?

  /// That value.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Reads a value's name.
  public init(from decoder: any Decoder) throws {
    wrappedValue = try Open<Value>(from: decoder).wrappedValue
  }

  /// Writes the value's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue?.rawValue)
  }
}

// Found by the synthesized coders in place of the generic ones, which know no absent field.
extension KeyedDecodingContainer {
  func decode<Value>(_ type: OpenOptional<Value>.Type, forKey key: Key) throws -> OpenOptional<Value> {
    OpenOptional(wrappedValue: try decodeIfPresent(Open<Value>.self, forKey: key)?.wrappedValue)
  }
}

extension KeyedEncodingContainer {
  mutating func encode<Value>(_ value: OpenOptional<Value>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue?.rawValue, forKey: key)
  }
}
