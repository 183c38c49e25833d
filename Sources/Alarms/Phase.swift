import EggTime

extension Alarm {
  /// Where an alarm stands as people see it, derived from its stored state and latest occurrence.
  public enum Phase: String, CaseIterable, Sendable {
    case scheduled
    case paused
    case ringing
    case snoozed
    case rung
    case missed
    case skipped
    /// Of a later version; only ever read from the wire.
    case other
  }

  /// Ringing and snoozed come first: a recurring alarm can ring and wait for its next occurrence at once.
  public var phase: Phase {
    if let latest {
      if latest.isRinging { return .ringing }
      if latest.outcome == .rung, latest.dismissedAt == nil, latest.snoozedUntil != nil { return .snoozed }
    }
    switch state {
    case .scheduled: return .scheduled
    case .paused: return .paused
    case .over:
      switch latest?.outcome {
      case .missed, .other: return .missed
      case .skipped: return .skipped
      case .rung: return .rung
      // Marked done before it rang.
      case nil: return doneAt == nil ? .rung : .skipped
      }
    }
  }

  /// The moment it rings next: the end of its snooze or its own, whichever is earlier.
  ///
  /// - Parameter wallOf: When a clock's point comes on the wall clock: the two may be on different ones.
  public func nextDue(_ wallOf: (DuePoint) -> Instant) -> Instant? {
    switch (latest?.due, due) {
    case (let snooze?, let own?): min(wallOf(snooze), wallOf(own))
    case (let only?, nil), (nil, let only?): wallOf(only)
    case (nil, nil): nil
    }
  }
}
