import Dispatch
import Varlink

/// Lets each connection have one read of the store under way, and all together as many as the store has readers.
///
/// A connection's replies go out in the order of its calls, so more at once would gain it nothing; and however
/// many calls a client pipelines, the read of another waits for one of each connection at most. Confined to
/// the wire's queue, which is why it may be handed to the closures that come back to it.
final class ReadTurns: @unchecked Sendable {
  private typealias Read = (call: ServerCall, start: (@escaping @Sendable () -> Void) -> Void)

  private let queue: DispatchQueue
  private var waiting: [ConnectionID: [Read]] = [:]
  /// Connections that wait for a turn, in the order in which they have theirs.
  private var order: [ConnectionID] = []
  private var running: Set<ConnectionID> = []

  /// The store's readers.
  private static let atOnce = 2

  init(queue: DispatchQueue) { self.queue = queue }

  /// Begins a read when its connection has its turn, or never, when the connection has ended by then.
  ///
  /// - Parameter start: Begins to read; calls what it is given once, on the wire's queue, when it has read.
  func take(for call: ServerCall, start: @escaping (@escaping @Sendable () -> Void) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    let isFirst = waiting[call.connection] == nil
    waiting[call.connection, default: []].append((call, start))
    if isFirst, !running.contains(call.connection) { order.append(call.connection) }
    begin()
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
