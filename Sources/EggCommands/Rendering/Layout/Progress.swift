import Alarms
import Gettext

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

  /// `60 %  3 of 5`; rounded down.
  var text: String { tr("\(alarms == 0 ? 0 : done * 100 / alarms) %  \(done) of \(alarms)") }
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
