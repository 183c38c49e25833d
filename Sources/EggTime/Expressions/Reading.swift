/// What an expression was read as: what is stored of it.
public enum Reading: Hashable, Sendable {
  /// Elapsed time from now.
  case span(TimeSpan)
  /// A moment that no zone can move.
  case instant(Instant)
  /// A time on the clock of a zone; nil is the zone of the context.
  case civil(CivilDateTime, zone: String?)
  /// A recurring time.
  case recurring(RecurringTime)
}

/// The class that an expression is read as, forced or found.
public enum ExpressionKind: String, CaseIterable, Sendable {
  /// Elapsed time: `in`.
  case span
  /// One moment: `at`.
  case timestamp
  /// Recurring: `every`.
  case calendar
}

/// What an expression is read against.
public struct ReadingContext: Sendable {
  /// The present moment.
  public var now: Instant
  /// The clock of expressions that name none.
  public var zone: Zone
  /// Where a recurring time is to begin; nil: now.
  public var from: Instant?
  /// Finds the zones that expressions name.
  public var loadZone: @Sendable (String) throws(ZoneError) -> Zone

  /// What a recurring time elapses strictly after.
  public var base: Instant { max(now, from.map { $0 - TimeSpan(microseconds: 1) } ?? now) }

  /// The present moment and the caller's zone; named zones come from the machine's zoneinfo.
  public init(
    now: Instant, zone: Zone, from: Instant? = nil,
    loadZone: @escaping @Sendable (String) throws(ZoneError) -> Zone = { name throws(ZoneError) in
      try Zone.named(name)
    }
  ) {
    self.now = now
    self.zone = zone
    self.from = from
    self.loadZone = loadZone
  }
}

/// What a person should be told about an expression that was read all the same.
public enum ExpressionHint: Hashable, Sendable {
  /// A month is 30.44 days and a year 365.25 days here; `instead` counts on the calendar: `now + 1 month`.
  case averageUnits(instead: String)
  /// A calendar event that elapses more often than once a minute.
  case denseEvent
  /// Months and years of a span were counted on the calendar.
  case calendarUnits
  /// `15h30` counts from now; the time of day is typed like `instead`.
  case timeOfDay(instead: String)
  /// A time that twelve-hour clocks show twice a day was read as the first; the later one is typed like `instead`.
  case afternoon(instead: String)
  /// `next wednesday` is the coming one; the one after it is typed like `instead`.
  case weekAfter(instead: String)
  /// The midnight of a day is its beginning; its end is typed like `instead`.
  case dayAfter(instead: String)
  /// `next month` is a month from now; its first day is typed like `instead`.
  case firstDay(instead: String)
}
