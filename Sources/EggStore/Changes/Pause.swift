import Alarms
import EggTime
import GRDB
import Ringing

/// Stops countdowns; recurring alarms stay silent. Alarms with a date and time cannot be paused.
package struct PauseChange: SelectingChange {
  package var selection: Selection

  package init(_ selection: Selection) {
    self.selection = selection
  }

  package var kind: ChangeKind? { .pause }
  var candidates: Candidates { Candidates("state = 'scheduled' AND due IS NOT NULL AND kind <> 'at'") }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    let all = try NumberSet(selection, in: transaction.database)
    return AffectedAlarms(all: all, holding: try candidates.numbers(in: all, transaction.database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      guard alarm.state == .scheduled, let due = alarm.due.map({ tables.wall($0, now) }) else { return false }
      switch alarm.timing {
      case .countdown:
        try tables.alarms.pause(alarm.number, remaining: max(due - now.wall, .zero), passed: nil)
      case .every: try tables.alarms.pause(alarm.number, remaining: nil, passed: due)
      case .instant, .civil: return false
      }
      return true
    }
  }
}

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
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      guard alarm.state == .paused else { return false }
      var due: DuePoint?
      var zone: String?
      if let remaining = alarm.remaining {
        let end = Instant(microseconds: now.boot) + remaining
        due = DuePoint(clock: tables.clocks.current, microseconds: end.microseconds)
      } else if let recurrence = tables.recurrence(of: alarm) {
        due = try passOver(alarm, recurrence, tables, at: now.wall).map { .wall($0) }
        if case .every(_, let name, let floats) = alarm.timing {
          if floats { zone = recurrence.zone.identifier } else { try transaction.noteZone(name) }
        }
      }
      try tables.alarms.resume(alarm.number, due: due, zone: zone)
      return true
    }
  }

  /// Records the elapses during an alarm's pause.
  ///
  /// - Returns: Its next moment; nil if none is left.
  private func passOver(
    _ alarm: Alarm, _ recurrence: Recurrence, _ tables: Tables, at now: Instant
  ) throws -> Instant? {
    let passed = try tables.alarms.pausedDue(of: alarm.number)
    // Paused while the clock was wrong: otherwise it would wait for that clock's times.
    let isWrong = alarm.modifiedAt.map { $0 - now > Recurrence.farAhead } ?? false
    guard let passed, !isWrong else { return recurrence.next(after: now) }
    let first = recurrence.next(after: passed - TimeSpan(microseconds: 1))
    guard let first, first <= now else {
      // With rules that changed since the pause, the next elapse may precede the one it waited for.
      let base = max(now, try tables.occurrences.lastElapse(of: alarm.number, at: now) ?? now)
      return [first, recurrence.next(after: base)].compactMap { $0 }.min()
    }
    let course = recurrence.course(from: first, to: now)
    try tables.occurrences.note(.skipped, of: alarm.number, dueAt: first, elapsed: course.elapsed, at: now)
    try tables.alarms.countDown(alarm.number, by: course.elapsed)
    return course.next
  }
}

/// Skips the next moment of scheduled alarms; a one-shot is then over.
package struct SkipChange: SelectingChange {
  package var selection: Selection

  package init(_ selection: Selection) {
    self.selection = selection
  }

  package var kind: ChangeKind? { .skip }
  var candidates: Candidates { Candidates("state = 'scheduled' AND due IS NOT NULL") }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      guard alarm.state == .scheduled, let dueAt = alarm.due.map({ tables.wall($0, now) }) else {
        return false
      }
      let next = tables.recurrence(of: alarm)?.course(from: dueAt, to: dueAt).next
      try tables.alarms.pass(alarm.number, to: next, elapsed: 1)
      try tables.occurrences.note(.skipped, of: alarm.number, dueAt: dueAt, at: now.wall)
      return true
    }
  }
}
