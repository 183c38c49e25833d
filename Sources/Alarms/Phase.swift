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
      case .missed: return .missed
      case .skipped: return .skipped
      case .rung, nil: return .rung
      }
    }
  }

  /// The moment it rings next: the end of its snooze or its own due point, whichever there is.
  public var nextDue: DuePoint? { latest?.due ?? due }
}
