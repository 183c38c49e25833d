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

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      if let latest = alarm.latest, let due = latest.due {
        let end = tables.wall(due, now) + span
        try check(alarm, end, now)
        try tables.occurrences.snooze(latest.id, until: moved(due), end: end)
        return true
      }
      if alarm.state == .paused, let remaining = alarm.remaining {
        let end = now.wall + remaining + span
        try check(alarm, end, now)
        try tables.alarms.set(
          [.remaining], [max(end - now.wall, .zero).microseconds], of: [alarm.number])
        return true
      }
      guard alarm.state == .scheduled, let due = alarm.due else { return false }
      let end = tables.wall(due, now) + span
      var timing = alarm.timing
      switch timing {
      case .every: return false
      case .countdown: break
      case .instant(let instant): timing = .instant(instant + span)
      case .civil(_, let name, let floats):
        guard let zone = tables.zones.zone(name, floats: floats) else { return false }
        timing = .civil(zone.civil(at: end), zone: name, floats: floats)
      }
      try check(alarm, end, now)
      // Also the clock: an earlier boot's is replaced by the wall clock.
      try tables.alarms.set(
        [.clock, .due, .zoneDue] + AlarmRows.timing,
        [due.clock.rawValue, moved(due).microseconds, nil]
          + AlarmRows.timing.map { AlarmRows.value(of: $0, timing) }, of: [alarm.number])
      return true
    }
  }

  private func moved(_ due: DuePoint) -> DuePoint {
    DuePoint(clock: due.clock, microseconds: (Instant(microseconds: due.microseconds) + span).microseconds)
  }

  private func check(_ alarm: Alarm, _ due: Instant, _ now: ClockReading) throws {
    guard due > now.wall, due <= .latest else { throw ChangeError.invalidDue(number: alarm.number, due: due) }
  }
}
