extension StringProtocol {
  /// Safe to show: escapes whatever would move a cursor, change colours or reorder the line (control
  /// characters, line separators, bidirectional controls).
  public var visible: String { escaped(as: Self.shown) { $0.isUnsafeToShow } }

  /// Like ``visible``, but keeps line feeds.
  public var visibleLines: String { escaped(as: Self.shown) { $0.isUnsafeToShow && $0 != "\n" } }

  /// The same value, for one line of JSON: RFC 8259 §7.
  public var visibleJSON: String {
    escaped {
      let digits = String($0.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    } where: {
      $0.isUnsafeToShow
    }
  }

  private func escaped(
    as text: (Unicode.Scalar) -> String, where isUnsafe: (Unicode.Scalar) -> Bool
  ) -> String {
    // Unsafe scalars begin with these bytes alone, and letters of few scripts do.
    let isPlain =
      utf8.withContiguousStorageIfAvailable {
        !$0.contains { $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 || $0 == 0xd8 || $0 == 0xe2 || $0 == 0xef }
      } ?? false
    guard !isPlain, unicodeScalars.contains(where: isUnsafe) else { return String(self) }
    var shown = ""
    for scalar in unicodeScalars {
      if isUnsafe(scalar) { shown += text(scalar) } else { shown.unicodeScalars.append(scalar) }
    }
    return shown
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
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

extension String {
  /// With `&`, `<` and `>` as entities, for the body of a notification (Desktop Notifications Specification, Markup).
  public var asMarkup: String {
    replacingEach("&", with: "&amp;").replacingEach("<", with: "&lt;").replacingEach(">", with: "&gt;")
  }
}
