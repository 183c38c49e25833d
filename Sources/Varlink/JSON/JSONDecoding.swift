/// Reads a value from bytes as it is decoded: what comes in the order of the type's members is read in one
/// pass, without an index of them.
final class JSONDecoding: Decoder, SingleValueDecodingContainer {
  /// Used by one thread; the checks would take as long as the reading.
  @exclusivity(unchecked) var scanner: JSONScanner
  var codingPath: [any CodingKey] = []
  /// What the present value has opened.
  private var object: JSONMembers?
  private var array: ArrayElements?

  init(_ scanner: JSONScanner) { self.scanner = scanner }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decodeNil() -> Bool { (try? takesNull()) ?? false }

  func decode<Value: JSONScalar>(_: Value.Type) throws -> Value {
    guard let value = try Value.read(&scanner) else { throw mismatch(Value.self) }
    return value
  }

  /// Reads a value and moves behind it; stays there if that fails, so that another type can be tried.
  func decode<Value: Decodable>(_: Value.Type) throws -> Value {
    let (outer, start) = ((object, array), scanner)
    object = nil
    array = nil
    defer { (object, array) = outer }
    do {
      let value = try Value(from: self)
      try object?.finish()
      try array?.finish()
      if scanner.index == start.index { try scanner.skipValue() }
      return value
    } catch {
      scanner = start
      throw error
    }
  }

  func decode<Value: Decodable>(_: Value.Type, at key: some CodingKey) throws -> Value {
    codingPath.append(key)
    defer { codingPath.removeLast() }
    return try decode(Value.self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// The second one of a value has the same object.
  func members() throws -> JSONMembers {
    if let object { return object }
    guard try scanner.kind() == .object else { throw mismatch([String: Any].self) }
    let members = try JSONMembers(self)
    object = members
    return members
  }

  func container<Key>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedMembers(object: try members()))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard try scanner.kind() == .array else { throw mismatch([Any].self) }
    let elements = try ArrayElements(self)
    array = elements
    return elements
  }

  func takesNull() throws(JSONFault) -> Bool {
    guard try scanner.kind() == .null else { return false }
    try scanner.null()
    return true
  }

  func mismatch(_ type: Any.Type, at key: (any CodingKey)? = nil) -> DecodingError {
    let path = codingPath + [key].compactMap(\.self)
    return .typeMismatch(type, .init(codingPath: path, debugDescription: "not a value of this type"))
  }

  func unsupported() -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: "read by types of their own only"))
  }
}

private final class ArrayElements: UnkeyedDecodingContainer {
  private let decoding: JSONDecoding
  private var scanned: JSONScanner.Members
  private(set) var isAtEnd = false
  private(set) var currentIndex = 0

  init(_ decoding: JSONDecoding) throws(JSONFault) {
    self.decoding = decoding
    scanned = try decoding.scanner.beginArray()
    isAtEnd = try !decoding.scanner.nextElement(&scanned)
  }

  var codingPath: [any CodingKey] { decoding.codingPath }
  var count: Int? { nil }

  private func advance() throws(JSONFault) {
    currentIndex += 1
    isAtEnd = try !decoding.scanner.nextElement(&scanned)
  }

  func finish() throws(JSONFault) {
    while !isAtEnd {
      try decoding.scanner.skipValue()
      try advance()
    }
  }

  func decodeNil() throws -> Bool {
    guard !isAtEnd, try decoding.takesNull() else { return false }
    try advance()
    return true
  }

  func decode<Value: JSONScalar>(_ type: Value.Type) throws -> Value {
    if isAtEnd { throw decoding.unsupported() }
    let value = try decoding.decode(type)
    try advance()
    return value
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if isAtEnd { throw decoding.unsupported() }
    let value = try decoding.decode(type)
    try advance()
    return value
  }

  func nestedContainer<Key>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw decoding.unsupported()
  }

  func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw decoding.unsupported() }
  func superDecoder() throws -> any Decoder { throw decoding.unsupported() }
}
