import Dispatch
import EggTime
import GRDB
import Ringing

/// Which earlier rings the bubbles know.
struct UnreadRings {
  /// The bubbles do not know the occurrences after this one; nil if they know all.
  var after: Int64? = .min
  var retry = RetryDelay()
}

/// Unanswered rings from before this start, for the bubbles.
extension AlarmStore {
  /// Occurrences per slice.
  private static let ringingSlice = 256

  /// Tells the scheduler all ringing occurrences in slices, each after the previous one was taken, so that
  /// alarms and calls go first. Any thread; once, after READY. Failed reads are retried after 1, 2, 4 … 60 s.
  package func readRinging() { queue.async { self.readRingingSlice() } }

  private func readRingingSlice() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, let after = unreadRings.after else { return }
    do {
      guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      // On the writer's connection: later commits reach the scheduler later.
      let slice = try opened.pool.writeWithoutTransaction { database in
        try Reading(database: database, rows: AlarmRows(clocks: clocks), now: clock.read())
          .unfinished(.ringing, after: after, limit: Self.ringingSlice)
      }
      unreadRings.after = slice.after
      unreadRings.retry.succeeded()
      observer?.deliver(.ringing(slice.notices, isLast: slice.after == nil)) { self.readRinging() }
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { return readRinging() }
      // The known ones are shown meanwhile.
      observer?.deliver(.ringing([], isLast: true))
      guard let seconds = unreadRings.retry.arm() else { return }
      clock.call(after: seconds, on: queue) {
        self.unreadRings.retry.fired()
        self.readRingingSlice()
      }
    }
  }
}
