import EggProtocol
import EggTime
import Gettext

/// The whole of a reply with `--json`.
struct BoilAnswer: Encodable {
  var alarms: [WireAlarm] = []
  var boil: BoilFigures?
  /// Of a dry run of `boil periodic`.
  var moves: [BoilMove]?
}

/// When a move comes, counted from the start, and what it is.
struct BoilMove: Encodable {
  var span: TimeSpan
  var label: String
}

/// What the formula was given and what it gave.
struct BoilFigures: Encodable {
  var mass: Double
  var start: Double
  var yolk: Double
  var water: Double
  var altitude: Double
  var span: TimeSpan

  private enum CodingKeys: String, CodingKey {
    case mass = "massGrams"
    case start = "eggCelsius"
    case yolk = "yolkCelsius"
    case water = "waterCelsius"
    case altitude = "altitudeMetres"
    case span
  }

  var text: String {
    let place = altitude == 0 ? "" : tr(" at \(rounded(altitude)) m")
    let figures = tr(
      """
      \(rounded(mass)) g from \(degrees(start)) in water of \(degrees(water))\(place) until the yolk has \
      \(degrees(yolk)): \(SpanText.whole(span))
      """)
    return """
      \(figures)
      \(BoiledEgg.formula)
      \(BoiledEgg.source)

      """
  }
}

/// To a tenth, without `.0`.
private func rounded(_ value: Double) -> String {
  let tenths = Int((value * 10).rounded())
  return tenths.isMultiple(of: 10)
    ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}

func degrees(_ celsius: Double) -> String { "\(rounded(celsius)) °C" }
