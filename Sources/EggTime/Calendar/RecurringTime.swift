/// When a recurring alarm rings.
public enum RecurringTime: Hashable, Sendable {
  /// Whenever the clock shows what it names.
  case event(CalendarEvent)
  /// Counted from a start.
  case interval(RecurringInterval)

  /// The first elapse strictly after `base` on the clock of `zone` (its own zone is the caller's to load); nil when none
  /// is to come.
  public func next(after base: Instant, in zone: Zone) -> Instant? {
    switch self {
    case .event(let event): event.next(after: base, in: zone)
    case .interval(let interval): interval.next(after: base, in: zone)
    }
  }

  /// The first time strictly after `base`, and before `end` and the last of `count` elapses, that does not elapse
  /// because the clock jumps over it or shows it twice; nil when there is none.
  public func firstSkipped(
    after base: Instant, before end: Instant, within count: Int64 = .max, in zone: Zone
  ) -> SkippedTime? {
    switch self {
    case .event(let event): event.firstSkipped(after: base, before: end, within: count, in: zone)
    case .interval(let interval): interval.firstSkipped(after: base, before: end, within: count, in: zone)
    }
  }

  /// The zone it names and is evaluated in; nil for that of whoever evaluates it.
  public var zoneName: String? {
    switch self {
    case .event(let event): event.zoneName
    case .interval(let interval): interval.zoneName
    }
  }

  /// Whether it elapses several times in some minute.
  public var isDense: Bool {
    switch self {
    case .event(let event): event.isDense
    case .interval(let interval): interval.isDense
    }
  }

  /// Whether two elapses can lie closer together than `span`, which is above zero and at most a minute.
  public func isDenser(than span: TimeSpan) -> Bool {
    switch self {
    case .event(let event): event.isDenser(than: span)
    case .interval(let interval): interval.isDenser(than: span)
    }
  }
}

extension RecurringTime: CustomStringConvertible {
  /// That of the event or interval, in its one form.
  public var description: String {
    switch self {
    case .event(let event): event.description
    case .interval(let interval): interval.description
    }
  }
}
