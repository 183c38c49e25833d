import EggTime

/// When the head is to be read anew. Asked for once at a time, and only when the database can have more than
/// the last answer had: else a disk that takes no records would be read in a circle.
package struct RefillState: Sendable {
  /// Below so many entries a cut head is refilled: half of what it holds.
  private static let low = Head.capacity / 2
  private static let longestPause: Int64 = 60_000_000

  /// The first refill, and one after each clock step.
  package var isWanted = true
  /// Rows changed, or some of them rang, since the last answer.
  package var isUseful = true
  private var isAsked = false
  private var pause: Int64 = 1_000_000
  /// When to try again after a failure: CLOCK_BOOTTIME, µs.
  package private(set) var retryAt: Int64?

  /// Nothing asked for yet, the first one wanted.
  package init() {}

  /// An answer came.
  package mutating func came() {
    isAsked = false
    isUseful = false
    retryAt = nil
    pause = 1_000_000
  }

  /// It could not be read: again after 1, 2, 4 … 60 s.
  package mutating func failed(at now: ClockReading) {
    isAsked = false
    isWanted = true
    retryAt = now.boot + pause
    pause = min(pause * 2, Self.longestPause)
  }

  /// Whether to ask now; if so, it is noted as asked.
  package mutating func shouldAsk(head: Head, at now: ClockReading) -> Bool {
    if isAsked { return false }
    if let retryAt, now.boot < retryAt { return false }
    let overdue = head.overdueCount(at: now)
    let runsLow =
      (head.isCut && head.count - overdue < Self.low)
      || (head.isOverdueCut && overdue < Scheduler.sliceSize)
    guard isWanted || (isUseful && runsLow) else { return false }
    isWanted = false
    isAsked = true
    retryAt = nil
    return true
  }
}
