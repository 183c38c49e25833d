import EggTime
import Gettext

extension SpanUnits {
  /// In the user's language.
  static let own = SpanUnits(in: tr)
}

extension SpanText {
  /// See ``left(_:in:)``.
  static func left(_ span: TimeSpan) -> String { left(span, in: .own) }

  /// All units that are not zero, of days, hours, minutes and seconds: `2 d 10 h 25 min 30 s`, `1 h 30 s`.
  ///
  /// Rounds up to a second, as ``left(_:)`` does. Negative spans are `0 s`.
  static func whole(_ span: TimeSpan) -> String {
    let seconds = span.microseconds > 0 ? (span.microseconds - 1) / 1_000_000 + 1 : 0
    let units = [
      (seconds / 86_400, SpanUnits.own.day), (seconds / 3_600 % 24, SpanUnits.own.hour),
      (seconds / 60 % 60, SpanUnits.own.minute), (seconds % 60, SpanUnits.own.second),
    ]
    let parts = units.filter { $0.0 != 0 }.map { "\($0.0)\($0.1)" }
    return parts.isEmpty ? "0\(SpanUnits.own.second)" : parts.joined(separator: " ")
  }
}
