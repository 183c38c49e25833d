import Dispatch
import EggTime
import GRDB
import Ringing

/// How far the bubbles know what rang before this start.
struct UnreadRings {
  /// Occurrences after this one are yet to be told; nil when all were.
  var after: Int64? = .min
  var retry = RetryDelay()
}

/// What still rings from before this start, for the bubbles.
extension AlarmStore {
  /// So many occurrences at a time.
  private static let ringingSlice = 256

  /// Tells the scheduler all that rings, in slices, each when the one before was taken: alarms and calls go first. Any
  /// thread; once, after READY. What can't be read is tried again after 1, 2, 4 … 60 s.
  package func readRinging() { queue.async { self.readRingingSlice() } }

  private func readRingingSlice() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, let after = unreadRings.after else { return }
    do {
      guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      // On the writer's connection: what a commit ends later reaches the scheduler later.
      let slice = try opened.pool.writeWithoutTransaction { database in
        try Reading(database: database, rows: AlarmRows(clocks: clocks), now: clock.read())
          .unfinished(.ringing, after: after, limit: Self.ringingSlice)
      }
      unreadRings.after = slice.after
      unreadRings.retry.succeeded()
      observer?.deliver(.ringing(slice.notices, isLast: slice.after == nil)) { self.readRinging() }
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { return readRinging() }
      // What is known is shown meanwhile.
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
  /// Before something is done to alarms: what rings of them may end without the bubbles having heard of it, and its
  /// bubble of before this start would stay.
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
