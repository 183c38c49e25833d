import Dispatch
import GRDB

/// Unanswered rings from before this start, for the bubbles. Confined to the store's queue.
final class EarlierRings: @unchecked Sendable {
  private let file: StoreFile
  private let context: StoreContext
  /// Not told to the bubbles yet.
  private var areOwed = false
  private var retry = RetryDelay()

  /// Older ones are in no bubble.
  private static let most = 1_024

  init(_ file: StoreFile, _ context: StoreContext) {
    self.file = file
    self.context = context
  }

  /// Tells the scheduler the last ones. Failed reads are repeated with the next commit, and after 1, 2, 4 … 60 s.
  func read() {
    areOwed = true
    readOwed()
  }

  /// To be called before a change may end one: its bubble is closed only if it is known.
  func readOwed() {
    dispatchPrecondition(condition: .onQueue(context.queue))
    guard areOwed, !file.isClosed else { return }
    do {
      let rings = try file.read { database in
        let rows = AlarmRows(clocks: context.state.clocks)
        return try Reading(database: database, rows: rows, now: context.clock.read()).ringing(last: Self.most)
      }
      areOwed = false
      retry.succeeded()
      context.listeners.deliver(.ringing(rings))
    } catch {
      if file.salvageIfCorrupt(error) { return context.queue.async { self.readOwed() } }
      // The known ones are shown meanwhile.
      context.listeners.deliver(.ringing([]))
      guard let seconds = retry.arm() else { return }
      context.clock.call(after: seconds, on: context.queue) {
        self.retry.fired()
        self.readOwed()
      }
    }
  }
}
