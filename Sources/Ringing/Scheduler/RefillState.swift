import EggTime

/// Decides when to read the head again, one request at a time.
package struct RefillState: Sendable {
  /// A cut head with fewer future entries is read again: half of its capacity.
  static let low = Head.capacity / 2
  private static let longestPause: Int64 = 60_000_000

  /// For the first refill, and after each clock step.
  package var isWanted = true
  private var isAsked = false
  private var pause: Int64 = 1_000_000
  /// The next attempt after a failure: CLOCK_BOOTTIME, µs.
  package private(set) var retryAt: Int64?

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

  /// How much to read now, nil for nothing; counts as asked for.
  ///
  /// - Parameter unrecorded: Rings that the database may still have as waiting: they take no room from others.
  package mutating func question(head: Head, unrecorded: Int, at now: ClockReading) -> Refill.Size? {
    if isAsked { return nil }
    if let retryAt, now.boot < retryAt { return nil }
    let overdue = head.overdueCount(at: now)
    let isLow = head.endsSoon(at: now) || head.count - overdue < Self.low
    let isOverdueLow = head.isOverdueCut && overdue < Scheduler.sliceSize
    guard isWanted || isOverdueLow || head.isCut && isLow && head.room(at: now) > 0 else { return nil }
    isWanted = false
    isAsked = true
    retryAt = nil
    return (head.endsSoon(at: now) ? Refill.Size.wide : .usual).beside(unrecorded)
  }
}
