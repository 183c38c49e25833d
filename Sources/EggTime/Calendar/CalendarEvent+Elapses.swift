extension CalendarEvent {
  /// The first elapse strictly after `base` on the clock of `zone` (the event's own zone is the caller's to load);
  /// nil when none is to come.
  public func next(after base: Instant, in zone: Zone) -> Instant? {
    search(after: base, in: zone) { _ in true }
  }

  /// The first time strictly after `base`, and before `end` and the last of `count` elapses, that does not elapse
  /// because the clock jumps over it; nil when there is none.
  public func firstSkipped(
    after base: Instant, before end: Instant, within count: Int64 = .max, in zone: Zone
  ) -> CivilDateTime? {
    var base = base
    var skipped: CivilDateTime?
    // Each elapse is a step; a person is told of what comes soon.
    for _ in 0..<max(0, min(count, Self.mostLookedAt)) {
      let next = search(after: base, in: zone) { time in
        if zone.resolve(time).instant < end { skipped = time }
        return skipped == nil
      }
      guard skipped == nil, let next, next < end else { break }
      base = next
    }
    return skipped
  }

  private static var mostLookedAt: Int64 { 400 }

  /// - Parameter goesOn: Is told of the first time in each gap; false ends the search.
  private func search(
    after base: Instant, in zone: Zone, goesOn: (CivilDateTime) -> Bool
  ) -> Instant? {
    guard base < .latest else { return nil }
    var start = zone.civil(at: base + TimeSpan(microseconds: 1))
    while let time = match(from: start) {
      switch zone.resolve(time) {
      case .unique(let instant) where instant > base: return instant
      case .fold(let first, let second) where second > base: return first > base ? first : second
      // Shown before `base` alone: by a clock that was set back after it, and jumps over it later.
      case .unique, .fold: break
      case .gap: guard goesOn(time) else { return nil }
      }
      // Later than what was found, whatever the clock does: the search ends.
      start = zone.nextTime(after: time, shownAfter: base)
    }
    return nil
  }
}
