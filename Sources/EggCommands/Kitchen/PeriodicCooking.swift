import EggTime
import Gettext

/// E. Di Lorenzo and others, Periodic cooking of eggs, Communications Engineering 4 (2025): the eggs move every two
/// minutes between water of 100 °C and water of 30 °C, eight times into each.
enum PeriodicCooking {
  /// How long the eggs are in one water.
  static let stay = TimeSpan.seconds(120)
  static let moves = 16

  static let source = "E. Di Lorenzo et al., Periodic cooking of eggs, Communications Engineering 4 (2025)"

  /// What is done at the end of stay `move`, which counts from 1: an alarm's label.
  static func label(of move: Int) -> String {
    let count = "\(move)/\(moves)"
    if move == moves { return tr("\(count): out, then cool") }
    return tr("\(count): into \(move.isMultiple(of: 2) ? 100 : 30) °C")
  }
}
