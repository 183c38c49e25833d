import EggStore
import EggTime
import Ringing

extension AlarmStore {
  /// Completes what an earlier eggd left: entries missing from the journal. To be called before the first ring, which
  /// could not be told from an unfinished one.
  ///
  /// - Parameters:
  ///   - ring: Writes an entry, see ``Journal/ring(_:completion:)``.
  ///   - completion: Called on a thread of the store's readers.
  package func resume(
    ring: @escaping @Sendable (Notice, _ written: @escaping @Sendable (Instant) -> Void) -> Void,
    completion: @escaping @Sendable () -> Void
  ) {
    // A ring that was recorded and not journaled: eggd ended in between.
    ask({ try $0.unjournaled() }) { [self] result in
      // Failed reads are left to the next start.
      for notice in (try? result.get()) ?? [] {
        ring(notice) { [self] moment in mark([.journaled(notice.ring, at: moment)]) }
      }
      completion()
    }
  }
}
