/// Writes an object's members one by one: the fast way for a type with many of them, of which few are there.
package struct MemberWriter {
  var bytes: [UInt8] = []
  private let start: Int

  /// A member's name, encoded once.
  package struct Name: Sendable {
    /// With its comma and colon.
    let json: [UInt8]

    package init(_ text: String) {
      var json = [UInt8(ascii: ",")]
      text.write(to: &json)
      self.json = json + [UInt8(ascii: ":")]
    }
  }

  /// Takes `bytes`, which end with the opening brace, and writes behind them; ``give(to:)`` gives them back. They are
  /// moved, as an array that two have would be copied.
  init(taking bytes: inout [UInt8]) {
    start = bytes.count
    swap(&self.bytes, &bytes)
  }

  mutating func give(to bytes: inout [UInt8]) { swap(&self.bytes, &bytes) }

  /// The value that `encoder` writes is an object with these members. Throws for encoders of others.
  package static func object(in encoder: any Encoder, _ write: (inout Self) throws -> Void) throws {
    guard let encoding = encoder as? JSONEncoding else {
      throw EncodingError.invalidValue(encoder, .init(codingPath: [], debugDescription: "not JSON"))
    }
    try encoding.object(write)
  }

  private mutating func begin(_ name: Name) {
    if bytes.count == start { bytes += name.json.dropFirst() } else { bytes += name.json }
  }

  // For each type, as a generic function of another module takes several times as long.
  package mutating func write(_ name: Name, _ text: String) {
    begin(name)
    text.write(to: &bytes)
  }

  package mutating func write(_ name: Name, _ number: Int64) {
    begin(name)
    number.write(to: &bytes)
  }

  package mutating func write(_ name: Name, _ flag: Bool) {
    begin(name)
    flag.write(to: &bytes)
  }

  package mutating func write(_ name: Name, _ value: some Encodable) throws {
    begin(name)
    let encoding = JSONEncoding()
    swap(&encoding.bytes, &bytes)
    defer { swap(&encoding.bytes, &bytes) }
    try encoding.encode(value)
  }
}

extension EncodedElements {
  /// Appends an object with these members. Where that throws, nothing is appended.
  package mutating func append(_ write: (inout MemberWriter) throws -> Void) throws {
    let end = bytes.count
    if end > 0 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "{"))
    var writer = MemberWriter(taking: &bytes)
    do {
      defer { writer.give(to: &bytes) }
      try write(&writer)
    } catch {
      bytes.removeSubrange(end...)
      throw error
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
