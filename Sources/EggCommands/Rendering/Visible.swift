extension StringProtocol {
  /// The text as it may go to a terminal: what would move the cursor, change colours or reorder the line
  /// (control characters, line separators, bidirectional controls) is written as an escape.
  var visible: String {
    let isPlain =
      utf8.withContiguousStorageIfAvailable { $0.allSatisfy { (0x20..<0x7f).contains($0) } } ?? false
    guard !isPlain, unicodeScalars.contains(where: \.isUnsafeToShow) else { return String(self) }
    var shown = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": shown += "\\n"
      case "\t": shown += "\\t"
      case "\r": shown += "\\r"
      case _ where scalar.isUnsafeToShow: shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}

extension Unicode.Scalar {
  fileprivate var isUnsafeToShow: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0: true
    case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
    default: false
    }
  }
}
