/// `YYYY. MM. DD. HH:mm:SS`, how eggctl shows a moment. It is also an expression, so what was shown can be
/// typed.
public enum DisplayFormat {
  /// On the clock of `zone`, truncated to the second: `2026. 11. 20. 21:41:00`.
  public static func text(_ instant: Instant, in zone: Zone) -> String { text(zone.civil(at: instant)) }

  /// Truncated to the second.
  public static func text(_ civil: CivilDateTime) -> String {
    var text = Digits()
    append(civil, to: &text)
    text.append(" ")
    text.appendTime(of: civil)
    return text.string
  }

  /// `2026. 11. 20.`
  public static func date(_ civil: CivilDateTime) -> String {
    var text = Digits()
    append(civil, to: &text)
    return text.string
  }

  private static func append(_ civil: CivilDateTime, to text: inout Digits) {
    text.appendDate(of: civil, separator: ". ")
    text.append(".")
  }
}
