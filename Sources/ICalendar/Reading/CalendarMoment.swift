import EggTime

/// The value of DTSTART, DUE and the like: RFC 5545 §3.3.4, §3.3.5 and §3.3.12.
struct CalendarMoment {
  var civil: CivilDateTime
  /// UTC, or the zone of a TZID; nil for the reader's own clock.
  var zone: Zone?
  /// Whether it is a date without a time; the time is then 00:00.
  var isDay: Bool

  init(_ civil: CivilDateTime, on zone: Zone?, isDay: Bool = false) {
    (self.civil, self.zone, self.isDay) = (civil, zone, isDay)
  }

  /// In UTC, to the second.
  init(_ instant: Instant) { self.init(Zone.utc.civil(at: instant), on: .utc) }

  var isUTC: Bool { zone?.identifier == Zone.utc.identifier }

  func isOnClock(of other: CalendarMoment) -> Bool { zone?.identifier == other.zone?.identifier }

  /// A floating moment is read on the clock of `local`.
  func instant(_ local: Zone) -> Instant { (zone ?? local).resolve(civil).instant }

  /// Reads ``BasicDateTime``; one in UTC has no other zone.
  init?(_ text: some StringProtocol, zone: Zone? = nil) {
    guard let moment = BasicDateTime(text) else { return nil }
    civil = moment.civil
    isDay = moment.isDay
    self.zone = moment.isUTC ? .utc : zone
  }

  /// What the clock of another moment shows then. Days, and times on the same clock, stay as they are.
  func civil(onClockOf other: CalendarMoment, local: Zone) -> CivilDateTime {
    if isDay || zone == nil || isOnClock(of: other) { return civil }
    return (other.zone ?? local).civil(at: instant(local))
  }
}

extension CalendarDistance {
  /// Between two moments: civil time if both are on one clock, else elapsed time.
  init(from start: CalendarMoment, to end: CalendarMoment, local: Zone) {
    self.init()
    if start.isOnClock(of: end) {
      days = end.civil.dayNumber - start.civil.dayNumber
      seconds = end.civil.secondsOnClock - start.civil.secondsOnClock - days * 86_400
    } else {
      seconds = Int((end.instant(local) - start.instant(local)).microseconds / 1_000_000)
    }
  }
}
