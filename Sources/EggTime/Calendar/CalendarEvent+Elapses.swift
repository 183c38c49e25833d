extension CalendarEvent: WallClockSeries {
  /// The first elapse strictly after `base` on the clock of `zone`; nil when there is none. The caller loads
  /// the event's own zone.
  public func next(after base: Instant, in zone: Zone) -> Instant? { elapse(after: base, in: zone) }

  /// The first time that does not elapse because the clock jumps over it or shows it twice; nil when there is
  /// none. Searches strictly after `base`, before `end`, and up to the last of `count` elapses.
  public func firstSkipped(
    after base: Instant, before end: Instant, within count: Int64 = .max, in zone: Zone
  ) -> SkippedTime? {
    skipped(after: base, before: end, within: count, in: zone)
  }
}
