import EggTime

/// How long a snooze lasts.
package enum SnoozeLength: Hashable, Sendable {
  case span(TimeSpan)
  /// Until the moment that a text names whenever it is read: `tomorrow 9:00`.
  case until(String)

  package static let usual = SnoozeLength.span(.seconds(300))

  /// As config.toml writes it. nil for what is neither.
  package init?(_ text: String) {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc)
    if let span = try? TimeExpression.span(text, in: context) {
      self = .span(span)
      return
    }
    guard let time = try? TimeExpression.read(text, in: context), time.kind != .calendar,
      TimeExpression.canLieAhead(text)
    else { return nil }
    self = .until(text)
  }

  package var text: String {
    switch self {
    case .span(let span): SpanText.canonical(span)
    case .until(let text): text
    }
  }
}
