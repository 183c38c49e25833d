extension CalendarEvent: WallClockSeries {
  /// The first elapse strictly after `base` on the clock of `zone` (the event's own zone is the caller's to load);
  /// nil when none is to come.
  public func next(after base: Instant, in zone: Zone) -> Instant? { elapse(after: base, in: zone) }

  /// The first time strictly after `base`, and before `end` and the last of `count` elapses, that does not elapse
  /// because the clock jumps over it or shows it twice; nil when there is none.
  public func firstSkipped(
    after base: Instant, before end: Instant, within count: Int64 = .max, in zone: Zone
  ) -> SkippedTime? {
    skipped(after: base, before: end, within: count, in: zone)
  }
}
