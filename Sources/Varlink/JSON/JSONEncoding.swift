/// Writes a value's bytes as it is encoded.
final class JSONEncoding: Encoder, SingleValueEncodingContainer {
  /// Used by one thread; the checks would take as long as the writing.
  @exclusivity(unchecked) var bytes: [UInt8] = []
  /// Outermost first.
  private var opened: [Opened] = []
  /// How many were open before the present value.
  private var level = 0

  /// An object or array that is being written.
  private struct Opened {
    let bracket: UInt8
    /// Behind its bracket.
    let start: Int
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func encodeNil() { bytes += "null".utf8 }

  func encode(_ value: some JSONScalar) throws { try value.write(to: &bytes) }

  func encode(_ value: some Encodable) throws {
    let (outer, start) = (level, bytes.count)
    level = opened.count
    defer { level = outer }
    try value.encode(to: self)
    close(to: level)
    if bytes.count == start { bytes += "{}".utf8 }
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func container<Key>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Members(encoding: self, depth: object()))
  }

  /// Opens the value's object and returns its depth. The second one of a value is the same object.
  func object() -> Int {
    if opened.count > level { close(to: level + 1) } else { open(UInt8(ascii: "{")) }
    return level + 1
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(UInt8(ascii: "["))
    return Elements(encoding: self, depth: opened.count)
  }

  /// Opens an object and has its members written.
  func object(_ write: (inout MemberWriter) throws -> Void) rethrows {
    open(UInt8(ascii: "{"))
    var writer = MemberWriter(taking: &bytes)
    defer { writer.give(to: &bytes) }
    try write(&writer)
  }

  /// - Parameter elements: With commas.
  func array(of elements: [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    bytes += elements
    bytes.append(UInt8(ascii: "]"))
  }

  private func open(_ bracket: UInt8) {
    bytes.append(bracket)
    opened.append(Opened(bracket: bracket, start: bytes.count))
  }

  private func close(to depth: Int) {
    while opened.count > depth, let last = opened.popLast() {
      // In ASCII two behind the opening bracket.
      bytes.append(last.bracket + 2)
    }
  }

  /// A value in the object or array at this depth follows.
  private func separate(at depth: Int) {
    close(to: depth)
    if bytes.count > opened[depth - 1].start { bytes.append(UInt8(ascii: ",")) }
  }

  /// The value of this name in the object at this depth follows.
  fileprivate func begin(_ name: String, at depth: Int) -> JSONEncoding {
    separate(at: depth)
    name.write(to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    return self
  }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: JSONEncoding
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    private func begin(_ key: Key) -> JSONEncoding { encoding.begin(key.stringValue, at: depth) }

    func encodeNil(forKey key: Key) { begin(key).encodeNil() }
    func encode(_ value: some JSONScalar, forKey key: Key) throws { try begin(key).encode(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try begin(key).encode(value) }

    func nestedContainer<Inner>(
      keyedBy: Inner.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
      begin(key).open(UInt8(ascii: "{"))
      return KeyedEncodingContainer(Members<Inner>(encoding: encoding, depth: depth + 1))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      begin(key).unkeyedContainer()
    }

    /// Its members are written into this object.
    func superEncoder() -> any Encoder { encoding }
    func superEncoder(forKey key: Key) -> any Encoder { begin(key) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let encoding: JSONEncoding
    let depth: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    private mutating func begin() -> JSONEncoding {
      encoding.separate(at: depth)
      count += 1
      return encoding
    }

    mutating func encodeNil() { begin().encodeNil() }
    mutating func encode(_ value: some JSONScalar) throws { try begin().encode(value) }
    mutating func encode(_ value: some Encodable) throws { try begin().encode(value) }

    mutating func nestedContainer<Key>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
      begin().open(UInt8(ascii: "{"))
      return KeyedEncodingContainer(Members<Key>(encoding: encoding, depth: depth + 1))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { begin().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { begin() }
  }
}
