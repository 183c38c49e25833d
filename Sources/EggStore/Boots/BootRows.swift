import Alarms
import Dispatch
import EggTime
import GRDB
import Ringing

/// Rows of boots, and of countdowns on the clocks of earlier boots.
extension AlarmStore {
  /// Writes the row of this boot.
  ///
  /// - Returns: By how much the wall clock was set since the last row.
  @discardableResult
  func noteBoot(_ database: Database, offset: Int64) throws -> TimeSpan {
    let known = try database.first("SELECT offset FROM boot WHERE id = ?", [currentBoot.rawValue]) {
      int($0, 0)
    }
    try database.run(
      """
      INSERT INTO boot (id, bootID, offset) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET offset = excluded.offset
      """, [currentBoot.rawValue, bootID, offset])
    return Instant(microseconds: offset) - Instant(microseconds: (known ?? nil) ?? offset)
  }

  /// Writes the row of this boot, unless the clock was set since the last row: what waits has to follow that in the same
  /// transaction.
  ///
  /// - Returns: Whether what waits has to follow.
  func noteStart(_ database: Database, _ now: ClockReading) throws -> Bool {
    let known = try database.first("SELECT offset FROM boot WHERE id = ?", [currentBoot.rawValue]) {
      int($0, 0)
    }
    if let known, let known, abs(now.bootOffset - known) >= Interruptions.leastStep { return true }
    try noteBoot(database, offset: now.bootOffset)
    return try WrongClock.stood(after: WrongClock(now: now).latest, database)
  }

  /// Reads the offsets of earlier boots.
  func learnBoots(_ database: Database) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, offset FROM boot WHERE id <> ?", arguments: [currentBoot.rawValue])
    for row in rows {
      guard let id = int(row, 0), let offset = int(row, 1) else { continue }
      clocks.learn([ClockID(rawValue: id): offset])
    }
    let clocks = clocks
    shared.withLock { $0.clocks = clocks }
  }

  /// Rows per transaction.
  private static let movedAtOnce = 1_000

  /// Moves rows of earlier boots to the wall clock. The next batch follows all other queued work.
  func moveNextRows() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, opened?.isReadOnly == false else { return }
    do {
      var moved: [AlarmMoments] = []
      try inTransaction { moved = try self.moveRows($0) }
      movedAlarms += moved.count
      if moved.isEmpty {
        if movedAlarms > 0 { log(.movedBoots(alarms: movedAlarms)) }
        movedAlarms = 0
        // An earlier eggd may have ended before it was done.
        returnSpaceSoon()
      } else {
        observer?.deliver(.changed(moved))
        queue.async { self.moveNextRows() }
      }
    } catch {
      queue.asyncAfter(deadline: .now() + .seconds(60)) { self.moveNextRows() }
    }
  }

  private func moveRows(_ database: Database) throws -> [AlarmMoments] {
    let inUse = try DueRows.clocksInUse(database)
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
          SELECT rowid, \(number), due FROM main.\(table) WHERE clock = ? AND due IS NOT NULL ORDER BY due LIMIT ?
          """,
        arguments: [clock.rawValue, Self.movedAtOnce - numbers.count])
      let move = try database.cachedStatement(
        sql: "UPDATE main.\(table) SET clock = 0, due = ? WHERE rowid = ?")
      for row in rows {
        let due = clocks.present(DuePoint(clock: clock, microseconds: int(row, 2) ?? 0))
        try move.execute(arguments: [due.microseconds, int(row, 0)])
        if let number = int(row, 1) { numbers.insert(number) }
      }
    }
    let tables = Tables(database, clocks: clocks, zones: zones)
    return try numbers.sorted().map { try AlarmMoments($0, in: tables) }
  }
}
