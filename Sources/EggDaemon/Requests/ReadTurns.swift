import Dispatch
import EggStore
import Varlink

/// Allows each connection one store read at a time, and as many in all as the store has readers.
///
/// Replies go out in call order, so a connection gains nothing from more. However many calls a client
/// pipelines, another client's read waits for at most one read per connection. Confined to the wire's queue,
/// hence safe to capture in closures that return to it.
final class ReadTurns: @unchecked Sendable {
  private typealias Read = (call: ServerCall, start: () -> Void)

  private let queue: DispatchQueue
  private let store: AlarmStore
  private var waiting: [ConnectionID: [Read]] = [:]
  /// Waiting connections, in the order of their turns.
  private var order: [ConnectionID] = []
  private var running: Set<ConnectionID> = []

  /// The number of the store's readers.
  private static let atOnce = 2

  init(queue: DispatchQueue, store: AlarmStore) {
    self.queue = queue
    self.store = store
  }

  /// Reads at the connection's turn, or never if the connection has ended by then. `begun`, when the turn has come, and
  /// `completion` are called on the wire's queue.
  func read<Found: Sendable>(
    for call: ServerCall, begun: @escaping () -> Void = {},
    _ question: @escaping @Sendable (Reading) throws -> Found, completion: @escaping AlarmStore.Answer<Found>
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    let connection = call.connection
    let isFirst = waiting[connection] == nil
    let start = { [self] in
      begun()
      store.ask(question) { [self] result in
        queue.async { [self] in
          completion(result)
          running.remove(connection)
          if waiting[connection] != nil { order.append(connection) }
          begin()
        }
      }
    }
    waiting[connection, default: []].append((call, start))
    if isFirst, !running.contains(connection) { order.append(connection) }
    begin()
  }

  /// Answers a call with what it reads at its turn.
  func answer<Found: Sendable>(
    _ call: ServerCall, _ question: @escaping @Sendable (Reading) throws -> Found,
    reply: @escaping @Sendable (Found) -> Void
  ) {
    read(for: call, question) { result in
      switch result {
      case .success(let found): reply(found)
      case .failure(let error): call.fail(error.failure)
      }
    }
  }

  private func begin() {
    while running.count < Self.atOnce, !order.isEmpty {
      let connection = order.removeFirst()
      var reads = waiting[connection] ?? []
      reads.removeAll { $0.call.isClosed }
      guard !reads.isEmpty else {
        waiting[connection] = nil
        continue
      }
      let read = reads.removeFirst()
      waiting[connection] = reads.isEmpty ? nil : reads
      running.insert(connection)
      read.start()
    }
  }
}
