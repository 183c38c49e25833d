extension StringProtocol {
  /// Safe to show: escapes whatever would move a cursor, change colours or reorder the line (control
  /// characters, line separators, bidirectional controls).
  public var visible: String { escaped { $0.isUnsafeToShow } }

  /// Like ``visible``, but keeps line feeds.
  public var visibleLines: String { escaped { $0.isUnsafeToShow && $0 != "\n" } }

  private func escaped(where isUnsafe: (Unicode.Scalar) -> Bool) -> String {
    let isPlain =
      utf8.withContiguousStorageIfAvailable { $0.allSatisfy { (0x20..<0x7f).contains($0) } } ?? false
    guard !isPlain, unicodeScalars.contains(where: isUnsafe) else { return String(self) }
    var shown = ""
    for scalar in unicodeScalars {
      switch scalar {
      case _ where !isUnsafe(scalar): shown.unicodeScalars.append(scalar)
      case "\n": shown += "\\n"
      case "\t": shown += "\\t"
      case "\r": shown += "\\r"
      default: shown += "\\u{\(String(scalar.value, radix: 16))}"
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
