import Alarms
import Dispatch
import EggTime
import GRDB

/// What is read on the writer's connection, in step with the commits.
extension AlarmStore {
  /// Reads the head and tells the scheduler.
  @discardableResult
  func readHead() -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    refillIsDue = false
    do {
      guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      var head: Refill?
      try opened.pool.writeWithoutTransaction { database in
        try database.inTransaction(.deferred) {
          head = try Refill(
            database, clocks: clocks, zones: zones, now: clock.read(),
            most: hasReadHead ? .max : Refill.firstLimit)
          return .commit
        }
      }
      if let head {
        // The first one is short: the scheduler asks for more.
        hasReadHead = true
        observer?.deliver(.refilled(head))
      }
      return true
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { return true }
      observer?.deliver(.refillFailed)
      return false
    }
  }

  /// Reads what comes after the head and tells the scheduler. Of thousands that are due at once the next ones can so
  /// ring before the first are recorded.
  func readExtension(from horizons: [ClockID: EntryOrder], limit: Int) {
    dispatchPrecondition(condition: .onQueue(queue))
    do {
      guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      let found = try opened.pool.writeWithoutTransaction { database in
        var found: HeadExtension?
        try database.inTransaction(.deferred) {
          found = try HeadExtension(
            database, clocks: clocks, zones: zones, now: clock.read(), from: horizons, limit: limit)
          return .commit
        }
        return found
      }
      guard let found else { return }
      extensions.untaken += 1
      extensions.sinceCommit += 1
      observer?.deliver(.extended(found)) { self.queue.async { self.extensionWasTaken() } }
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { return }
      observer?.deliver(.refillFailed)
    }
  }

  private func extensionWasTaken() {
    extensions.untaken -= 1
    if !pending.isEmpty { commitSoon() }
  }

  func answerStillRinging(_ occurrences: [Int64]) {
    guard let opened else { return }
    do {
      let ended = try opened.pool.writeWithoutTransaction { database in
        let rings = try database.cachedStatement(
          sql: """
            SELECT 1 FROM occurrence
            WHERE id = ? AND outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL
            """)
        return try occurrences.filter { try Int64.fetchOne(rings, arguments: [$0]) == nil }
      }
      observer?.deliver(.ended(ended))
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { answerStillRinging(occurrences) }
    }
  }

  /// How many rows one transaction moves.
  private static let movedAtOnce = 1_000

  /// Moves rows of earlier boots to the wall clock; the next ones when what else there is to do is done.
  func moveNextRows() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, let opened, !opened.isReadOnly else { return }
    do {
      var moved: [AlarmMoments] = []
      try opened.pool.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          moved = try self.moveRows(database)
          return .commit
        }
      }
      movedAlarms += moved.count
      if moved.isEmpty {
        if movedAlarms > 0 { log(.movedBoots(alarms: movedAlarms)) }
        movedAlarms = 0
      } else {
        observer?.deliver(.changed(moved))
        queue.async { self.moveNextRows() }
      }
    } catch {
      queue.asyncAfter(deadline: .now() + .seconds(60)) { self.moveNextRows() }
    }
  }

  private func moveRows(_ database: Database) throws -> [AlarmMoments] {
    let inUse = try WaitingRows.clocksInUse(database)
    guard let clock = inUse.first(where: { clocks.earlier[$0] != nil }) else {
      try database.execute(
        sql: """
          DELETE FROM boot WHERE id NOT IN (SELECT value FROM json_each(?)) AND id <> ? AND id NOT IN (
            SELECT doneClock FROM alarm WHERE doneDue IS NOT NULL
            UNION SELECT iif(due IS NULL, doneClock, clock) FROM alarm_image
              WHERE due IS NOT NULL OR doneDue IS NOT NULL
            UNION SELECT clock FROM occurrence_image WHERE due IS NOT NULL)
          """,
        arguments: ["[" + inUse.map { "\($0.rawValue)" }.joined(separator: ",") + "]", currentBoot.rawValue])
      return []
    }
    var numbers: Set<Int64> = []
    for (table, number) in [("alarm", "number"), ("occurrence", "alarm")] {
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT rowid, \(number), due FROM \(table) WHERE clock = ? AND due IS NOT NULL ORDER BY due LIMIT ?
          """,
        arguments: [clock.rawValue, Self.movedAtOnce - numbers.count])
      let move = try database.cachedStatement(
        sql: "UPDATE \(table) SET clock = 0, due = ? WHERE rowid = ?")
      for row in rows {
        let due = clocks.present(DuePoint(clock: clock, microseconds: int(row, 2) ?? 0))
        try move.execute(arguments: [due.microseconds, int(row, 0)])
        if let number = int(row, 1) { numbers.insert(number) }
      }
    }
    return try numbers.sorted().map { try AlarmMoments($0, in: database, clocks: clocks, zones: zones) }
  }
}
