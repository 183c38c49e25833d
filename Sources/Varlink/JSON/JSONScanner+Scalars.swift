extension JSONScanner {
  /// Skips a string and returns its range, quotes included.
  package mutating func string() throws(JSONFault) -> Range<Int> {
    skipSpace()
    let start = index
    guard take(UInt8(ascii: "\"")) else { throw .notJSON }
    skipPlainText()
    while take(UInt8(ascii: "\\")) {
      try escape()
      skipPlainText()
    }
    guard take(UInt8(ascii: "\"")) else { throw .notJSON }
    return start..<index
  }

  /// The part after a backslash.
  private mutating func escape() throws(JSONFault) {
    guard let letter = peek() else { throw .notJSON }
    advance()
    guard letter == UInt8(ascii: "u") else {
      guard #""\/bfnrt"#.utf8.contains(letter) else { throw .notJSON }
      return
    }
    // Surrogates come in pairs: half of one is no character.
    switch try hexadecimal() {
    case 0xD800..<0xDC00:
      guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")),
        case 0xDC00..<0xE000 = try hexadecimal()
      else { throw .notJSON }
    case 0xDC00..<0xE000: throw .notJSON
    default: break
    }
  }

  private mutating func hexadecimal() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw .notJSON
      }
      value = value << 4 | UInt32(digit)
      advance()
    }
    return value
  }

  /// The characters of a string returned by `string()`.
  package func text(_ range: Range<Int>) -> String {
    let content = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
    guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
    var units: [UInt16] = []
    var rest = content[...]
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      units += String(decoding: rest[..<backslash], as: UTF8.self).utf16
      var next = backslash + 2
      switch rest[backslash + 1] {
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "u"):
        next += 4
        units.append(
          UInt16(String(decoding: rest[(backslash + 2)..<next], as: UTF8.self), radix: 16) ?? 0xFFFD)
      case let other: units.append(UInt16(other))
      }
      rest = rest[next...]
    }
    units += String(decoding: rest, as: UTF8.self).utf16
    return String(decoding: units, as: UTF16.self)
  }

  package struct Number {
    package let range: Range<Int>
    /// No fraction and no exponent.
    package let isWhole: Bool
  }

  /// Skips a number of any size.
  package mutating func number() throws(JSONFault) -> Number {
    skipSpace()
    let start = index
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
      try digits()
    }
    return Number(range: start..<index, isWhole: isWhole)
  }

  private mutating func digits() throws(JSONFault) {
    let start = index
    while let byte = peek(), case UInt8(ascii: "0")...UInt8(ascii: "9") = byte { advance() }
    guard index > start else { throw .notJSON }
  }

  func characters(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// A whole number as returned by `number()`; nil if it does not fit.
  func integer(_ range: Range<Int>) -> Int64? {
    // 18 digits always fit.
    guard range.count <= 18 else { return Int64(characters(range)) }
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in isNegative ? range.dropFirst() : range[...] {
      value = value * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }
}
