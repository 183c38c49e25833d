import Alarms
import EggTime
import GRDB
import Ringing

/// Stops countdowns; recurring alarms stay silent. Alarms with a date and time cannot be paused.
package struct PauseChange: SelectingChange {
  package var selection: Selection

  package init(_ selection: Selection) { self.selection = selection }

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
      var remaining: TimeSpan?
      var passed: Instant?
      switch alarm.timing {
      case .countdown: remaining = max(due - now.wall, .zero)
      case .every: passed = due
      case .instant, .civil: return false
      }
      try tables.alarms.pause(alarm.number, remaining: remaining, passed: passed)
      return true
    }
  }
}

/// Continues paused countdowns. Recurring alarms wait for their next elapse after now; all elapses of the
/// pause become one occurrence.
package struct ResumeChange: SelectingChange {
  package var selection: Selection

  package init(_ selection: Selection) { self.selection = selection }

  package var kind: ChangeKind? { .resume }
  var candidates: Candidates { Candidates("state = 'paused'") }
  var takesMoments: Bool { false }

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
          if floats { zone = recurrence.zone.identifier } else { try tables.resolver.note(name) }
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

  package init(_ selection: Selection) { self.selection = selection }

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
        try tables.alarms.set([.remaining: max(end - now.wall, .zero).microseconds], of: [alarm.number])
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
        [(.clock, due.clock.rawValue), (.due, moved(due).microseconds), (.zoneDue, nil)]
          + AlarmRows.timing.map { ($0, AlarmRows.value(of: $0, timing)) }, of: [alarm.number])
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
