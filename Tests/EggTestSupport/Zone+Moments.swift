import EggTime

extension Zone {
  /// Seconds east of UTC at a moment.
  public func offset(at instant: Instant) -> Int { period(at: instant).offset }

  /// What the clock's time is called at a moment: `CET`, `+03`.
  public func abbreviation(at instant: Instant) -> String { period(at: instant).abbreviation }
}
