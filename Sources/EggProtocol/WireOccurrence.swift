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
  public var outcome: Occurrence.Outcome
  /// How many missed elapses it stands for.
  public var missedCount: Int64?
  /// When it fired; for a snoozed one, the last time.
  public var firedAt: Instant?
  public var journaledAt: Instant?
  /// When a notification server first accepted its bubble.
  public var shownAt: Instant?
  public var dismissedAt: Instant?
  public var snoozedUntil: Instant?
  public var lateness: TimeSpan?
  public var lateReason: LateReason?
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
    // Of a skipped one it says when the pause was over.
    lateness = occurrence.outcome == .skipped ? nil : occurrence.lateness
    lateReason = occurrence.lateReason
    hooks = occurrence.hooks.isEmpty ? nil : occurrence.hooks.map { WireHookRun($0) }
  }
}

/// A command that ran because an alarm rang, on the wire; see ``HookRun``.
public struct WireHookRun: Codable, Equatable, Sendable {
  public var hook: String
  public var result: Result
  /// The exit status, or the number of the signal.
  public var status: Int64?
  public var reason: String?

  public enum Result: String, OpenEnum {
    case exited, killed, timedOut, notStarted
    /// From a later version.
    case other
  }

  public init(_ run: HookRun) {
    hook = run.hook
    switch run.result {
    case .exited(let status): (result, self.status) = (.exited, status)
    case .killed(let signal): (result, status) = (.killed, signal)
    case .timedOut: result = .timedOut
    case .notStarted(let reason): (result, self.reason) = (.notStarted, reason)
    case .other: result = .other
    }
  }
}

extension HookRun {
  /// nil for a result without what it needs.
  public init?(_ wire: WireHookRun) {
    let result: HookRun.Result
    switch wire.result {
    case .exited:
      guard let status = wire.status else { return nil }
      result = .exited(status)
    case .killed: result = .killed(wire.status)
    case .timedOut: result = .timedOut
    case .notStarted:
      guard let reason = wire.reason else { return nil }
      result = .notStarted(reason)
    case .other: result = .other
    }
    self.init(hook: wire.hook, result: result)
  }
}
