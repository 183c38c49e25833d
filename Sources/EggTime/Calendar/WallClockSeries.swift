/// Times of a wall clock, ascending. A zone turns them into moments: a time that its clock jumps over is
/// skipped, a time that it shows twice elapses the first time.
protocol WallClockSeries {
  /// The first time from `start` on, whether or not a clock ever shows it.
  func match(from start: CivilDateTime) -> CivilDateTime?
}

/// A time at which a recurring alarm does not elapse, because the clock changes.
public enum SkippedTime: Hashable, Sendable {
  case jumpedOver(CivilDateTime)
  /// The clock is set back: it elapses the first time only.
  case shownTwice(CivilDateTime)

  public var time: CivilDateTime {
    switch self {
    case .jumpedOver(let time), .shownTwice(let time): time
    }
  }
}

extension WallClockSeries {
  /// nil when there is none.
  func elapse(after base: Instant, in zone: Zone) -> Instant? {
    search(after: base, in: zone) { _ in true }
  }

  /// See ``RecurringTime/firstSkipped(after:before:within:in:)``.
  func firstSkipped(
    after base: Instant, before end: Instant, within count: Int64 = .max, in zone: Zone
  ) -> SkippedTime? {
    var base = base
    // Bounded: each elapse is a step, and the user is only warned of what comes soon.
    for _ in 0..<max(0, min(count, 400)) {
      var jumpedOver: (time: CivilDateTime, moment: Instant)?
      let next = search(after: base, in: zone) { time in
        let moment = zone.resolve(time).instant
        if moment < end { jumpedOver = (time, moment) }
        return jumpedOver == nil
      }
      let repeated = repetition(after: base, before: min(jumpedOver?.moment ?? next ?? end, end), in: zone)
      if let repeated { return .shownTwice(repeated) }
      if let jumpedOver { return .jumpedOver(jumpedOver.time) }
      guard let next, next < end else { return nil }
      base = next
    }
    return nil
  }

  /// The first time that the clock, set back, shows again between two moments.
  private func repetition(after base: Instant, before end: Instant, in zone: Zone) -> CivilDateTime? {
    var period = zone.period(at: base)
    while let change = period.end, change < end {
      let offset = period.offset
      period = zone.period(at: change)
      if period.offset < offset, let time = match(from: zone.civil(at: change)),
        case .fold(_, let second) = zone.resolve(time), second < end
      {
        return time
      }
    }
    return nil
  }

  /// `goesOn` gets the first time in each gap; false ends the search.
  private func search(
    after base: Instant, in zone: Zone, goesOn: (CivilDateTime) -> Bool
  ) -> Instant? {
    guard base < .latest else { return nil }
    var start = zone.civil(at: base + TimeSpan(microseconds: 1))
    while let time = match(from: start) {
      switch zone.resolve(time) {
      case .unique(let instant) where instant > base: return instant
      case .fold(let first, let second) where second > base: return first > base ? first : second
      // Shown only before `base`: the clock is set back after it and later jumps over it.
      case .unique, .fold: break
      case .gap: guard goesOn(time) else { return nil }
      }
      // Always later than `time`, so the search ends.
      start = zone.nextTime(after: time, shownAfter: base)
    }
    return nil
  }
}
