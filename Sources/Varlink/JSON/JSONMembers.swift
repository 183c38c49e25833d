/// An object's members, found as they are asked for by name.
final class JSONMembers {
  let decoding: JSONDecoding
  private let bytes: [UInt8]
  /// Those that were found so far: the ranges of names with quotes, and where the values begin.
  @exclusivity(unchecked) private var found: [(name: Range<Int>, value: Int)] = []
  @exclusivity(unchecked) private var scanned: JSONScanner.Members
  /// Where the scan goes on; nil while the last value found has not been passed.
  private var front: Int?
  private var isComplete = false
  /// A name has escapes: it is another text than its bytes.
  private var hasEscapes = false
  /// The member after the last one that was asked for: usually the next.
  private var next = 0

  init(_ decoding: JSONDecoding) throws(JSONFault) {
    self.decoding = decoding
    bytes = decoding.scanner.bytes
    scanned = try decoding.scanner.beginObject()
    front = decoding.scanner.index
  }

  /// Moves to the member's value; false without such a member. Whoever reads the value calls ``passed()``.
  func seek(_ name: String) throws -> Bool {
    var name = name
    guard let place = try name.withUTF8(place) else { return false }
    next = place + 1
    decoding.scanner.index = found[place].value
    return true
  }

  func passed() {
    if front == nil, next == found.count { front = decoding.scanner.index }
  }

  /// Moves behind the object.
  func finish() throws(JSONFault) {
    while try scan() {}
    if let front { decoding.scanner.index = front }
  }

  func names() throws(JSONFault) -> [String] {
    while try scan() {}
    return found.map { decoding.scanner.text($0.name) }
  }

  private func place(of name: UnsafeBufferPointer<UInt8>) throws -> Int? {
    for place in next..<found.count where isIt(place, name) { return place }
    for place in 0..<next where isIt(place, name) { return place }
    while try scan() {
      if isIt(found.count - 1, name) { return found.count - 1 }
    }
    return nil
  }

  private func scan() throws(JSONFault) -> Bool {
    if isComplete { return false }
    if let front {
      decoding.scanner.index = front
    } else if let last = found.last {
      decoding.scanner.index = last.value
      try decoding.scanner.skipValue()
    }
    guard try decoding.scanner.nextKey(&scanned) else {
      isComplete = true
      front = decoding.scanner.index
      return false
    }
    found.append((scanned.key, decoding.scanner.index))
    front = nil
    if bytes[scanned.key].contains(UInt8(ascii: "\\")) { hasEscapes = true }
    return true
  }

  private func isIt(_ place: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = found[place].name
    if hasEscapes { return decoding.scanner.text(range).utf8.elementsEqual(name) }
    guard name.count == range.count - 2 else { return false }
    for index in name.indices where bytes[range.lowerBound + 1 + index] != name[index] { return false }
    return true
  }
}

package struct MemberName: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { nil }
}

struct KeyedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONMembers
  private var decoding: JSONDecoding { object.decoding }

  var codingPath: [any CodingKey] { decoding.codingPath }
  var allKeys: [Key] { ((try? object.names()) ?? []).compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { (try? object.seek(key.stringValue)) ?? false }

  func decodeNil(forKey key: Key) throws -> Bool {
    try !object.seek(key.stringValue) || decoding.scanner.kind() == .null
  }

  func decode<Value: JSONScalar>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard try object.seek(key.stringValue) else { throw missing(key) }
    guard let value = try Value.read(&decoding.scanner) else { throw decoding.mismatch(Value.self, at: key) }
    object.passed()
    return value
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard try object.seek(key.stringValue) else { throw missing(key) }
    let value = try decoding.decode(Value.self, at: key)
    object.passed()
    return value
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing"))
  }

  func nestedContainer<Inner>(
    keyedBy: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    guard try object.seek(key.stringValue) else { throw missing(key) }
    guard try decoding.scanner.kind() == .object else { throw decoding.mismatch([String: Any].self, at: key) }
    return KeyedDecodingContainer(KeyedMembers<Inner>(object: try JSONMembers(decoding)))
  }

  func nestedUnkeyedContainer(forKey: Key) throws -> any UnkeyedDecodingContainer {
    throw decoding.unsupported()
  }

  /// Its members are in this object.
  func superDecoder() -> any Decoder { decoding }
  func superDecoder(forKey: Key) throws -> any Decoder { throw decoding.unsupported() }
}
