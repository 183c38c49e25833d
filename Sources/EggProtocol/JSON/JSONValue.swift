import Alarms
import EggTime

/// A field's value that ``JSONWriter`` and ``JSONReader`` handle: as its coder does, but faster.
protocol JSONValue: Sendable {
  func write(to json: inout JSONWriter)
  /// Throws ``JSONReader/Unusual`` if only the general decoder can read it.
  static func read(_ reader: inout JSONReader) throws -> Self
}

extension Int64: JSONValue {
  func write(to json: inout JSONWriter) { json.value(self) }
  static func read(_ reader: inout JSONReader) throws -> Int64 { try reader.integer() }
}

extension Bool: JSONValue {
  func write(to json: inout JSONWriter) { json.value(self) }
  static func read(_ reader: inout JSONReader) throws -> Bool { try reader.scanner.bool() }
}

extension String: JSONValue {
  func write(to json: inout JSONWriter) { json.value(self) }
  static func read(_ reader: inout JSONReader) throws -> String { try reader.text() }
}

extension Instant: JSONValue {
  func write(to json: inout JSONWriter) { json.value(microseconds) }
  static func read(_ reader: inout JSONReader) throws -> Instant { try reader.instant() }
}

extension TimeSpan: JSONValue {
  func write(to json: inout JSONWriter) { json.value(microseconds) }
  static func read(_ reader: inout JSONReader) throws -> TimeSpan {
    TimeSpan(microseconds: try reader.integer())
  }
}

protocol JSONText: JSONValue, LosslessStringConvertible {}

extension JSONText {
  func write(to json: inout JSONWriter) { json.value(description) }
  static func read(_ reader: inout JSONReader) throws -> Self {
    try JSONReader.known(Self(try reader.text()))
  }
}

extension CivilDateTime: JSONText {}
extension CivilDate: JSONText {}

extension AlarmID: JSONValue {
  func write(to json: inout JSONWriter) { json.value(description) }
  static func read(_ reader: inout JSONReader) throws -> AlarmID {
    try JSONReader.known(AlarmID(try reader.text()))
  }
}

extension JSONValue where Self: WireEnum {
  func write(to json: inout JSONWriter) { json.value(rawValue) }
  static func read(_ reader: inout JSONReader) throws -> Self {
    try JSONReader.known(Self(rawValue: try reader.text()))
  }
}

extension Timing.Kind: JSONValue {}
extension IfMissed: JSONValue {}

extension WireOccurrence: JSONValue {
  static func read(_ reader: inout JSONReader) throws -> WireOccurrence { try reader.occurrence() }
}
