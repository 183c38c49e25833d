import EggTime

/// When the head is to be read anew, and when to be continued. Asked for once at a time; anew only when the database can
/// have more than the last answer had: else a disk that takes no records would be read in a circle.
package struct RefillState: Sendable {
  /// Below so many entries to come a cut head is continued: half of what it holds.
  static let low = Head.capacity / 2
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

  /// The head was read anew.
  package mutating func came() {
    continued()
    isUseful = false
  }

  /// An extension came.
  package mutating func continued() {
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
    /// What lies beyond its horizons.
    case continuation
  }

  /// What to ask for now; if anything, it is noted as asked.
  package mutating func question(head: Head, at now: ClockReading) -> Question? {
    if isAsked { return nil }
    if let retryAt, now.boot < retryAt { return nil }
    let overdue = head.overdueCount(at: now)
    var question: Question?
    if isWanted || (isUseful && head.isOverdueCut && overdue < Scheduler.sliceSize) {
      question = .refill
      isWanted = false
    } else if head.isCut, Self.wantsMore(head, overdue: overdue, at: now) {
      // Each brings rows that no one before it did.
      question = .continuation
    }
    guard question != nil else { return nil }
    isAsked = true
    retryAt = nil
    return question
  }

  private static func wantsMore(_ head: Head, overdue: Int, at now: ClockReading) -> Bool {
    head.room(at: now) > 0 && (head.endsSoon(at: now) || head.count - overdue < low)
  }
}
