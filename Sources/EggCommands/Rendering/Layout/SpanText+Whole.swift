import EggTime

extension SpanText {
  /// All units that are not zero, of days, hours, minutes and seconds: `2 d 10 h 25 min 30 s`, `1 h 30 s`.
  ///
  /// Rounds up to a second, as ``left(_:)`` does. Negative spans are `0 s`.
  static func whole(_ span: TimeSpan) -> String {
    let seconds = span.microseconds > 0 ? (span.microseconds - 1) / 1_000_000 + 1 : 0
    let units = [
      (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
    ]
    let parts = units.filter { $0.0 != 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
  }
}
