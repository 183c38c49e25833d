/// Builds a text of at most 64 bytes from padded numbers and ASCII separators, without a formatter.
struct Digits {
  private var bytes = InlineArray<64, UInt8>(repeating: 0)
  private var count = 0

  var string: String {
    String(unsafeUninitializedCapacity: count) { text in
      for index in 0..<count { text.initializeElement(at: index, to: bytes[index]) }
      return count
    }
  }

  private mutating func append(_ byte: UInt8) {
    guard count < bytes.count else { return }
    bytes[count] = byte
    count += 1
  }

  /// Pads with zeros to `width`.
  mutating func append(_ number: Int, width: Int) {
    switch (width, number) {
    case (2, 0..<100): appendPair(number)
    case (4, 0..<10_000):
      appendPair(number / 100)
      appendPair(number % 100)
    default:
      if number < 0 { append(UInt8(ascii: "-")) }
      for byte in Self.padded(Int(clamping: number.magnitude), to: width).utf8 { append(byte) }
    }
  }

  private mutating func appendPair(_ number: Int) {
    append(UInt8(ascii: "0") + UInt8(number / 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Pads with zeros to `width`; `number` must not be negative.
  static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }

  mutating func append(_ separator: StaticString) {
    for index in 0..<separator.utf8CodeUnitCount { append(separator.utf8Start[index]) }
  }

  /// `YYYY-MM-DD`.
  mutating func appendDate(of civil: CivilDateTime, separator: StaticString = "-") {
    append(civil.year, width: 4)
    append(separator)
    append(civil.month, width: 2)
    append(separator)
    append(civil.day, width: 2)
  }

  /// `HH:mm:SS`.
  mutating func appendTime(of civil: CivilDateTime, separator: StaticString = ":") {
    append(civil.hour, width: 2)
    append(separator)
    append(civil.minute, width: 2)
    append(separator)
    append(civil.second, width: 2)
  }
}
