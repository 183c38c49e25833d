/// Text made of padded numbers and ASCII separators, without a formatter.
struct Digits {
  private(set) var string = ""

  /// Adds a number, padded with zeros to a width.
  mutating func append(_ number: Int, width: Int) {
    if number < 0 { string += "-" }
    string += Self.padded(Int(clamping: number.magnitude), to: width)
  }

  /// A number that is not negative, padded with zeros to a width.
  static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }

  /// Adds a separator.
  mutating func append(_ separator: String) { string += separator }

  /// Adds `HH:mm:SS`.
  mutating func appendTime(of civil: CivilDateTime) {
    append(civil.hour, width: 2)
    append(":")
    append(civil.minute, width: 2)
    append(":")
    append(civil.second, width: 2)
  }
}
