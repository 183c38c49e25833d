extension CalendarEvent: WallClockSeries {
  /// The first elapse strictly after `base` on the clock of `zone`; nil when there is none. The caller loads
  /// the event's own zone.
  public func next(after base: Instant, in zone: Zone) -> Instant? { elapse(after: base, in: zone) }
}
