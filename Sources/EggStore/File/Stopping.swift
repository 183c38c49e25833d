import EggTime
import Dispatch
import GRDB
import Glibc

/// An orderly stop: rings are recorded first, undelayed by long work.
extension AlarmStore {
  /// Refuses changes from now on: the one in progress is rolled back, and all are answered `unavailable`.
  /// Rings are still recorded. Any thread.
  package func stopChanges() {
    shared.withLock { ($0.isStopping, $0.isInterrupting) = (true, true) }
    // Runs after the work in progress.
    queue.async { self.endInterruption() }
    DispatchQueue(label: "interruption").async {
      // Repeated: SQLite forgets an interruption between two statements (sqlite3_interrupt).
      while self.interrupts() { usleep(2_000) }
    }
  }

  private func interrupts() -> Bool {
    shared.withLock { shared in
      if shared.isInterrupting { shared.pool?.interrupt() }
      return shared.isInterrupting
    }
  }

  /// No later statement is interrupted.
  func endInterruption() { shared.withLock { $0.isInterrupting = false } }

  /// While stopping, removes and answers the changes of a batch.
  func refuseChanges(of batch: inout Batch) {
    guard shared.withLock({ $0.isStopping }) else { return }
    let refused = batch.changes
    batch.changes = []
    for change in refused {
      change.completion(.failure(.unavailable(reason: translatable("eggd is stopping"))))
    }
  }
}
