import EggTime

/// The parts of a bubble's text that depend on the machine's zone and on time expressions.
package struct NoticeWording {
  /// A due moment in the display format.
  package var moment: (Instant) -> String
  /// A span in words, `6 min 30 s`.
  package var span: (TimeSpan) -> String
  /// Whether the entered text, read again, can lie ahead. It decides whether the bubble offers Again.
  package var offersAgain: (String) -> Bool

  package init(
    moment: @escaping (Instant) -> String, span: @escaping (TimeSpan) -> String,
    offersAgain: @escaping (String) -> Bool
  ) {
    self.moment = moment
    self.span = span
    self.offersAgain = offersAgain
  }
}

extension NoticeWording {
  /// The words that people see: moments in the display format on the clock of `zone`, which is asked each time.
  package init(zone: @escaping () -> Zone) {
    self.init(
      moment: { DisplayFormat.text($0, in: zone()) }, span: SpanText.left,
      offersAgain: { TimeExpression.canLieAhead($0) })
  }
}
