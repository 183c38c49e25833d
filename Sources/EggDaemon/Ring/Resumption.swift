import Dispatch
import EggStore
import EggTime
import Ringing

/// Completes what an earlier eggd left: entries missing from the journal. Runs before the first ring, which
/// it could not tell from an unfinished one.
package struct Resumption: Sendable {
  private let store: AlarmStore
  private let ring: @Sendable (Notice, _ written: @escaping @Sendable (Instant) -> Void) -> Void

  /// - Parameter ring: Writes an entry, see ``Journal/ring(_:completion:)``.
  package init(
    store: AlarmStore,
    ring: @escaping @Sendable (Notice, _ written: @escaping @Sendable (Instant) -> Void) -> Void
  ) {
    self.store = store
    self.ring = ring
  }

  /// `completion` is called on a thread of the store's readers.
  package func start(completion: @escaping @Sendable () -> Void) {
    // A ring that was recorded and not journaled: eggd ended in between.
    store.unfinished(.unjournaled) { [store, ring] result in
      // Failed reads are left to the next start.
      for notice in (try? result.get()) ?? [] {
        ring(notice) { moment in store.mark([.journaled(notice.ring, at: moment)]) }
      }
      completion()
    }
  }
}
