import Dispatch
import Synchronization

/// Work that other threads have for a queue, done in the order in which it came. What comes before the queue gets to it
/// takes one hop together: a commit answers hundreds of calls.
final class QueueInbox: Sendable {
  private let queue: DispatchQueue
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  /// On a serial queue.
  init(queue: DispatchQueue) { self.queue = queue }

  /// Any thread.
  func add(_ work: @escaping @Sendable () -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(work)
      return waiting.count == 1
    }
    if isFirst { queue.async { self.workOff() } }
  }

  private func workOff() {
    let work = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for work in work { work() }
  }
}
