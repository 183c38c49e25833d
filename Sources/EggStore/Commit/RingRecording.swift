import Alarms
import EggTime
import GRDB
import Ringing

extension StoreTransaction {
  /// Occurrences kept per alarm.
  static let keptOccurrences = 100

  /// Records rings. Skips a ring whose row is gone or waits for another moment: it is recorded already, or a
  /// later change overtook it.
  func record(_ rings: [RingRecord]) throws {
    // Rings of one recurring alarm follow each other: recording one opens the row for the next.
    let open = Set(try rings.filter(isOpen).map(\.key.number))
    guard !open.isEmpty else { return }
    try step(open.sorted()) {
      for ring in rings where try open.contains(ring.key.number) && isOpen(ring) {
        if ring.key.occurrence == 0 { try recordElapse(ring) } else { try recordSnoozeEnd(ring) }
        try settle([ring.key.number], at: ring.firedAt)
      }
      return []
    }
  }

  /// Whether the row still waits for the moment that rang, on whichever clock, because countdowns of earlier
  /// boots move to the wall clock. A timing set after the ring was recorded may wait for the same moment.
  private func isOpen(_ ring: RingRecord) throws -> Bool {
    let row: Row?
    if ring.key.occurrence == 0 {
      let alarm = try database.cachedStatement(
        sql: """
          SELECT clock, due FROM alarm WHERE number = ?1 AND due IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM occurrence WHERE id = ?2 AND alarm = ?1)
          """)
      row = try Row.fetchOne(alarm, arguments: [ring.key.number, ring.occurrence])
    } else {
      let snooze = try database.cachedStatement(
        sql: "SELECT clock, due FROM occurrence WHERE id = ? AND alarm = ? AND due IS NOT NULL")
      row = try Row.fetchOne(snooze, arguments: [ring.key.occurrence, ring.key.number])
    }
    guard let row, let clock = int(row, 0), let due = int(row, 1) else { return false }
    let waiting = DuePoint(clock: ClockID(rawValue: clock), microseconds: due)
    return clocks.present(waiting) == clocks.present(ring.due)
  }

  private func recordElapse(_ ring: RingRecord) throws {
    try database.cachedStatement(
      sql: """
        UPDATE alarm SET clock = 0, due = ?, count = max(count - ?, 0),
          doneAt = iif(? AND kind = 'every', NULL, doneAt) WHERE number = ?
        """
    ).execute(arguments: [ring.next?.microseconds, ring.elapsed, ring.rang, ring.key.number])
    // The scheduler's keys count up. A taken key means that the clock was set back between two runs; then the
    // next free key is used.
    try database.cachedStatement(
      sql: """
        INSERT INTO occurrence (id, alarm, dueAt, outcome, missedCount, firedAt, lateness, lateReason)
        VALUES (iif(EXISTS (SELECT 1 FROM occurrence WHERE id = ?1),
            (SELECT id + 1 FROM occurrence o WHERE id >= ?1
              AND NOT EXISTS (SELECT 1 FROM occurrence WHERE id = o.id + 1) ORDER BY id LIMIT 1),
            ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """
    ).execute(arguments: [
      ring.occurrence, ring.key.number, ring.dueAt.microseconds, ring.rang ? "rung" : "missed",
      ring.elapsed > 1 ? ring.elapsed : nil, ring.rang ? ring.firedAt.microseconds : nil,
      ring.lateness.microseconds, ring.reason?.rawValue,
    ])
    // A new ring of a recurring alarm replaces an unanswered one.
    if ring.rang { try supersede(ring) }
    try forgetOldest(ring.key.number)
  }

  private func supersede(_ ring: RingRecord) throws {
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?
        WHERE alarm = ? AND id < ? AND outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL
        """
    ).execute(arguments: [ring.firedAt.microseconds, ring.key.number, ring.occurrence])
  }

  /// Keeps an alarm's last ``keptOccurrences``, and all that ring or are snoozed.
  func forgetOldest(_ number: Int64) throws {
    try database.cachedStatement(
      sql: """
        DELETE FROM occurrence WHERE alarm = ?1 AND NOT (outcome = 'rung' AND dismissedAt IS NULL) AND id <= (
          SELECT id FROM occurrence WHERE alarm = ?1 ORDER BY id DESC LIMIT 1 OFFSET \(Self.keptOccurrences))
        """
    ).execute(arguments: [number])
  }

  private func recordSnoozeEnd(_ ring: RingRecord) throws {
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET clock = 0, due = NULL, snoozedUntil = NULL, firedAt = ?, lateness = ?,
          lateReason = ?, journaledAt = NULL, shownAt = NULL, bubble = NULL, bubbleServer = NULL,
          hooks = NULL
        WHERE id = ?
        """
    ).execute(arguments: [
      ring.firedAt.microseconds, ring.lateness.microseconds, ring.reason?.rawValue, ring.key.occurrence,
    ])
  }

  /// Alarms that wait for nothing and have no snooze are over.
  func settle(_ numbers: [Int64], at moment: Instant) throws {
    try database.cachedStatement(
      sql: """
        UPDATE alarm SET state = 'over', overAt = ?
        WHERE number IN (SELECT value FROM json_each(?)) AND state = 'scheduled' AND due IS NULL
          AND NOT EXISTS (SELECT 1 FROM occurrence o WHERE o.alarm = alarm.number AND o.due IS NOT NULL)
        """
    ).run([moment.microseconds, numbers.jsonList])
  }

  /// Records marks of rings. Marks of deleted occurrences are skipped, except that undo and redo must not journal
  /// them again.
  func write(_ marks: [RingMark]) throws {
    var alarms: [Int64: Int64] = [:]
    let owner = try database.cachedStatement(sql: "SELECT alarm FROM occurrence WHERE id = ?")
    for id in Set(marks.flatMap(\.occurrences)) { alarms[id] = try Int64.fetchOne(owner, arguments: [id]) }
    try noteInImages(marks.filter { !$0.occurrences.contains { alarms[$0] != nil } })
    guard !alarms.isEmpty else { return }
    try step(Set(alarms.values).sorted(), moves: false) {
      for mark in marks { try write(mark, known: alarms) }
      return []
    }
  }

  /// In one pass: a large deletion has many images, and their keys begin with the alarm.
  private func noteInImages(_ marks: [RingMark]) throws {
    var rings: [String] = []
    var latest: Instant?
    for case .journaled(let ring, let moment) in marks {
      rings.append("[\(ring.occurrence),\(ring.firedAt.microseconds)]")
      latest = moment
    }
    guard let latest else { return }
    try database.cachedStatement(
      sql: """
        UPDATE occurrence_image SET journaledAt = coalesce(journaledAt, ?)
        WHERE holder IN (SELECT holder FROM undo) AND side = 0
          AND (id, firedAt) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
        """
    ).execute(arguments: [latest.microseconds, "[" + rings.joined(separator: ",") + "]"])
  }

  private func write(_ mark: RingMark, known: [Int64: Int64]) throws {
    switch mark {
    case .journaled(let ring, let moment):
      try database.cachedStatement(
        sql: "UPDATE occurrence SET journaledAt = coalesce(journaledAt, ?) WHERE id = ? AND firedAt = ?"
      )
      .execute(arguments: [moment.microseconds, ring.occurrence, ring.firedAt.microseconds])
    case .ran(let ring, let run):
      try database.cachedStatement(
        sql: "UPDATE occurrence SET hooks = coalesce(hooks || char(10), '') || ? WHERE id = ? AND firedAt = ?"
      )
      .execute(arguments: [run.line, ring.occurrence, ring.firedAt.microseconds])
    case .shown(let rings, let bubble, let server, let moment):
      let statement = try database.cachedStatement(
        sql: """
          UPDATE occurrence SET shownAt = coalesce(shownAt, ?), bubble = ?, bubbleServer = ?
          WHERE id = ? AND firedAt = ?
          """)
      for ring in rings where known[ring.occurrence] != nil {
        try statement.execute(arguments: [
          moment.microseconds, Int64(bubble), server, ring.occurrence, ring.firedAt.microseconds,
        ])
      }
    }
  }
}

extension RingMark {
  /// The occurrences of the mark.
  var occurrences: [Int64] {
    switch self {
    case .journaled(let ring, _), .ran(let ring, _): [ring.occurrence]
    case .shown(let rings, _, _, _): rings.map(\.occurrence)
    }
  }
}
