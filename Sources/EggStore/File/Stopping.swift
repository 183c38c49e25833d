import Dispatch
import GRDB
import Glibc

/// An orderly stop: what rang is recorded, and nothing that takes long keeps it from that.
extension AlarmStore {
  /// From now on no change is made: one that is under way is undone, and all are answered `unavailable`. What rang is
  /// still recorded. Any thread.
  package func stopChanges() {
    shared.withLock { ($0.isStopping, $0.isInterrupting) = (true, true) }
    // Comes when what runs now is over.
    queue.async { self.endInterruption() }
    DispatchQueue(label: "interruption").async {
      // Again and again: SQLite forgets an interruption that falls between two statements (sqlite3_interrupt).
      while self.interrupts() { usleep(2_000) }
    }
  }

  private func interrupts() -> Bool {
    shared.withLock { shared in
      if shared.isInterrupting { shared.pool?.interrupt() }
      return shared.isInterrupting
    }
  }

  /// No statement that begins from now on is interrupted.
  func endInterruption() { shared.withLock { $0.isInterrupting = false } }

  /// Takes the changes out of what is to be written, where none is made any more, and answers them.
  func refuseChanges(of batch: inout Batch) {
    guard shared.withLock({ $0.isStopping }) else { return }
    let refused = batch.changes
    batch.changes = []
    for change in refused { change.completion(.failure(.unavailable(reason: "eggd is ending"))) }
  }
}
