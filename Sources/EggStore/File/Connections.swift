import GRDB
import Glibc
import Synchronization

/// How long statements wait for another program's lock: 5 s unless shortened. Shorter until the head has been
/// read, because nothing can ring before. Any thread.
final class LockPatience: Sendable {
  private let limit = Mutex(first)
  private let usual = Mutex(first)

  private static let first: Duration = .milliseconds(250)
  private static let longest: Duration = .seconds(5)

  /// Sets the full wait: the head is read, so alarms can ring.
  func settle() {
    usual.withLock { $0 = Self.longest }
    limit.withLock { $0 = Self.longest }
  }

  /// Runs `body` with a limit on waits, on all connections; beyond it, statements fail with SQLITE_BUSY.
  func shortened<Value>(to limit: Duration, _ body: () throws -> Value) rethrows -> Value {
    self.limit.withLock { $0 = limit }
    defer { self.limit.withLock { limit in limit = usual.withLock { $0 } } }
    return try body()
  }

  /// A busy handler for the connections of one pool, which polls every 5 ms. SQLite's own steps of 100 ms
  /// would delay the notice of another program's commit.
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

/// Keeps every connection, closed ones too, so that none is freed while the store lives.
///
/// Freeing a queue with values of its own, such as GRDB's, makes Dispatch start a worker of its shared pool,
/// and with the first one a timer that wakes the process every second for ever. A closed connection holds
/// some kilobytes; a new one is made only after the file was away or damaged. Closing a pool frees its
/// readers' queues nevertheless: after that, eggd wakes every second until it ends.
final class KeptConnections: Sendable {
  private let connections = Mutex<[any DatabaseWriter]>([])

  /// Returns the same connection. Close it by a call; it is never freed.
  func keep<Connection: DatabaseWriter>(_ connection: Connection) -> Connection {
    connections.withLock { $0.append(connection) }
    return connection
  }
}
