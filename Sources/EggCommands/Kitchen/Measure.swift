/// A number with a unit, as typed: `58g`, `4 °C`, `39F`, `1500m`.
struct Measure: Equatable {
  var value: Double
  /// As typed, without spaces.
  var unit: Substring

  /// nil unless `text` is a number and perhaps letters behind it.
  init?(_ text: String) {
    let text = text.filter { $0 != " " }
    let digits = text.prefix { ("0"..."9").contains($0) || "+-.".contains($0) }
    guard let value = Double(digits), value.isFinite else { return nil }
    self.value = value
    unit = Substring(text.dropFirst(digits.count))
  }

  /// nil for another unit.
  private static func read(_ text: String, _ factors: [String: Double]) -> Double? {
    Measure(text).flatMap { measure in factors[measure.unit.lowercased()].map { measure.value * $0 } }
  }

  /// Grams; nil for another unit.
  static func grams(_ text: String) -> Double? { read(text, ["": 1, "g": 1, "oz": 28.349_523_125]) }

  /// Degrees Celsius; nil for another unit.
  static func celsius(_ text: String) -> Double? {
    guard let measure = Measure(text) else { return nil }
    return switch measure.unit.lowercased() {
    case "", "c", "°c", "℃": measure.value
    case "f", "°f", "℉": (measure.value - 32) / 1.8
    default: nil
    }
  }

  /// Metres; nil for another unit.
  static func metres(_ text: String) -> Double? { read(text, ["": 1, "m": 1, "km": 1_000, "ft": 0.3048]) }
}
