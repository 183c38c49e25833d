/// The meaning of an expression, as stored.
public enum ExpressionReading: Hashable, Sendable {
  /// From now.
  case span(TimeSpan)
  /// Independent of any zone.
  case instant(Instant)
  /// On the clock of a zone; nil is the context's zone.
  case civil(CivilDateTime, zone: String?)
  case recurring(RecurringTime)
}

/// The class of an expression, asked for or detected.
public enum ExpressionKind: String, CaseIterable, Sendable {
  /// Elapsed time: `in`.
  case span
  /// One moment: `at`.
  case timestamp
  /// Recurring: `every`.
  case calendar
}

/// The now and the zones that an expression is read against.
public struct ReadingContext: Sendable {
  public var now: Instant
  /// Used by expressions that name no zone.
  public var zone: Zone
  /// When a recurring time begins; nil means now.
  public var from: Instant?
  /// When a day rings that was typed without a time of day. Where a class is asked for, such a day begins at midnight.
  public var dayAt: TimeOfDay
  /// Loads the zones that expressions name.
  public var loadZone: @Sendable (String) throws(ZoneError) -> Zone

  /// A recurring time elapses strictly after this.
  public var base: Instant { max(now, from.map { $0 - TimeSpan(microseconds: 1) } ?? now) }

  /// By default named zones come from the machine's zoneinfo.
  public init(
    now: Instant, zone: Zone, from: Instant? = nil, dayAt: TimeOfDay = .usual,
    loadZone: @escaping @Sendable (String) throws(ZoneError) -> Zone = { name throws(ZoneError) in
      try Zone.named(name)
    }
  ) {
    self.now = now
    self.zone = zone
    self.from = from
    self.dayAt = dayAt
    self.loadZone = loadZone
  }
}

/// Advice on an expression that was read but may have been meant otherwise.
public enum ExpressionHint: Hashable, Sendable {
  /// A month is 30.44 days and a year 365.25 days here; `instead` uses the calendar: `now + 1 month`.
  case averageUnits(instead: String)
  /// Elapses more than once a minute.
  case denseEvent
  /// Months and years were counted on the calendar.
  case calendarUnits
  /// `15h30` is a span; `instead` is the time of day.
  case timeOfDay(instead: String)
  /// A time that may be am or pm was read as am; `instead` is the later one.
  case afternoon(instead: String)
  /// `next wednesday` is the coming one; `instead` is the one after it.
  case weekAfter(instead: String)
  /// The midnight of a day is its start; `instead` is its end.
  case dayAfter(instead: String)
  /// `12시` is noon; `instead` is midnight.
  case midnight(instead: String)
  /// `next month` is a month from now; `instead` is its first day.
  case firstDay(instead: String)
  /// A recurring part of the day was typed without an hour, and that one was taken: `every morning`.
  case usualTime(String)
}
