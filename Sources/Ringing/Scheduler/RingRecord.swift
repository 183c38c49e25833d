import Alarms
import EggTime

/// A ring, an alarm missed, or a ring that nobody has answered, as the scheduler hands it to the store: it happened; the
/// row follows.
package struct RingRecord: Hashable, Sendable {
  /// The occurrence's key: a new one, or that of `key`.
  package var occurrence: Int64
  package var key: EntryKey
  /// The moment as the row held it when it was read; a row that holds another by now is left alone.
  package var due: DuePoint
  /// The due moment on the wall clock as it stood at the ring.
  package var dueAt: Instant
  /// How long after that the moment is that it was a lead of.
  package var ahead: TimeSpan
  package var firedAt: Instant
  package var lateness: TimeSpan
  package var reason: LateReason?
  package var outcome: Outcome
  /// How many elapses it stands for; ``Recurrence/mostCounted`` + 1 for more than can be counted.
  package var elapsed: Int64
  /// The last of them that was counted, on the wall clock.
  package var lastAt: Instant
  /// How many of ``Recurrence/count`` it uses up.
  package var used: Int64
  /// What the alarm waits for from now on; nil when it was the last.
  package var next: DuePoint?
  /// How long after `next` the moment is that it is a lead of.
  package var nextAhead: TimeSpan
  /// From when on it counts as unanswered; nil where nothing happens then.
  package var unanswered: DuePoint?

  package enum Outcome: Hashable, Sendable {
    case rang
    /// It came too late to ring.
    case missed
    /// It rang before, and nobody has answered.
    case unanswered
  }

  package var rang: Bool { outcome == .rang }

  package var ring: RingID { RingID(occurrence: occurrence, firedAt: firedAt) }

  package init(
    occurrence: Int64, key: EntryKey, due: DuePoint, dueAt: Instant, ahead: TimeSpan = .zero,
    firedAt: Instant, lateness: TimeSpan,
    reason: LateReason?, outcome: Outcome = .rang, elapsed: Int64 = 1, next: DuePoint? = nil,
    nextAhead: TimeSpan = .zero,
    unanswered: DuePoint? = nil
  ) {
    self.outcome = outcome
    lastAt = dueAt
    self.elapsed = elapsed
    used = elapsed
    self.nextAhead = nextAhead
    self.ahead = ahead
    self.next = next
    self.occurrence = occurrence
    self.key = key
    self.due = due
    self.dueAt = dueAt
    self.firedAt = firedAt
    self.lateness = lateness
    self.reason = reason
    self.unanswered = unanswered
  }
}

/// Which ring: an occurrence rings again when it was snoozed.
package struct RingID: Hashable, Sendable {
  /// The occurrence's key.
  package var occurrence: Int64
  package var firedAt: Instant

  package init(occurrence: Int64, firedAt: Instant) {
    self.occurrence = occurrence
    self.firedAt = firedAt
  }
}

/// What became of a ring after it happened: recorded with the next commit, never waited for. A row that has rung again by
/// then is left alone.
package enum RingMark: Hashable, Sendable {
  /// The journal took its entry.
  case journaled(RingID, at: Instant)
  /// A server took its bubble. `shownAt` keeps the first of these; bubble and server the last.
  case shown([RingID], bubble: UInt32, server: String, at: Instant)
  /// A command that it ran, or that nobody's answer ran, has ended.
  case ran(RingID, HookRun)
}
