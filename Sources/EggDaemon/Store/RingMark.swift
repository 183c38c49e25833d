import EggTime

/// What became of a ring after it happened: recorded with the next commit, never waited for.
package enum RingMark: Hashable, Sendable {
  /// The journal took its entry.
  case journaled(occurrence: Int64, at: Instant)
  /// A server took its bubble. `shownAt` keeps the first of these; bubble and server the last.
  case shown(occurrences: [Int64], bubble: UInt32, server: String, at: Instant)
}
