/// The one way to read and write JSON (RFC 8259): messages, files, and what people and scripts see.
public enum JSON {
  /// A compact text. Absent optionals are left out.
  ///
  /// Throws EncodingError for NaN and infinity.
  ///
  /// - Parameter sorted: With members in alphabetical order: equal values give equal texts.
  public static func bytes(_ value: some Encodable, sorted: Bool = false) throws -> [UInt8] {
    let encoding = JSONEncoding()
    try encoding.encode(value)
    return sorted ? try bytes(JSONTree(encoding.bytes)) : encoding.bytes
  }

  /// Ignores unknown members. Of members with the same name one counts.
  ///
  /// Throws DecodingError; its path is empty if `bytes` are not JSON, and names no elements of arrays.
  public static func value<Value: Decodable>(_ bytes: [UInt8], as: Value.Type = Value.self) throws -> Value {
    try value(JSONScanner(bytes))
  }

  /// Reads all that `scanner` has left.
  static func value<Value: Decodable>(
    _ scanner: @autoclosure () throws -> JSONScanner, as: Value.Type = Value.self
  ) throws -> Value {
    do {
      var scanner = try scanner()
      let value = try next(&scanner, as: Value.self)
      guard scanner.atEnd() else { throw JSONFault.notJSON }
      return try value.get()
    } catch let fault as JSONFault {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(fault)"))
    }
  }

  /// Reads the next value and moves behind it, even if it is not of the type. Throws JSONFault for what is not JSON
  /// at all: that has no wrong fields.
  static func next<Value: Decodable>(
    _ scanner: inout JSONScanner, as: Value.Type = Value.self
  ) throws -> Result<Value, DecodingError> {
    let decoding = JSONDecoding(scanner)
    do {
      let value = try decoding.decode(Value.self)
      scanner = decoding.scanner
      return .success(value)
    } catch let error as DecodingError {
      try scanner.skipValue()
      return .failure(error)
    }
  }
}

/// Elements of an array, encoded one by one, and written wherever the array belongs.
public struct EncodedElements: Encodable, Sendable {
  /// With commas, without brackets.
  public internal(set) var bytes: [UInt8] = []

  public init() {}

  /// - Parameter element: A value's JSON.
  public mutating func append(json element: [UInt8]) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    bytes += element
  }

  public func encode(to encoder: any Encoder) throws {
    guard let encoding = encoder as? JSONEncoding else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "not JSON"))
    }
    encoding.array(of: bytes)
  }
}

/// A value whose members are written among those of the object that has it.
@propertyWrapper
public struct Inlined<Value> {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

// Conditions of the type itself would be searched for at the first use.
extension Inlined: Sendable where Value: Sendable {}
extension Inlined: Equatable where Value: Equatable {}

extension Inlined: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }
}

extension Inlined: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// The synthesized coders prefer these to the generic ones.
extension KeyedDecodingContainer {
  public func decode<Value: Decodable>(_: Inlined<Value>.Type, forKey _: Key) throws -> Inlined<Value> {
    try Inlined(from: superDecoder())
  }
}

extension KeyedEncodingContainer {
  public mutating func encode<Value: Encodable>(_ value: Inlined<Value>, forKey _: Key) throws {
    try value.encode(to: superEncoder())
  }
}
