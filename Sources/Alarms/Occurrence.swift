import EggTime

/// One elapse of an alarm and its outcome.
public struct Occurrence: Hashable, Sendable {
  /// The row's key, ascending over all alarms: the moment it fired in µs, or the latest key plus 1 if that is
  /// taken.
  public var id: Int64
  /// On the wall clock as it stood then.
  public var dueAt: Instant
  /// How long after `dueAt` the moment is that it was a lead of; zero for a moment itself.
  public var ahead: TimeSpan
  public var outcome: Outcome
  /// How many missed elapses this one stands for; nil for one.
  public var missedCount: Int64?
  /// When it fired, or last fired after a snooze; nil when it never did.
  public var firedAt: Instant?
  /// When its journal entry was accepted.
  public var journaledAt: Instant?
  /// When a notification server first accepted its bubble.
  public var shownAt: Instant?
  /// When it was dismissed; if skipped, when the alarm's timing was replaced.
  public var dismissedAt: Instant?
  /// The end of its snooze on the wall clock as it stood when the snooze began; nil when not snoozed.
  public var snoozedUntil: Instant?
  /// The end of its snooze as a countdown; nil when not snoozed.
  public var due: DuePoint?
  public var lateness: TimeSpan?
  /// nil when on time.
  public var lateReason: LateReason?
  /// The bubble's id, given by the notification server.
  public var bubble: UInt32?
  /// The unique bus name of that server.
  public var bubbleServer: String?
  /// The commands that its last ring ran, as far as they have ended.
  public var hooks: [HookRun] = []

  public enum Outcome: String, CaseIterable, Sendable {
    case rung
    case missed
    case skipped
    /// From a later version; only read from the wire.
    case other
  }

  public var isRinging: Bool { outcome == .rung && dismissedAt == nil && snoozedUntil == nil }

  public init(
    id: Int64, dueAt: Instant, ahead: TimeSpan = .zero, outcome: Outcome, missedCount: Int64? = nil,
    firedAt: Instant? = nil,
    journaledAt: Instant? = nil, shownAt: Instant? = nil, dismissedAt: Instant? = nil,
    snoozedUntil: Instant? = nil, due: DuePoint? = nil, lateness: TimeSpan? = nil,
    lateReason: LateReason? = nil, bubble: UInt32? = nil, bubbleServer: String? = nil,
    hooks: [HookRun] = []
  ) {
    self.id = id
    self.dueAt = dueAt
    self.ahead = ahead
    self.outcome = outcome
    self.missedCount = missedCount
    self.firedAt = firedAt
    self.journaledAt = journaledAt
    self.shownAt = shownAt
    self.dismissedAt = dismissedAt
    self.snoozedUntil = snoozedUntil
    self.due = due
    self.lateness = lateness
    self.lateReason = lateReason
    self.bubble = bubble
    self.bubbleServer = bubbleServer
    self.hooks = hooks
  }
}

/// In words: ``phrase``.
public enum LateReason: String, CaseIterable, Sendable {
  case down
  case asleep
  /// The wall clock was set past the due time.
  case clockStep
  /// The machine's zone or its data changed past the due time.
  case zoneChange
  /// The database could not be read or written in time.
  case store
  case noServer
  case busy
  case other
}
