extension Character {
  /// Terminal cells of the grapheme cluster: 0, 1 or 2.
  ///
  /// Two cells: East Asian Wide and Fullwidth (UAX #11), emoji presentation, pairs of regional indicators.
  /// The cluster's first scalar that takes up cells decides for those after it.
  var displayWidth: Int {
    var width = 0
    for scalar in unicodeScalars {
      if scalar.value == 0xfe0f, width == 1 { return 2 }
      if width == 0 { width = scalar.displayWidth }
    }
    return width
  }
}

extension StringProtocol {
  /// Terminal cells of the text.
  var displayWidth: Int {
    let isPlain =
      utf8.withContiguousStorageIfAvailable { $0.reduce(0) { Swift.max($0, $1 &- 0x20) } < 0x5f } ?? false
    return isPlain ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    if isASCII { return value < 0x20 || value == 0x7f ? 0 : 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  /// Blocks of EastAsianWidth.txt in which every character is wide or fullwidth, without the emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0xa4cf,
    0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff01...0xff60,
    0xffe0...0xffe6, 0x16fe0...0x18cff, 0x1aff0...0x1b2ff, 0x1f200...0x1f2ff, 0x20000...0x2fffd,
    0x30000...0x3fffd,
  ]
}

/// The entered text with a caret under one of its bytes.
enum Excerpt {
  /// Two lines, indented by two. An offset inside a character means that character; one at the end means the
  /// place after the text. The caret's column takes wide characters into account.
  static func caret(under offset: Int, in text: String) -> String {
    let utf8 = text.utf8
    var place = utf8.index(utf8.startIndex, offsetBy: min(max(offset, 0), utf8.count))
    while place > utf8.startIndex, place.samePosition(in: text.unicodeScalars) == nil {
      place = utf8.index(before: place)
    }
    return "  \(text.visible)\n  \(String(repeating: " ", count: text[..<place].visible.displayWidth))^\n"
  }
}
