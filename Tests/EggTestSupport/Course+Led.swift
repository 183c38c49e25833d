import EggTime

extension Course {
  /// How long before its moment a one-shot rings.
  package struct Led: Hashable, Sendable {
    /// As elapsed time.
    package var leads: [TimeSpan]
    /// It was made or changed; whichever the clock showed later.
    package var made: Instant
    /// The last ring, or when it rang if that was later.
    package var last: Instant?

    package init(leads: [TimeSpan], made: Instant) { (self.leads, self.made) = (leads, made) }

    package var known: Instant { max(made, last ?? made) }

    /// The lead of the first ring after another moment; nil where all are over.
    package func first(before thing: Instant, after base: Instant) -> TimeSpan? {
      leads.filter { thing - $0 > base }.max()
    }
  }

  /// A one-shot rings so long before its moment, too.
  package mutating func lead(_ leads: [TimeSpan], _ now: ClockReading, _ zones: OracleZones) {
    led = Led(leads: leads, made: now.wall)
    if let own { wait(for: own, after: now.wall, now, zones) }
  }

  /// What is left of a one-shot's rings, at that moment and before it.
  package mutating func wait(
    for thing: Moment, after base: Instant, _ now: ClockReading, _ zones: OracleZones
  ) {
    guard let led else { return own = thing }
    own = led.first(before: thing.instant(now, zones), after: base).map { .before(thing, $0) }
  }
}
