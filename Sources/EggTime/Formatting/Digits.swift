/// Text made of padded numbers and ASCII separators, without a formatter.
struct Digits {
  private(set) var string = ""

  /// Adds a number, padded with zeros to a width.
  mutating func append(_ number: Int, width: Int) {
    let digits = String(number.magnitude)
    if number < 0 { string += "-" }
    for _ in digits.utf8.count..<max(width, digits.utf8.count) { string += "0" }
    string += digits
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
