import Alarms
import EggTime
import Varlink

/// Reads by hand what is usual: the general decoder, for which the rest is left, costs many times as much.
struct JSONReader {
  /// The general decoder's.
  struct Unusual: Error {}

  var scanner: JSONScanner

  /// What `body` reads, all of it; nil where that is not what it reads.
  static func read<Value>(_ json: [UInt8], _ body: (inout JSONReader) throws -> Value) -> Value? {
    (try? JSONScanner(json)).flatMap { read($0, body) }
  }

  /// The same of a part of what was scanned before.
  static func read<Value>(_ json: JSONScanner, _ body: (inout JSONReader) throws -> Value) -> Value? {
    var reader = JSONReader(scanner: json)
    guard let value = try? body(&reader), reader.scanner.atEnd() else { return nil }
    return value
  }

  /// Reads an object; `each` reads a value.
  mutating func members(_ each: (inout JSONReader, String) throws -> Void) throws {
    var members = try scanner.beginObject()
    while try scanner.nextKey(&members) { try each(&self, scanner.text(members.key)) }
  }

  /// What is not known yet is the general decoder's.
  static func known<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Unusual() }
    return value
  }

  /// Reads a text.
  mutating func text() throws -> String { scanner.text(try scanner.string()) }

  /// Reads microseconds since the epoch.
  mutating func instant() throws -> Instant { Instant(microseconds: try integer()) }

  /// Reads a whole number.
  mutating func integer() throws -> Int64 {
    let number = try scanner.number()
    // 19 digits may not fit
    guard number.isWhole, number.range.count < 19 else { throw Unusual() }
    let isNegative = scanner.bytes[number.range.lowerBound] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in isNegative ? number.range.dropFirst() : number.range[...] {
      value = value * 10 + Int64(scanner.bytes[index] - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }
}
