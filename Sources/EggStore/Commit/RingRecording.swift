import Alarms
import GRDB
import Ringing

extension StoreTransaction {
  /// Records rings. Skips a ring whose row is gone or waits for another moment: it is recorded already, or a
  /// later change overtook it.
  func record(_ rings: [RingRecord]) throws {
    log.recorded += rings
    // Rings of one recurring alarm follow each other: recording one opens the row for the next.
    let open = Set(try rings.filter(isOpen).map(\.key.number))
    guard !open.isEmpty else { return }
    try step(open.sorted()) {
      for ring in rings where try open.contains(ring.key.number) && isOpen(ring) {
        switch ring.outcome {
        case .unanswered: try tables.occurrences.endPatience(ring.key.occurrence)
        case .rang where ring.key.occurrence != 0: try tables.occurrences.endSnooze(ring)
        case .rang, .missed:
          try tables.alarms.elapse(ring)
          try tables.occurrences.insert(ring)
        }
        try tables.alarms.settle([ring.key.number], at: ring.firedAt)
      }
    }
  }

  /// Whether the row still waits for the moment that rang, on whichever clock, because countdowns of earlier
  /// boots move to the wall clock. A timing set after the ring was recorded may wait for the same moment.
  private func isOpen(_ ring: RingRecord) throws -> Bool {
    let row =
      if ring.key.occurrence == 0 {
        try database.row(
          """
          SELECT clock, due FROM alarm WHERE number = ?1 AND due IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM occurrence WHERE id = ?2 AND alarm = ?1)
          """, [ring.key.number, ring.occurrence])
      } else if ring.outcome == .unanswered {
        try database.row(
          """
          SELECT unansweredClock, unansweredDue FROM occurrence
          WHERE id = ? AND alarm = ? AND unansweredDue IS NOT NULL AND \(OccurrenceTable.rings)
          """, [ring.key.occurrence, ring.key.number])
      } else {
        try database.row(
          "SELECT clock, due FROM occurrence WHERE id = ? AND alarm = ? AND due IS NOT NULL",
          [ring.key.occurrence, ring.key.number])
      }
    guard let row, let clock = int(row, 0), let due = int(row, 1) else { return false }
    let waiting = DuePoint(clock: ClockID(rawValue: clock), microseconds: due)
    return tables.clocks.present(waiting) == tables.clocks.present(ring.due)
  }

  /// Records marks of rings. Marks of deleted occurrences are skipped, except that undo and redo must not journal
  /// them again.
  func write(_ marks: [RingMark]) throws {
    let alarms = try tables.occurrences.alarms(of: Set(marks.flatMap(\.occurrences)))
    try tables.undo.note(marks.filter { !$0.occurrences.contains { alarms[$0] != nil } })
    guard !alarms.isEmpty else { return }
    try step(Set(alarms.values).sorted(), moves: false) {
      for mark in marks { try tables.occurrences.write(mark) }
    }
  }
}

extension RingMark {
  var occurrences: [Int64] {
    switch self {
    case .journaled(let ring, _), .ran(let ring, _): [ring.occurrence]
    case .shown(let rings, _, _, _): rings.map(\.occurrence)
    }
  }
}
