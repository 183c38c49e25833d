import Alarms
import EggTime

/// One elapse on the wire; see ``Occurrence`` for the fields.
public struct WireOccurrence: Codable, Equatable, Sendable {
  /// The key by which `History` pages.
  public var id: Int64
  public var dueAt: Instant
  /// Where that was a lead, how much later the moment itself is.
  public var ahead: TimeSpan?
  /// Rung, missed or skipped.
  @Open public var outcome: Occurrence.Outcome
  /// How many missed elapses it stands for.
  public var missedCount: Int64?
  /// When it fired; for a snoozed one, the last time.
  public var firedAt: Instant?
  /// When the journal took its entry.
  public var journaledAt: Instant?
  /// When a notification server first accepted its bubble.
  public var shownAt: Instant?
  /// When the user dismissed it.
  public var dismissedAt: Instant?
  /// Until when it is snoozed.
  public var snoozedUntil: Instant?
  /// How late it fired.
  public var lateness: TimeSpan?
  /// Why it was late.
  @OpenOptional public var lateReason: LateReason?
  /// The commands that its last ring ran, as far as they have ended.
  public var hooks: [WireHookRun]?

  /// All fields but the bubble's, which clients do not need.
  public init(_ occurrence: Occurrence) {
    id = occurrence.id
    dueAt = occurrence.dueAt
    ahead = occurrence.ahead == .zero ? nil : occurrence.ahead
    outcome = occurrence.outcome
    missedCount = occurrence.missedCount
    firedAt = occurrence.firedAt
    journaledAt = occurrence.journaledAt
    shownAt = occurrence.shownAt
    dismissedAt = occurrence.dismissedAt
    snoozedUntil = occurrence.snoozedUntil
    lateness = occurrence.lateness
    lateReason = occurrence.lateReason
    hooks = occurrence.hooks.isEmpty ? nil : occurrence.hooks.map { WireHookRun($0) }
  }
}
