import Dispatch
import GRDB

/// Unanswered rings from before this start, for the bubbles. Confined to the store's queue.
final class EarlierRings: @unchecked Sendable {
  /// The bubbles do not know the occurrences after this one; nil if they know all.
  private(set) var after: Int64? = .min
  private let file: StoreFile
  private let context: StoreContext
  private var retry = RetryDelay()

  /// Occurrences per slice.
  private static let atOnce = 256

  init(_ file: StoreFile, _ context: StoreContext) {
    self.file = file
    self.context = context
  }

  /// Tells the scheduler all ringing occurrences in slices, each after the previous one was taken, so that
  /// alarms and calls go first. Failed reads are retried after 1, 2, 4 … 60 s.
  func readNext() {
    dispatchPrecondition(condition: .onQueue(context.queue))
    guard !file.isClosed, let after else { return }
    do {
      let slice = try file.read { database in
        let rows = AlarmRows(clocks: context.state.clocks)
        return try Reading(database: database, rows: rows, now: context.clock.read())
          .unfinished(.ringing, after: after, limit: Self.atOnce)
      }
      self.after = slice.after
      retry.succeeded()
      context.listeners.observer?.deliver(.ringing(slice.notices, isLast: slice.after == nil)) {
        self.context.queue.async { self.readNext() }
      }
    } catch {
      if file.salvageIfCorrupt(error) { return context.queue.async { self.readNext() } }
      // The known ones are shown meanwhile.
      context.listeners.deliver(.ringing([], isLast: true))
      guard let seconds = retry.arm() else { return }
      context.clock.call(after: seconds, on: context.queue) {
        self.retry.fired()
        self.readNext()
      }
    }
  }
}
