/// Times of a wall clock, in order. Which moments they are is up to the clock of a zone: a time that the clock jumps
/// over is left out, one that it shows twice elapses the first time.
protocol WallClockSeries {
  /// The first time on a clock, from `start` on, that it names, whether or not the clock ever shows it.
  func match(from start: CivilDateTime) -> CivilDateTime?
}

/// A time of a recurring alarm at which it does not elapse, as the clock is changed.
public enum SkippedTime: Hashable, Sendable {
  /// The clock jumps over it.
  case jumpedOver(CivilDateTime)
  /// The clock is set back and shows it twice: it elapses the first time only.
  case shownTwice(CivilDateTime)

  /// What the clock jumps over or shows twice.
  public var time: CivilDateTime {
    switch self {
    case .jumpedOver(let time), .shownTwice(let time): time
    }
  }
}

extension WallClockSeries {
  /// The first elapse strictly after `base`; nil when none is to come.
  func elapse(after base: Instant, in zone: Zone) -> Instant? {
    search(after: base, in: zone) { _ in true }
  }

  /// The first time strictly after `base`, and before `end` and the last of `count` elapses, that does not elapse
  /// because the clock jumps over it or shows it twice; nil when there is none.
  func skipped(after base: Instant, before end: Instant, within count: Int64, in zone: Zone) -> SkippedTime? {
    var base = base
    // Each elapse is a step; a person is told of what comes soon.
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

  /// The first time that it names and the clock shows again between two moments, after it was set back.
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
