import EggTime

/// One elapse of an alarm and what became of it.
public struct Occurrence: Hashable, Sendable {
  /// Its key: counts up over all alarms; the moment it fired in µs, or one more than the latest if that is taken.
  public var id: Int64
  /// When it was due, on the wall clock as it then stood.
  public var dueAt: Instant
  /// Rung, missed or skipped.
  public var outcome: Outcome
  /// How many missed elapses this one stands for; nil when only itself.
  public var missedCount: Int64?
  /// When it fired (last, if it was snoozed); nil when it never did.
  public var firedAt: Instant?
  /// When the journal took its entry.
  public var journaledAt: Instant?
  /// When a notification server first took its bubble.
  public var shownAt: Instant?
  /// When the person dismissed it; of a skipped one, when another timing took the place of its own.
  public var dismissedAt: Instant?
  /// Until when it is snoozed, on the wall clock as it stood when the snooze began; nil when it is not.
  public var snoozedUntil: Instant?
  /// The end of the snooze on its own clock, a countdown; nil when it is not snoozed.
  public var due: DuePoint?
  /// How late it fired.
  public var lateness: TimeSpan?
  /// Why it was late; nil when it was not.
  public var lateReason: LateReason?
  /// The id that the server gave its bubble.
  public var bubble: UInt32?
  /// The unique bus name of that server.
  public var bubbleServer: String?

  /// What became of it.
  public enum Outcome: String, CaseIterable, Sendable {
    case rung
    case missed
    case skipped
    /// Of a later version; only ever read from the wire.
    case other
  }

  /// Rung, and neither dismissed nor snoozed.
  public var isRinging: Bool { outcome == .rung && dismissedAt == nil && snoozedUntil == nil }

  /// All fields; what is left out is absent.
  public init(
    id: Int64, dueAt: Instant, outcome: Outcome, missedCount: Int64? = nil, firedAt: Instant? = nil,
    journaledAt: Instant? = nil, shownAt: Instant? = nil, dismissedAt: Instant? = nil,
    snoozedUntil: Instant? = nil, due: DuePoint? = nil, lateness: TimeSpan? = nil,
    lateReason: LateReason? = nil, bubble: UInt32? = nil, bubbleServer: String? = nil
  ) {
    self.id = id
    self.dueAt = dueAt
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
  }
}

/// Why an alarm was late.
public enum LateReason: String, CaseIterable, Sendable {
  /// eggd was not running.
  case down
  /// The machine was suspended.
  case asleep
  /// The wall clock was set past the moment.
  case clockStep
  /// The machine's zone, or its data, changed past the moment.
  case zoneChange
  /// The database could not be read or written in time.
  case store
  /// No notification server was there to show it.
  case noServer
  /// The machine was too busy.
  case busy
  /// Anything else.
  case other
}
