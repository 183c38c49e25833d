import Glibc
import Synchronization

/// How long statements wait for another program's lock: 5 s, unless it is shortened. Not so long before the head has
/// been read: until then nothing can ring. Any thread.
final class LockPatience: Sendable {
  private let limit = Mutex(first)
  private let usual = Mutex(first)

  private static let first: Duration = .milliseconds(250)
  private static let longest: Duration = .seconds(5)

  /// From now on it waits as long as it should: what is due can ring.
  func settle() {
    usual.withLock { $0 = Self.longest }
    limit.withLock { $0 = Self.longest }
  }

  /// Does something that waits no longer than that, then fails with SQLITE_BUSY. Nor does what is done on other
  /// connections meanwhile.
  func shortened<Value>(to limit: Duration, _ body: () throws -> Value) rethrows -> Value {
    self.limit.withLock { $0 = limit }
    defer { self.limit.withLock { limit in limit = usual.withLock { $0 } } }
    return try body()
  }

  /// A time-out like SQLite's own, but looking every 5 ms: its steps of 100 ms would be the delay with which another
  /// program's commit is noticed. For the connections of one pool.
  func waiter() -> @Sendable (_ tries: Int) -> Bool {
    let begin = Mutex(ContinuousClock.now)
    return { [self] tries in
      if tries == 0 { begin.withLock { $0 = .now } }
      guard begin.withLock({ .now - $0 }) < limit.withLock({ $0 }) else { return false }
      usleep(5_000)
      return true
    }
  }
}
