import EggProtocol
import EggTime
import Gettext
import Varlink

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
  @Inlined var egg: BoiledEgg
  var altitudeMetres: Double
  var span: TimeSpan

  var text: String {
    let place = altitudeMetres == 0 ? "" : tr(" at \(rounded(altitudeMetres)) m")
    let figures = tr(
      """
      \(rounded(egg.mass)) g from \(degrees(egg.start)) in water of \(degrees(egg.water))\(place) \
      until the yolk has \(degrees(egg.yolk)): \(SpanText.whole(span))
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
