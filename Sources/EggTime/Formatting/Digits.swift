/// Builds text from padded numbers and ASCII separators, without a formatter.
struct Digits {
  private var bytes: [UInt8] = []

  var string: String { String(decoding: bytes, as: UTF8.self) }

  init() { bytes.reserveCapacity(24) }

  /// Pads with zeros to `width`.
  mutating func append(_ number: Int, width: Int) {
    switch (width, number) {
    case (2, 0..<100): appendPair(number)
    case (4, 0..<10_000):
      appendPair(number / 100)
      appendPair(number % 100)
    default:
      if number < 0 { bytes.append(UInt8(ascii: "-")) }
      bytes += Self.padded(Int(clamping: number.magnitude), to: width).utf8
    }
  }

  private mutating func appendPair(_ number: Int) {
    bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Pads with zeros to `width`; `number` must not be negative.
  static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }

  mutating func append(_ separator: StaticString) {
    for index in 0..<separator.utf8CodeUnitCount { bytes.append(separator.utf8Start[index]) }
  }

  /// `HH:mm:SS`.
  mutating func appendTime(of civil: CivilDateTime) {
    append(civil.hour, width: 2)
    append(":")
    append(civil.minute, width: 2)
    append(":")
    append(civil.second, width: 2)
  }
}
