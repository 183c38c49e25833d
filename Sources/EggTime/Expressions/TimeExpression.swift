/// A text and what it means, read once against a moment and a zone.
public struct TimeExpression: Sendable {
  /// As it was typed.
  public let text: String
  /// The class that claimed it.
  public let kind: ExpressionKind
  /// What is stored of it.
  public let reading: Reading
  /// The moment it names, seen from the context it was read in; may lie in the past. Of a recurring time the first
  /// elapse after that context's `now`; nil when there is none to come.
  public let moment: Instant?
  /// How its civil time lies on its zone's clock; nil for other readings.
  public let resolution: CivilResolution?
  /// Whether a day was typed without a time of day, on whatever clock: it names the first moment of that day.
  public let isDayAlone: Bool
  /// What a person should be told.
  public let hint: ExpressionHint?

  /// A text of the same meaning in one form: `6min 30s`, `2026-12-24T17:00:00Z`,
  /// `2026-12-24 18:00:00 Europe/Paris`, `Mon..Fri *-*-* 07:30:00`. Read again in the same zone, an event as an event, it
  /// gives the same reading; that of an interval is read by ``RecurringInterval``.
  public var canonical: String {
    switch reading {
    case .span(let span): return SpanText.canonical(span)
    case .instant(let instant):
      return Zone.utc.civil(at: instant).description.split(separator: " ").joined(separator: "T") + "Z"
    case .civil(let civil, let zone):
      return zone.map { "\(civil) \($0)" } ?? "\(civil)"
    case .recurring(let time): return time.description
    }
  }
}
