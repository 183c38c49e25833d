import EggTime
import Gettext
import Glibc

struct BoiledEgg: Encodable {
  /// In grams.
  var mass: Double
  /// The egg's temperature at first, in °C.
  var start: Double
  /// The temperature that the yolk is to reach where it meets the white, in °C.
  var yolk: Double
  /// In °C.
  var water: Double

  private enum CodingKeys: String, CodingKey {
    case mass = "massGrams"
    case start = "eggCelsius"
    case yolk = "yolkCelsius"
    case water = "waterCelsius"
  }

  enum Impossible: Error, Equatable {
    /// The water is no hotter than the yolk has to become.
    case coldWater
    /// The egg is as hot already, or nearly so that the formula gives no time.
    case hotEgg
  }

  /// How long the egg boils, rounded to seconds.
  ///
  /// C. D. H. Williams, The Science of Boiling an Egg, University of Exeter: the first mode of the heat equation
  /// of a sphere, for the time in minutes.
  func boilingTime() throws(Impossible) -> TimeSpan {
    guard water > yolk else { throw .coldWater }
    guard start < yolk else { throw .hotEgg }
    let minutes = 0.451 * pow(mass, 2 / 3) * log(0.76 * (start - water) / (yolk - water))
    let seconds = (minutes * 60).rounded()
    guard seconds >= 1 else { throw .hotEgg }
    return .seconds(Int64(seconds))
  }

  static let formula = "t = 0.451 · M^(2/3) · ln(0.76 · (T_egg − T_water) / (T_yolk − T_water)) minutes"
  static let source = "C. D. H. Williams, The Science of Boiling an Egg, University of Exeter"
}

/// European classes of hen's eggs, Regulation (EU) 2023/2465: M and L by the middle of their class.
enum EggSize: String, CaseIterable {
  case small = "S"
  case medium = "M"
  case large = "L"
  case extraLarge = "XL"

  /// In grams.
  var mass: Double {
    switch self {
    case .small: 48
    case .medium: 58
    case .large: 68
    case .extraLarge: 78
    }
  }
}

enum BoilingWater {
  /// Where people live and climb, in metres.
  static let altitudes = -430.0...8_849.0

  /// The temperature at which water boils, in °C: the pressure of the ICAO standard atmosphere (Doc 7488), and the
  /// Clausius–Clapeyron relation with 40 660 J/mol for the heat of vaporisation.
  static func temperature(altitude: Double) -> Double {
    let pressure = pow(1 - 0.0065 * altitude / 288.15, 5.25588)
    return 1 / (1 / 373.15 - 8.314 * log(pressure) / 40_660) - 273.15
  }
}

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
