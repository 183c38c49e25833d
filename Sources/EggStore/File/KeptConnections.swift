import GRDB
import Synchronization

/// Every connection that was made, closed ones too: none is freed while the store lives.
///
/// Freeing a queue that has values of its own, as GRDB's have, makes Dispatch start a worker of its shared pool, and
/// with the first such worker it starts a timer that wakes the process each second for ever. A connection that is
/// closed holds some kilobytes; a new one is made only when the file was away or damaged. A pool that is closed frees
/// its readers' queues nevertheless: after such an event eggd wakes each second until it ends.
final class KeptConnections: Sendable {
  private let connections = Mutex<[any DatabaseWriter]>([])

  /// The same connection, which has to be closed by a call: it never is by being freed.
  func keep<Connection: DatabaseWriter>(_ connection: Connection) -> Connection {
    connections.withLock { $0.append(connection) }
    return connection
  }
}
