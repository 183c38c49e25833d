/// A text, number or bool.
protocol JSONScalar: Codable {
  func write(to json: inout [UInt8]) throws
  /// nil for a value of another type, which is not read.
  static func read(_ json: inout JSONScanner) throws(JSONFault) -> Self?
}

extension Bool: JSONScalar {
  func write(to json: inout [UInt8]) { json += (self ? "true" : "false").utf8 }

  static func read(_ json: inout JSONScanner) throws(JSONFault) -> Bool? {
    try json.kind() == .bool ? try json.bool() : nil
  }
}

extension String: JSONScalar {
  /// RFC 8259 §7: escapes only the quotation mark, the reverse solidus and U+0000 to U+001F.
  func write(to json: inout [UInt8]) {
    var text = self
    json.append(UInt8(ascii: "\""))
    text.withUTF8 { text in
      // Most texts need no escapes.
      guard text.contains(where: Self.isEscaped) else { return json += text }
      for byte in text {
        switch byte {
        case UInt8(ascii: "\n"): json += "\\n".utf8
        case 0..<0x20:
          json += (byte < 0x10 ? "\\u000" : "\\u00").utf8
          json += String(byte, radix: 16).utf8
        case _ where Self.isEscaped(byte): json += [UInt8(ascii: "\\"), byte]
        default: json.append(byte)
        }
      }
    }
    json.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  static func read(_ json: inout JSONScanner) throws(JSONFault) -> String? {
    try json.kind() == .string ? json.text(try json.string()) : nil
  }
}

extension Double: JSONScalar {
  func write(to json: inout [UInt8]) throws {
    guard isFinite else {
      throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "JSON has no \(self)"))
    }
    json += Int64(exactly: self).map { "\($0)" }?.utf8 ?? description.utf8
  }

  static func read(_ json: inout JSONScanner) throws(JSONFault) -> Double? {
    guard try json.kind() == .number else { return nil }
    let number = Double(json.characters(try json.number().range))
    return number?.isFinite == true ? number : nil
  }
}

extension Float: JSONScalar {
  func write(to json: inout [UInt8]) throws { try Double(self).write(to: &json) }

  static func read(_ json: inout JSONScanner) throws(JSONFault) -> Float? {
    try Double.read(&json).map { Float($0) }
  }
}

/// Without fraction and exponent.
extension JSONScalar where Self: FixedWidthInteger {
  func write(to json: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
      var (rest, start) = (magnitude, text.count)
      repeat {
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if self < 0 { json.append(UInt8(ascii: "-")) }
      json += text[start...]
    }
  }

  static func read(_ json: inout JSONScanner) throws(JSONFault) -> Self? {
    guard try json.kind() == .number else { return nil }
    let number = try json.number()
    return number.isWhole ? json.integer(number.range).flatMap { Self(exactly: $0) } : nil
  }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
