import EggTime

extension Alarm {
  /// An alarm's state for people, derived from its stored state and latest occurrence.
  public enum Phase: String, CaseIterable, Sendable {
    case scheduled
    case paused
    case ringing
    case snoozed
    case rung
    case missed
    case skipped
    /// From a later version; only read from the wire.
    case other
  }

  /// Ringing and snoozed come first: a recurring alarm can ring while it waits for its next occurrence.
  public var phase: Phase {
    if let latest {
      if latest.isRinging { return .ringing }
      if latest.outcome == .rung, latest.dismissedAt == nil, latest.snoozedUntil != nil { return .snoozed }
    }
    switch state {
    case .scheduled: return .scheduled
    case .paused: return .paused
    case .over:
      // It was marked done before what it waited for, whatever rang earlier.
      if doneDue != nil { return .skipped }
      switch latest?.outcome {
      case .missed, .other: return .missed
      case .skipped: return .skipped
      case .rung: return .rung
      // Marked done before it rang, or recurring, and all its rings were skipped.
      case nil: return doneAt == nil && timing.kind != .every ? .rung : .skipped
      }
    }
  }

  /// The end of its snooze or its own due time, whichever is earlier. They may be on different clocks:
  /// `wallOf` converts to the wall clock.
  public func nextDue(_ wallOf: (DuePoint) -> Instant) -> Instant? {
    switch (latest?.due, due) {
    case (let snooze?, let own?): min(wallOf(snooze), wallOf(own))
    case (let only?, nil), (nil, let only?): wallOf(only)
    case (nil, nil): nil
    }
  }

  /// The moment to come of an alarm with leads; `due` is a lead of it, or it.
  public func moment(_ wallOf: (DuePoint) -> Instant) -> Instant? {
    rules.leads.isEmpty ? nil : due.map { wallOf($0) + ahead }
  }
}
