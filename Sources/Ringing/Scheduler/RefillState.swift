import EggTime

/// Decides when to read the head again or extend one of its windows, one request at a time. Extends windows
/// even while rings cannot be recorded: each answer brings new rows.
package struct RefillState: Sendable {
  /// A cut head with fewer future entries is extended: half of its capacity.
  static let low = Head.capacity / 2
  private static let longestPause: Int64 = 60_000_000

  /// For the first refill, and after each clock step.
  package var isWanted = true
  private var isAsked = false
  private var pause: Int64 = 1_000_000
  /// The next attempt after a failure: CLOCK_BOOTTIME, µs.
  package private(set) var retryAt: Int64?

  package init() {}

  package mutating func came() {
    isAsked = false
    retryAt = nil
    pause = 1_000_000
  }

  /// Reading failed; retried after 1, 2, 4 … 60 s.
  package mutating func failed(at now: ClockReading) {
    isAsked = false
    isWanted = true
    retryAt = now.boot + pause
    pause = min(pause * 2, Self.longestPause)
  }

  /// A request to the store.
  package enum Question: Hashable, Sendable {
    /// Read the head again.
    case refill
    case gap(HeadGap)
  }

  /// The request to make now; counts as made.
  package mutating func question(head: Head, at now: ClockReading) -> Question? {
    if isAsked { return nil }
    if let retryAt, now.boot < retryAt { return nil }
    let overdue = head.overdueCount(at: now)
    var question: Question?
    if isWanted {
      question = .refill
      isWanted = false
    } else if head.isCut, head.room(at: now) > 0, head.endsSoon(at: now) {
      question = .gap(head.gapToCome(at: now))
    } else if head.isOverdueCut, overdue < Scheduler.sliceSize {
      question = .gap(head.overdueGap)
    } else if head.isCut, head.room(at: now) > 0, head.count - overdue < Self.low {
      question = .gap(head.gapToCome(at: now))
    }
    guard question != nil else { return nil }
    isAsked = true
    retryAt = nil
    return question
  }
}
