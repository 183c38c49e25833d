import Dispatch
import EggStore
import Varlink

/// Allows each connection one store read at a time, and as many in all as the store has readers.
///
/// Replies go out in call order, so a connection gains nothing from more. However many calls a client
/// pipelines, another client's read waits for at most one read per connection. Confined to the wire's queue,
/// hence safe to capture in closures that return to it.
final class ReadTurns: @unchecked Sendable {
  private typealias Read = (call: ServerCall, start: (@escaping @Sendable () -> Void) -> Void)

  private let queue: DispatchQueue
  private var waiting: [ConnectionID: [Read]] = [:]
  /// Waiting connections, in the order of their turns.
  private var order: [ConnectionID] = []
  private var running: Set<ConnectionID> = []

  /// The number of the store's readers.
  private static let atOnce = 2

  init(queue: DispatchQueue) { self.queue = queue }

  /// Starts a read at the connection's turn, or never if the connection has ended by then.
  ///
  /// - Parameter start: Starts the read; calls its argument once, on the wire's queue, when done.
  func take(for call: ServerCall, start: @escaping (@escaping @Sendable () -> Void) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    let isFirst = waiting[call.connection] == nil
    waiting[call.connection, default: []].append((call, start))
    if isFirst, !running.contains(call.connection) { order.append(call.connection) }
    begin()
  }

  /// Answers a call with what it reads at its turn.
  func answer<Found: Sendable>(
    _ call: ServerCall, read: @escaping (@escaping AlarmStore.Answer<Found>) -> Void,
    reply: @escaping @Sendable (Found) -> Void
  ) {
    take(for: call) { [queue] done in
      read { result in
        queue.async {
          switch result {
          case .success(let found): reply(found)
          case .failure(let error): call.fail(error.failure)
          }
          done()
        }
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
      read.start { [self] in
        dispatchPrecondition(condition: .onQueue(queue))
        running.remove(connection)
        if waiting[connection] != nil { order.append(connection) }
        begin()
      }
    }
  }
}
