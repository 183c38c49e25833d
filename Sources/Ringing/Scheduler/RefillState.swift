import EggTime

/// When the head is to be read anew, and when one of its windows to be continued. Asked for once at a time. A window is
/// continued whether or not what rang can be recorded: each answer brings rows that none before it did.
package struct RefillState: Sendable {
  /// Below so many entries to come a cut head is continued: half of what it holds.
  static let low = Head.capacity / 2
  private static let longestPause: Int64 = 60_000_000

  /// The first refill, and one after each clock step.
  package var isWanted = true
  private var isAsked = false
  private var pause: Int64 = 1_000_000
  /// When to try again after a failure: CLOCK_BOOTTIME, µs.
  package private(set) var retryAt: Int64?

  /// Nothing asked for yet, the first one wanted.
  package init() {}

  /// The head was read anew, or continued.
  package mutating func came() {
    isAsked = false
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

  /// What to ask for.
  package enum Question: Hashable, Sendable {
    /// The head anew.
    case refill
    /// A window of it.
    case gap(HeadGap)
  }

  /// What to ask for now; if anything, it is noted as asked.
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
