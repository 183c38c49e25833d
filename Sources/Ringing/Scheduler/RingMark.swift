import Alarms
import EggTime

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
  /// A command that it ran has ended.
  case ran(RingID, HookRun)
}
