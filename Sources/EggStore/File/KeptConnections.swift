import GRDB
import Synchronization

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
