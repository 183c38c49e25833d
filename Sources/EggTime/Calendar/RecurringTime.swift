public enum RecurringTime: Hashable, Sendable {
  case event(CalendarEvent)
  case interval(RecurringInterval)
  /// What neither of these expresses.
  case rule(RecurrenceSet)

  /// The first elapse strictly after `base` on the clock of `zone`; nil when there is none. The caller loads
  /// the time's own zone.
  public func next(after base: Instant, in zone: Zone) -> Instant? {
    switch self {
    case .event(let event): event.next(after: base, in: zone)
    case .interval(let interval): interval.next(after: base, in: zone)
    case .rule(let set): set.next(after: base, in: zone)
    }
  }

  /// The first time that does not elapse because the clock jumps over it or shows it twice; nil when there is
  /// none. Searches strictly after `base`, before `end`, and up to the last of `count` elapses.
  public func firstSkipped(
    after base: Instant, before end: Instant, within count: Int64 = .max, in zone: Zone
  ) -> SkippedTime? {
    switch self {
    case .event(let event): event.firstSkipped(after: base, before: end, within: count, in: zone)
    case .interval(let interval): interval.firstSkipped(after: base, before: end, within: count, in: zone)
    case .rule(let set): set.firstSkipped(after: base, before: end, within: count, in: zone)
    }
  }

  /// The zone it names and is evaluated in; nil for the evaluator's zone.
  public var zoneName: String? {
    switch self {
    case .event(let event): event.zoneName
    case .interval(let interval): interval.zoneName
    case .rule(let set): set.zoneName
    }
  }

  /// Whether it elapses more than once in some minute.
  public var isDense: Bool { isDenser(than: .seconds(60)) }

  /// Whether two elapses can lie closer together than `span`, which is above zero and at most a minute.
  public func isDenser(than span: TimeSpan) -> Bool {
    switch self {
    case .event(let event): event.isDenser(than: span)
    case .interval(let interval): interval.isDenser(than: span)
    case .rule(let set): set.isDenser(than: span)
    }
  }

  /// The shortest time between two of the next elapses, where that is below a day of a wall clock; nil where it is not.
  public func shortestInterval(after base: Instant, in zone: Zone) -> TimeSpan? {
    let day = TimeSpan.seconds(23 * 3_600)
    var shortest = day
    var last = next(after: base, in: zone)
    for _ in 0..<100 {
      guard let moment = last, let next = next(after: moment, in: zone) else { break }
      shortest = min(shortest, next - moment)
      last = next
    }
    return shortest < day ? shortest : nil
  }

  /// Whether a search for its next ring could go through more than 2 000 elapses, between the first and the last of these
  /// leads: such alarms of a calendar would delay others.
  ///
  /// - Parameter leads: Ascending.
  public func isTooDense(for leads: [Lead], after base: Instant, in zone: Zone) -> Bool {
    guard let first = leads.first, let last = leads.last,
      let interval = shortestInterval(after: base, in: zone)
    else { return false }
    let slack = leads.contains { $0.days != 0 } ? 2 * Lead.slack.microseconds : 0
    return last.span.microseconds - first.span.microseconds + slack > 2_000 * interval.microseconds
  }
}

extension RecurringTime: CustomStringConvertible {
  /// The canonical form of the event, interval or rule.
  public var description: String {
    switch self {
    case .event(let event): event.description
    case .interval(let interval): interval.description
    case .rule(let set): set.description
    }
  }
}
