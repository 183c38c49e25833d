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

extension StoreTransaction {
  /// Notes the bubbles of rings that the change may end before the bubbles know them. Such a bubble, from
  /// before this start, would otherwise stay.
  func noteBubbles(of numbers: [Int64], after: Int64) throws {
    let statement = try database.cachedStatement(
      sql: """
        SELECT bubble, bubbleServer FROM occurrence
        WHERE alarm = ? AND id > ? AND outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL
          AND bubble IS NOT NULL AND bubbleServer IS NOT NULL
        """)
    for number in numbers {
      for row in try Row.fetchAll(statement, arguments: [number, after]) {
        guard let id = int(row, 0).flatMap({ UInt32(exactly: $0) }), let server = text(row, 1) else {
          continue
        }
        leftBubbles.insert(Notice.ShownBubble(id: id, server: server))
      }
    }
  }
}
