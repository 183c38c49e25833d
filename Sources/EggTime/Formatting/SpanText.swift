import Gettext

/// Units as they follow a number in a span: ` min` in `6 min 30 s`.
public struct SpanUnits: Sendable {
  public let (day, hour, minute, second): (String, String, String, String)

  /// A unit is what follows an empty number in its phrase.
  public init(in wording: Wording) {
    day = wording("\("") d")
    hour = wording("\("") h")
    minute = wording("\("") min")
    second = wording("\("") s")
  }

  public static let english = SpanUnits(in: Phrase.english)
}

/// Spans as text: for people (`6 min 30 s`) and as a canonical expression (`6min 30s`).
public enum SpanText {
  /// The two largest units of days, hours, minutes and seconds: `9 h 55 min`, `1 h`, `5 s`. Smaller units are
  /// dropped, and so is a zero. Negative spans are `0 s`.
  ///
  /// Fractions of a second round up: an alarm set for 6 min 30 s shows just that, and `0 s` appears only once
  /// it is due.
  public static func left(_ span: TimeSpan, in units: SpanUnits) -> String {
    let seconds = seconds(begun: span)
    return switch seconds {
    case 86_400...: both(seconds / 86_400, units.day, seconds / 3_600 % 24, units.hour)
    case 3_600...: both(seconds / 3_600, units.hour, seconds / 60 % 60, units.minute)
    case 60...: both(seconds / 60, units.minute, seconds % 60, units.second)
    default: "\(seconds)\(units.second)"
    }
  }

  private static func both(_ count: Int64, _ unit: String, _ rest: Int64, _ smaller: String) -> String {
    rest == 0 ? "\(count)\(unit)" : "\(count)\(unit) \(rest)\(smaller)"
  }

  /// How long until ``left(_:in:)`` shows another text; nil when there is no other.
  public static func leftLasts(_ span: TimeSpan) -> TimeSpan? {
    let seconds = seconds(begun: span)
    guard seconds > 0 else { return nil }
    let unit: Int64 = seconds >= 86_400 ? 3_600 : seconds >= 3_600 ? 60 : 1
    return span - .seconds(seconds / unit * unit - 1)
  }

  /// Rounded up.
  private static func seconds(begun span: TimeSpan) -> Int64 {
    let whole = span.microseconds / 1_000_000
    return span.microseconds <= 0 ? 0 : whole + (span.microseconds % 1_000_000 == 0 ? 0 : 1)
  }

  /// Every unit that is not zero, largest first, as systemd.time(7) names them: `1d 2h 6min 30s 5ms`; `0s`
  /// for an empty span. Weeks are for whole weeks only: `2w`, but `30d`. Reads back as the same span. Negative spans
  /// become `0s`; no expression names them.
  public static func canonical(_ span: TimeSpan) -> String {
    let hasDays = span.microseconds % SpanUnit.week != 0
    return span > .zero
      ? text(span, in: SpanUnit.written.filter { !hasDays || $0.length < SpanUnit.week }) : "0s"
  }

  /// These units, largest first, as far as they are not zero.
  static func text(_ span: TimeSpan, in units: [(length: Int64, name: String)]) -> String {
    var rest = span.microseconds
    var parts: [String] = []
    for (length, name) in units where rest >= length {
      parts.append("\(rest / length)\(name)")
      rest %= length
    }
    return parts.joined(separator: " ")
  }
}
