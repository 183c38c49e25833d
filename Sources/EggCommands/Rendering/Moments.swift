import EggTime

/// Words moments for one run of a verb: in one zone, seen from one present.
struct Moments {
  let zone: Zone
  let now: Instant

  init(zone: Zone, now: Instant) {
    self.zone = zone
    self.now = now
  }

  init(_ surroundings: Surroundings) throws {
    self.init(zone: try surroundings.zone(), now: surroundings.now())
  }

  /// `2026. 11. 20. 21:41:00`.
  func text(_ instant: Instant) -> String { DisplayFormat.text(instant, in: zone) }

  /// `21:41`.
  func time(_ instant: Instant) -> String { String(text(instant).suffix(8).prefix(5)) }

  /// `5 min ago`; `now` within a second.
  func ago(_ instant: Instant) -> String {
    let span = now - instant
    return span < .seconds(1) ? "now" : "\(SpanText.left(span)) ago"
  }
}
