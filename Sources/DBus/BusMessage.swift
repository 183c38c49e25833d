import CSystemd
import Glibc

/// An error of libsystemd: a negative errno.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  package var code: Int32

  package init(code: Int32) { self.code = code }

  /// strerror(3) of it.
  package var description: String { String(cString: strerror(abs(code))) }

  /// Throws for negative results only; sd-bus counts in the others.
  @discardableResult
  static func check(_ result: Int32) throws(BusError) -> Int32 {
    guard result >= 0 else { throw BusError(code: result) }
    return result
  }
}

/// One message, sd_bus_message_new(3). Not thread-safe: confined to the queue of its connection.
package final class BusMessage {
  let pointer: OpaquePointer

  /// Takes a reference of its own.
  init(referencing pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

  /// Takes over the caller's reference.
  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  /// A method call on its way to that bus.
  init(calling address: BusConnection.Address, _ member: String, on bus: OpaquePointer) throws(BusError) {
    var created: OpaquePointer?
    try BusError.check(
      sd_bus_message_new_method_call(
        bus, &created, address.destination, address.path, address.interface, member))
    guard let created else { throw BusError(code: -ENOMEM) }
    pointer = created
  }

  deinit { sd_bus_message_unref(pointer) }

  /// The sender's unique name; nil in what sd-bus itself made up (a time-out, a disconnect).
  package var sender: String? { sd_bus_message_get_sender(pointer).map { String(cString: $0) } }

  package var interface: String? { sd_bus_message_get_interface(pointer).map { String(cString: $0) } }
  package var member: String? { sd_bus_message_get_member(pointer).map { String(cString: $0) } }

  /// The object that a signal comes from.
  package var path: String? { sd_bus_message_get_path(pointer).map { String(cString: $0) } }

  /// The error's name and text where this reply is one.
  package var error: (name: String, text: String)? {
    guard let error = sd_bus_message_get_error(pointer)?.pointee, let name = error.name else { return nil }
    return (String(cString: name), error.message.map { String(cString: $0) } ?? "")
  }
}

extension BusMessage {
  package func append(_ text: String) throws(BusError) {
    try BusError.check(sd_bus_message_append_basic(pointer, CChar(UInt8(ascii: "s")), text))
  }

  package func append(_ number: UInt32) throws(BusError) { try append(number, as: "u") }
  package func append(_ number: Int32) throws(BusError) { try append(number, as: "i") }
  package func append(_ number: UInt64) throws(BusError) { try append(number, as: "t") }
  package func append(_ byte: UInt8) throws(BusError) { try append(byte, as: "y") }

  package func append(_ number: Double) throws(BusError) {
    var number = number
    try BusError.check(sd_bus_message_append_basic(pointer, Self.code("d"), &number))
  }

  /// A D-Bus boolean is a C int.
  package func append(_ flag: Bool) throws(BusError) { try append(Int32(flag ? 1 : 0), as: "b") }

  private func append(_ number: some FixedWidthInteger, as type: Character) throws(BusError) {
    var number = number
    try BusError.check(sd_bus_message_append_basic(pointer, Self.code(type), &number))
  }

  package func append(_ bytes: [UInt8]) throws(BusError) {
    let result = bytes.withUnsafeBytes {
      sd_bus_message_append_array(pointer, CChar(UInt8(ascii: "y")), $0.baseAddress, $0.count)
    }
    try BusError.check(result)
  }

  /// An array (`a`), a structure (`r`), a variant (`v`) or a dictionary entry (`e`).
  package func container(
    _ kind: Character, _ contents: String, _ fill: () throws(BusError) -> Void
  ) throws(BusError) {
    try BusError.check(sd_bus_message_open_container(pointer, Self.code(kind), contents))
    try fill()
    try BusError.check(sd_bus_message_close_container(pointer))
  }

  package func append(_ texts: [String]) throws(BusError) {
    try container("a", "s") { () throws(BusError) in for text in texts { try append(text) } }
  }

  /// A name and a variant of that type: a dictionary entry (`e`) or a structure (`r`).
  package func append(
    _ kind: Character, _ name: String, _ type: String, _ fill: () throws(BusError) -> Void
  ) throws(BusError) {
    try container(kind, "sv") { () throws(BusError) in
      try append(name)
      try container("v", type, fill)
    }
  }

  /// A dictionary of variants that are texts.
  package func append(_ entries: [String: String]) throws(BusError) {
    try container("a", "{sv}") { () throws(BusError) in
      for (key, value) in entries {
        try append("e", key, "s") { () throws(BusError) in try append(value) }
      }
    }
  }

  private static func code(_ kind: Character) -> CChar { CChar(kind.asciiValue ?? 0) }
}

extension BusMessage {
  package func readString() throws(BusError) -> String {
    var text: UnsafePointer<CChar>?
    try BusError.check(sd_bus_message_read_basic(pointer, CChar(UInt8(ascii: "s")), &text))
    return text.map { String(cString: $0) } ?? ""
  }

  package func readNumber() throws(BusError) -> UInt32 { try read("u") }
  package func readInteger() throws(BusError) -> Int32 { try read("i") }
  package func readLong() throws(BusError) -> UInt64 { try read("t") }

  private func read<Number: FixedWidthInteger>(_ type: Character) throws(BusError) -> Number {
    var number: Number = 0
    try BusError.check(sd_bus_message_read_basic(pointer, Self.code(type), &number))
    return number
  }

  /// Throws if there are more than `limit`.
  package func readStrings(atMost limit: Int = .max) throws(BusError) -> [String] {
    try inside("a", "s") { () throws(BusError) in
      var texts: [String] = []
      while try BusError.check(sd_bus_message_at_end(pointer, 0)) == 0 {
        guard texts.count < limit else { throw BusError(code: -E2BIG) }
        texts.append(try readString())
      }
      return texts
    }
  }

  /// Reads the inside of a container of exactly that type.
  package func inside<Value>(
    _ kind: Character, _ contents: String, _ read: () throws(BusError) -> Value
  ) throws(BusError) -> Value {
    try BusError.check(sd_bus_message_enter_container(pointer, Self.code(kind), contents))
    let value = try read()
    try BusError.check(sd_bus_message_exit_container(pointer))
    return value
  }
}
