import Dispatch
import EggStore
import EggTime
import Ringing

/// Completes what an earlier eggd left: entries missing from the journal. Runs before the first ring, which
/// it could not tell from an unfinished one.
package struct Resumption: Sendable {
  private static let page = 256

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
  package func start(completion: @escaping @Sendable () -> Void) { rewrite(after: nil, completion) }

  /// A ring that was recorded and not journaled: eggd ended in between.
  private func rewrite(after: Int64?, _ completion: @escaping @Sendable () -> Void) {
    store.unfinished(.unjournaled, after: after, limit: Self.page) { result in
      // Failed reads are left to the next start.
      guard case .success(let page) = result else { return completion() }
      for notice in page.notices {
        ring(notice) { [store] moment in store.mark([.journaled(notice.ring, at: moment)]) }
      }
      guard let next = page.after else { return completion() }
      rewrite(after: next, completion)
    }
  }
}
