import Alarms
import EggTime
import GRDB
import Ringing

/// Moves the end of a snooze, else the moment of a one-shot, else what is left of a paused countdown.
package struct ExtendChange: SelectingChange {
  package var selection: Selection
  package var span: TimeSpan

  package init(_ selection: Selection, by span: TimeSpan) {
    self.selection = selection
    self.span = span
  }

  package var kind: ChangeKind? { .extend }
  var candidates: Candidates {
    Candidates(
      """
      due IS NOT NULL OR remaining IS NOT NULL
      OR EXISTS (SELECT 1 FROM occurrence WHERE alarm = a.number AND due IS NOT NULL)
      """)
  }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    AffectedAlarms(holding: try NumberSet(selection, in: transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.extend(self, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func extend(_ change: ExtendChange, at now: ClockReading) throws -> ChangeOutcome {
    let span = change.span
    return try changeEach(change, at: now.wall) { alarm in
      if let latest = alarm.latest, let due = latest.due {
        try check(alarm, wall(due, now) + span, now)
        try database.cachedStatement(
          sql: "UPDATE occurrence SET clock = ?, due = ?, snoozedUntil = ? WHERE id = ?"
        ).execute(arguments: [
          due.clock.rawValue, Self.moved(due, by: span), (wall(due, now) + span).microseconds, latest.id,
        ])
        return true
      }
      if alarm.state == .paused, let remaining = alarm.remaining {
        try check(alarm, now.wall + remaining + span, now)
        try database.cachedStatement(sql: "UPDATE alarm SET remaining = ? WHERE number = ?")
          .execute(arguments: [max(now.wall + remaining + span - now.wall, .zero).microseconds, alarm.number])
        return true
      }
      guard alarm.state == .scheduled, let due = alarm.due else { return false }
      var timing = alarm.timing
      switch timing {
      case .every: return false
      case .countdown: break
      case .instant(let instant): timing = .instant(instant + span)
      case .civil(_, let name, let floats):
        guard let zone = zones.zone(name, floats: floats) else { return false }
        timing = .civil(zone.civil(at: wall(due, now) + span), zone: name, floats: floats)
      }
      try check(alarm, wall(due, now) + span, now)
      // Also the clock: an earlier boot's is replaced by the wall clock.
      let assignments = AlarmRows.timing.map { "\($0.name) = ?" }.joined(separator: ", ")
      let values: [(any StatementBinding)?] = [due.clock.rawValue, Self.moved(due, by: span)]
      try database.cachedStatement(
        sql: "UPDATE alarm SET clock = ?, due = ?, zoneDue = NULL, \(assignments) WHERE number = ?"
      ).run(values + AlarmRows.timing.map { AlarmRows.value(of: $0, timing) } + [alarm.number])
      return true
    }
  }

  static func moved(_ due: DuePoint, by span: TimeSpan) -> Int64 {
    (Instant(microseconds: due.microseconds) + span).microseconds
  }

  private func check(_ alarm: Alarm, _ due: Instant, _ now: ClockReading) throws {
    guard due > now.wall, due <= .latest else { throw ChangeError.invalidDue(number: alarm.number, due: due) }
  }
}
