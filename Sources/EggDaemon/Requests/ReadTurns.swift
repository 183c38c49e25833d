import Dispatch
import EggStore
import Varlink

/// Allows as many reads of the store at a time as it has readers; the others wait in order.
///
/// Confined to the wire's queue, hence safe to capture in closures that return to it.
final class ReadTurns: @unchecked Sendable {
  private typealias Read = (call: ServerCall, start: (@escaping @Sendable () -> Void) -> Void)

  private let queue: DispatchQueue
  private var waiting: [Read] = []
  private var running = 0

  /// The number of the store's readers.
  private static let atOnce = 2

  init(queue: DispatchQueue) { self.queue = queue }

  /// Starts a read at its turn, or never if the connection has ended by then.
  ///
  /// - Parameter start: Starts the read; calls its argument once, on the wire's queue, when done.
  func take(for call: ServerCall, start: @escaping (@escaping @Sendable () -> Void) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    waiting.append((call, start))
    begin()
  }

  /// Answers a call with what it reads at its turn.
  ///
  /// - Parameter alarm: The alarm that is asked for, which an error names.
  func answer<Found: Sendable>(
    _ call: ServerCall, about alarm: AlarmReference? = nil,
    read: @escaping (@escaping @Sendable (Result<Found, ReadError>) -> Void) -> Void,
    reply: @escaping @Sendable (Found) -> Void
  ) {
    take(for: call) { [queue] done in
      read { result in
        queue.async {
          switch result {
          case .success(let found): reply(found)
          case .failure(let error): call.fail(error.failure(for: alarm))
          }
          done()
        }
      }
    }
  }

  private func begin() {
    while running < Self.atOnce, !waiting.isEmpty {
      let read = waiting.removeFirst()
      guard !read.call.isClosed else { continue }
      running += 1
      read.start { [self] in
        dispatchPrecondition(condition: .onQueue(queue))
        running -= 1
        begin()
      }
    }
  }
}
