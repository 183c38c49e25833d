import Alarms
import EggTime
import GRDB
import Ringing

/// Continues paused countdowns. Recurring alarms wait for their next elapse after now; all elapses of the
/// pause become one occurrence.
package struct ResumeChange: SelectingChange {
  package var selection: Selection

  package init(_ selection: Selection) {
    self.selection = selection
  }

  package var kind: ChangeKind? { .resume }
  var candidates: Candidates { Candidates("state = 'paused'") }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    // This takes no alarm from its moment.
    AffectedAlarms(all: try NumberSet(selection, in: transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.resume(self, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func resume(_ change: ResumeChange, at now: ClockReading) throws -> ChangeOutcome {
    try changeEach(change, at: now.wall) { alarm in
      guard alarm.state == .paused else { return false }
      var due: DuePoint?
      var zone: String?
      if let remaining = alarm.remaining {
        let end = Instant(microseconds: now.boot) + remaining
        due = DuePoint(clock: clocks.current, microseconds: end.microseconds)
      } else if let recurrence = recurrence(of: alarm) {
        due = try passOver(alarm, recurrence, at: now.wall).map { .wall($0) }
        if case .every(_, let name, let floats) = alarm.timing {
          if floats { zone = recurrence.zone.identifier } else { try noteZone(name) }
        }
      }
      try database.cachedStatement(
        sql: """
          UPDATE alarm SET state = 'scheduled', clock = ?, due = ?, zone = coalesce(?, zone), remaining = NULL,
            pausedDue = NULL
          WHERE number = ?
          """
      ).execute(arguments: [due?.clock.rawValue ?? 0, due?.microseconds, zone, alarm.number])
      return true
    }
  }

  /// Records the elapses during an alarm's pause.
  ///
  /// - Returns: Its next moment; nil if none is left.
  private func passOver(_ alarm: Alarm, _ recurrence: Recurrence, at now: Instant) throws -> Instant? {
    let passed = try Int64.fetchOne(
      try database.cachedStatement(sql: "SELECT pausedDue FROM alarm WHERE number = ?"),
      arguments: [alarm.number])
    // Paused while the clock was wrong: otherwise it would wait for that clock's times.
    let isWrong = alarm.modifiedAt.map { $0 - now > Recurrence.farAhead } ?? false
    guard let passed, !isWrong else { return recurrence.next(after: now) }
    let first = recurrence.next(after: Instant(microseconds: passed) - TimeSpan(microseconds: 1))
    guard let first, first <= now else {
      // With rules that changed since the pause, the next elapse may precede the one it waited for.
      let base = max(now, try lastElapse(of: alarm.number, at: now) ?? now)
      return [first, recurrence.next(after: base)].compactMap { $0 }.min()
    }
    let course = recurrence.course(from: first, to: now)
    try noteOccurrence(.skipped, of: alarm.number, dueAt: first, elapsed: course.elapsed, at: now)
    try database.cachedStatement(sql: "UPDATE alarm SET count = max(count - ?, 0) WHERE number = ?")
      .execute(arguments: [course.elapsed, alarm.number])
    return course.next
  }

  /// The last elapse that was used or skipped; nil for none, or if it came from a wrong clock.
  private func lastElapse(of number: Int64, at now: Instant) throws -> Instant? {
    let last = try database.cachedStatement(
      sql: """
        SELECT max(\(Self.overBy), coalesce(o.firedAt, 0)), o.outcome FROM occurrence o
        WHERE o.id = \(Self.lastElapse(of: "?1"))
        """)
    guard let row = try Row.fetchOne(last, arguments: [number]),
      let moment = int(row, 0).map({ Instant(microseconds: $0) })
    else { return nil }
    if text(row, 1) == Occurrence.Outcome.skipped.rawValue { return moment }
    return moment - now > Recurrence.farAhead ? nil : moment
  }
}
