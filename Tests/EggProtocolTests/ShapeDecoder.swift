import Varlink

@testable import EggProtocol

/// Finds out which fields a type reads.
final class ShapeDecoder: Decoder {
  /// Found so far.
  var shape: Shape = .structure([])
  /// The text that strings decode to.
  var text = ""
  /// The only key of an enum with parameters.
  var key: String?
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  indirect enum Shape: Equatable {
    case bool, int, string
    case enumeration([String])
    case array(Shape)
    case structure([Field])

    /// Members of an object have no order.
    var sorted: Shape {
      switch self {
      case .structure(let fields):
        .structure(
          fields.map { Field(name: $0.name, optional: $0.optional, shape: $0.shape.sorted) }
            .sorted { $0.name < $1.name })
      case .array(let element): .array(element.sorted)
      case .bool, .int, .string, .enumeration: self
      }
    }
  }

  struct Field: Equatable {
    var name: String
    var optional: Bool
    var shape: Shape
  }

  static func shape<T: Decodable>(of type: T.Type) throws -> Shape { try read(type).shape }

  static func read<T: Decodable>(_ type: T.Type) throws -> (value: T, shape: Shape) {
    if type == WireAlarm.self, let alarm = WireAlarm() as? T { return (alarm, try alarmShape()) }
    let declared = type as? any DeclaredShape.Type
    let decoder = ShapeDecoder()
    decoder.text = declared?.sample ?? ""
    let value = try T(from: decoder)
    return (value, declared?.declaredShape ?? decoder.shape)
  }

  /// - Parameter name: Of the case.
  static func shape(ofError name: String) throws -> Shape {
    let decoder = ShapeDecoder()
    decoder.key = name
    _ = try ScheduleError(from: decoder)
    if case .structure(let fields) = decoder.shape, let only = fields.first, only.name == "_0" {
      return only.shape
    }
    return decoder.shape
  }

  /// Alarms are decoded by the list of their fields.
  private static func alarmShape() throws -> Shape {
    .structure(
      try WireAlarm.codings.map { coding in
        Field(
          name: String(decoding: coding.name, as: UTF8.self), optional: coding.field != nil,
          shape: try shape(of: coding.type))
      })
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedShape<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { ArrayShape(decoder: self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleShape(decoder: self)
  }
}

/// A type that decodes from certain texts only.
protocol DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { get }
  /// One such text.
  static var sample: String { get }
}

private struct KeyedShape<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ShapeDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [decoder.key.flatMap(Key.init)].compactMap(\.self) }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try add(type, key, optional: false)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try add(type, key, optional: true)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try add(type, key, optional: true)
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try add(type, key, optional: true)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try add(type, key, optional: true)
  }

  private func add<T: Decodable>(_ type: T.Type, _ key: Key, optional: Bool) throws -> T {
    let (value, shape) = try ShapeDecoder.read(type)
    guard case .structure(let fields) = decoder.shape else { return value }
    let field = ShapeDecoder.Field(name: key.stringValue, optional: optional, shape: shape)
    decoder.shape = .structure(fields + [field])
    return value
  }

  func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<N>
  { KeyedDecodingContainer(KeyedShape<N>(decoder: decoder)) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw Unexpected()
  }
  /// Its members are in this object.
  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw Unexpected() }
}

private struct SingleShape: SingleValueDecodingContainer {
  let decoder: ShapeDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let (value, shape) = try ShapeDecoder.read(type)
    decoder.shape = shape
    return value
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    decoder.shape = .bool
    return false
  }

  func decode(_ type: Int64.Type) throws -> Int64 {
    decoder.shape = .int
    return 0
  }

  func decode(_ type: String.Type) throws -> String {
    decoder.shape = .string
    return decoder.text
  }
}

/// An array with one element.
private struct ArrayShape: UnkeyedDecodingContainer {
  let decoder: ShapeDecoder
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 1 }
  var isAtEnd: Bool { currentIndex > 0 }
  private(set) var currentIndex = 0

  init(decoder: ShapeDecoder) { self.decoder = decoder }

  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let (value, shape) = try ShapeDecoder.read(type)
    decoder.shape = .array(shape)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) throws
    -> KeyedDecodingContainer<N>
  {
    throw Unexpected()
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw Unexpected()
  }
  mutating func superDecoder() throws -> any Decoder { throw Unexpected() }
}

/// Thrown for decoding that no type of the protocol uses.
struct Unexpected: Error {}
