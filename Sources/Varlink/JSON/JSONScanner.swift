package enum JSONFault: Error, Equatable {
  case notUTF8
  case notJSON
  case tooDeep
}

/// Reads JSON (RFC 8259) from front to back without building values, so that a client's input is checked
/// before it is decoded. No input can make it trap or recurse deeper than `deepest`.
public struct JSONScanner {
  static let deepest = 64

  package let bytes: [UInt8]
  var index: Int
  private let end: Int
  private var depth = 0
  /// Members and elements read so far.
  package private(set) var values = 0

  /// Throws unless `bytes` are UTF-8.
  package init(_ bytes: [UInt8]) throws(JSONFault) {
    guard (try? UTF8Span(validating: bytes.span)) != nil else { throw .notUTF8 }
    self.init(checked: bytes, range: bytes.indices)
  }

  /// A part of bytes that were checked before.
  init(checked bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  package enum Kind {
    case object, array, string, number, bool, null
  }

  /// The kind of the next value, by its first byte.
  package mutating func kind() throws(JSONFault) -> Kind {
    skipSpace()
    guard index < end else { throw .notJSON }
    switch bytes[index] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw .notJSON
    }
  }

  /// Whether only white space is left.
  package mutating func atEnd() -> Bool {
    skipSpace()
    return index == end
  }

  @inline(__always)
  mutating func skipSpace() {
    while index < end, Self.isSpace(bytes[index]) { index += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Skips one value of any kind and returns its range.
  @discardableResult
  package mutating func skipValue() throws(JSONFault) -> Range<Int> {
    let kind = try kind()
    let start = index
    switch kind {
    case .object:
      var members = try beginObject()
      while try nextKey(&members) { try skipValue() }
    case .array:
      var elements = try beginArray()
      while try nextElement(&elements) { try skipValue() }
    case .string: _ = try string()
    case .number: _ = try number()
    case .bool: _ = try bool()
    case .null: try null()
    }
    return start..<index
  }

  mutating func null() throws(JSONFault) { try literal("null") }

  package mutating func bool() throws(JSONFault) -> Bool {
    skipSpace()
    let value = index < end && bytes[index] == UInt8(ascii: "t")
    try literal(value ? "true" : "false")
    return value
  }

  private mutating func literal(_ text: StaticString) throws(JSONFault) {
    skipSpace()
    let length = text.utf8CodeUnitCount
    guard end - index >= length else { throw .notJSON }
    for offset in 0..<length where bytes[index + offset] != text.utf8Start[offset] { throw .notJSON }
    index += length
  }

  @inline(__always)
  func peek() -> UInt8? { index < end ? bytes[index] : nil }
  @inline(__always)
  mutating func advance() { index += 1 }

  /// Skips up to the next quote, backslash or control character.
  @inline(__always)
  mutating func skipPlainText() {
    index = bytes.withUnsafeBufferPointer { [end] bytes in
      var index = index
      while index < end, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
        bytes[index] != UInt8(ascii: "\\")
      {
        index += 1
      }
      return index
    }
  }

  /// Whether the range holds this text.
  func has(_ text: [UInt8], at range: Range<Int>) -> Bool {
    guard text.count == range.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      text.indices.allSatisfy { bytes[range.lowerBound + $0] == text[$0] }
    }
  }

  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard index < end, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Progress through an object or array.
  package struct Members {
    /// Range of the key, quotes included; unused in an array.
    package fileprivate(set) var key = 0..<0
    fileprivate var isFirst = true
  }

  package mutating func beginObject() throws(JSONFault) -> Members { try begin(UInt8(ascii: "{")) }
  package mutating func beginArray() throws(JSONFault) -> Members { try begin(UInt8(ascii: "[")) }

  private mutating func begin(_ bracket: UInt8) throws(JSONFault) -> Members {
    skipSpace()
    guard take(bracket) else { throw .notJSON }
    depth += 1
    guard depth <= Self.deepest else { throw .tooDeep }
    return Members()
  }

  /// Reads the next key and its colon; false after the last member. The caller reads the value.
  package mutating func nextKey(_ members: inout Members) throws(JSONFault) -> Bool {
    guard try next(&members, closing: UInt8(ascii: "}")) else { return false }
    skipSpace()
    members.key = try string()
    skipSpace()
    guard take(UInt8(ascii: ":")) else { throw .notJSON }
    return true
  }

  /// Moves to the next element; false after the last. The caller reads the value.
  package mutating func nextElement(_ elements: inout Members) throws(JSONFault) -> Bool {
    try next(&elements, closing: UInt8(ascii: "]"))
  }

  private mutating func next(_ members: inout Members, closing: UInt8) throws(JSONFault) -> Bool {
    skipSpace()
    if take(closing) {
      depth -= 1
      return false
    }
    if !members.isFirst {
      guard take(UInt8(ascii: ",")) else { throw .notJSON }
    }
    members.isFirst = false
    values += 1
    return true
  }
}
