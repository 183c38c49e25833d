/// How a piece of text stands out on a terminal (ECMA-48, SGR).
enum Style: String {
  case plain = ""
  case bold = "1"
  case dim = "2"
  case alert = "1;33"
  case error = "1;31"

  /// The text in that style, or as it is where there are no colours.
  func apply(to text: String, colours: Bool) -> String {
    guard colours, self != .plain, !text.isEmpty else { return text }
    return "\u{1b}[\(rawValue)m\(text)\u{1b}[0m"
  }
}
