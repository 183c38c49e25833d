/// Text styles for light and dark terminals (ECMA-48, SGR).
enum Style: String {
  case plain = ""
  case bold = "1"
  case dim = "2"
  case reverse = "7"
  case alert = "1;33"
  case error = "1;31"
  case ringing = "1;35"
  case red = "31"
  case yellow = "33"
  case green = "32"
  case cyan = "36"
  case blue = "34"
  case magenta = "35"
  case gray = "90"

  /// The text in this style; unchanged without colours.
  func apply(to text: String, colours: Bool) -> String {
    guard colours, self != .plain, !text.isEmpty else { return text }
    return "\u{1b}[\(rawValue)m\(text)\u{1b}[0m"
  }
}
