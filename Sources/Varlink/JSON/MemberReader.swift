/// Reads an object's members in the order of the text: the fast way for a type with many of them, of which few are
/// there.
package struct MemberReader {
  private let decoding: JSONDecoding
  private var scanner: JSONScanner
  private var scanned: JSONScanner.Members
  /// The name as it is in the text, without quotes.
  private var name = 0..<0
  private var isRead = true

  /// The value that `decoder` reads is an object. Throws for decoders of others.
  package init(of decoder: any Decoder) throws {
    guard let decoding = decoder as? JSONDecoding else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not JSON"))
    }
    self.decoding = decoding
    scanner = decoding.scanner
    guard try scanner.kind() == .object else { throw decoding.mismatch([String: Any].self) }
    scanned = try scanner.beginObject()
  }

  /// Moves to the next member that is not null, whose value is then read or not; false after the last, which ends the
  /// object.
  package mutating func advance() throws -> Bool {
    if !isRead { try scanner.skipValue() }
    while try scanner.nextKey(&scanned) {
      name = scanned.key.lowerBound + 1..<scanned.key.upperBound - 1
      isRead = false
      if try scanner.kind() != .null { return true }
      try scanner.null()
    }
    isRead = true
    decoding.scanner = scanner
    return false
  }

  /// - Parameter other: Has no escapes.
  package func isNamed(_ other: [UInt8]) -> Bool {
    if scanner.has(other, at: name) { return true }
    guard name.count > other.count, scanner.bytes[name].contains(UInt8(ascii: "\\")) else { return false }
    return scanner.text(scanned.key).utf8.elementsEqual(other)
  }

  package func missing(_ name: [UInt8]) -> DecodingError {
    let key = MemberName(stringValue: String(decoding: name, as: UTF8.self))
    return .keyNotFound(key, .init(codingPath: decoding.codingPath, debugDescription: "missing"))
  }

  // For each type, as a generic function of another module takes several times as long.
  package mutating func text() throws -> String { try scalar() }
  package mutating func number() throws -> Int64 { try scalar() }
  package mutating func flag() throws -> Bool { try scalar() }

  package mutating func value<Value: Decodable>() throws -> Value {
    decoding.scanner = scanner
    let value = try decoding.decode(Value.self, at: key)
    scanner = decoding.scanner
    isRead = true
    return value
  }

  private mutating func scalar<Value: JSONScalar>() throws -> Value {
    guard let value = try Value.read(&scanner) else { throw decoding.mismatch(Value.self, at: key) }
    isRead = true
    return value
  }

  private var key: MemberName { MemberName(stringValue: scanner.text(scanned.key)) }
}
