import Alarms
import EggTime
import Varlink

/// Reads the usual forms. Anything else throws ``Unusual`` and goes to the general decoder, which is many
/// times slower.
struct JSONReader {
  struct Unusual: Error {}

  var scanner: JSONScanner

  /// Moves past what `body` reads. nil if `body` throws.
  static func read<Value>(
    _ json: inout JSONScanner, _ body: (inout JSONReader) throws -> Value
  ) -> Value? {
    var reader = JSONReader(scanner: json)
    defer { json = reader.scanner }
    return try? body(&reader)
  }

  /// A member's name as bytes of the JSON: a String would cost more than reading most values.
  struct Name {
    private let bytes: [UInt8]
    /// Without the quotes.
    private let range: Range<Int>

    fileprivate init(_ scanner: JSONScanner, _ key: Range<Int>) {
      bytes = scanner.bytes
      range = key.dropFirst().dropLast()
    }

    func isWritten(_ known: [UInt8]) -> Bool {
      range.count == known.count && bytes[range].elementsEqual(known)
    }

    /// Compares the bytes as written; a name with escapes matches nothing.
    static func ~= (known: StaticString, name: Name) -> Bool {
      guard name.range.count == known.utf8CodeUnitCount else { return false }
      for offset in 0..<known.utf8CodeUnitCount
      where name.bytes[name.range.lowerBound + offset] != known.utf8Start[offset] { return false }
      return true
    }
  }

  mutating func members(_ each: (inout JSONReader, Name) throws -> Void) throws {
    var members = try scanner.beginObject()
    while try scanner.nextKey(&members) { try each(&self, Name(scanner, members.key)) }
  }

  /// Leaves unknown values to the general decoder.
  static func known<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Unusual() }
    return value
  }

  mutating func text() throws -> String { scanner.text(try scanner.string()) }

  /// Reads microseconds since the epoch.
  mutating func instant() throws -> Instant { Instant(microseconds: try integer()) }

  mutating func integer() throws -> Int64 {
    let number = try scanner.number()
    // 19 digits may not fit.
    guard number.isWhole, number.range.count < 19 else { throw Unusual() }
    let isNegative = scanner.bytes[number.range.lowerBound] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in isNegative ? number.range.dropFirst() : number.range[...] {
      value = value * 10 + Int64(scanner.bytes[index] - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }
}
