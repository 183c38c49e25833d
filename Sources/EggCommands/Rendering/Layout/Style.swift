import Alarms
import Gettext

/// Text styles for light and dark terminals (ECMA-48, SGR).
enum Style: String {
  case plain = ""
  case bold = "1"
  case dim = "2"
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

  /// The text in this style, on a bar if it is selected; unchanged without colours.
  func apply(to text: String, isSelected: Bool = false, colours: Bool) -> String {
    let style = isSelected ? (self == .plain ? "7" : "7;\(rawValue)") : rawValue
    guard colours, !style.isEmpty, !text.isEmpty else { return text }
    return "\u{1b}[\(style)m\(text)\u{1b}[0m"
  }
}

/// A group's progress as a bar and in numbers.
struct Progress: Equatable {
  var done: Int64 = 0
  var alarms: Int64 = 0

  static let width: Int64 = 10

  /// The filled cells of the bar, then the empty ones. All are filled only when all is done.
  var bar: (full: String, empty: String) {
    let count = Int(alarms == 0 ? 0 : done * Self.width / alarms)
    return (
      String(repeating: "█", count: count), String(repeating: "░", count: Int(Self.width) - count)
    )
  }

  /// Rounded down.
  private var percent: Int64 { alarms == 0 ? 0 : done * 100 / alarms }

  /// `60 %  3 of 5`
  var text: String { tr("\(percent) %  \(done) of \(alarms)") }

  /// The same, with the number aligned right, for a table.
  var cell: String { String(repeating: " ", count: 3 - "\(percent)".count) + text }
}

extension Group.Color {
  var style: Style {
    switch self {
    case .red: .red
    case .yellow: .yellow
    case .green: .green
    case .cyan: .cyan
    case .blue: .blue
    case .magenta: .magenta
    case .gray: .gray
    }
  }
}
