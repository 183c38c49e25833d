import EggTime

/// When an alarm rings: its `in`, `at` or `every`.
public enum Timing: Hashable, Sendable {
  /// Elapsed time, suspend included, from the moment the call was read.
  case countdown(TimeSpan)
  /// Independent of any zone: `@`, `Z` or an offset was typed.
  case instant(Instant)
  /// A civil time in `zone` (an IANA name). A floating one follows the machine's zone; `zone` is then the one
  /// in which it was last resolved.
  case civil(CivilDateTime, zone: String, floats: Bool)
  /// Recurring in `zone`, which is its own if it names one. A floating one follows the machine's zone; an
  /// interval's start stays the same civil time.
  indirect case every(RecurringTime, zone: String, floats: Bool)

  /// Names on the wire and in the database.
  public enum Kind: String, CaseIterable, Sendable {
    case `in`
    case at
    case every

    public var expressionKind: ExpressionKind {
      switch self {
      case .in: .span
      case .at: .timestamp
      case .every: .calendar
      }
    }
  }

  /// Countdowns are `in`, recurring times `every`, the rest is `at`.
  public var kind: Kind {
    switch self {
    case .countdown: .in
    case .instant, .civil: .at
    case .every: .every
    }
  }
}

extension RecurringTime {
  /// From its text, as one of these; nil without any, or if that is unreadable.
  package init?(event: String?, interval: String?, rule: String? = nil) {
    if let text = interval {
      guard let interval = RecurringInterval(text) else { return nil }
      self = .interval(interval)
    } else if let text = rule {
      guard let set = RecurrenceSet(text) else { return nil }
      self = .rule(set)
    } else {
      guard let event = event.flatMap({ CalendarEvent($0) }) else { return nil }
      self = .event(event)
    }
  }

  package var event: String? {
    if case .event(let event) = self { event.description } else { nil }
  }

  package var interval: String? {
    if case .interval(let interval) = self { interval.description } else { nil }
  }

  package var rule: String? {
    if case .rule(let set) = self { set.description } else { nil }
  }
}
