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

  func held(of all: NumberSet, in database: Database) throws -> NumberSet {
    NumberSet(try candidates.numbers(in: all, database))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      guard let due = alarm.due.map({ tables.wall($0, now) }), alarm.timing.kind != .at else { return false }
      let recurs = alarm.timing.kind == .every
      try tables.alarms.set(
        [
          .state: Alarm.StoredState.paused.rawValue, .clock: 0, .due: nil, .zoneDue: nil,
          .remaining: recurs ? nil : max(due - now.wall, .zero).microseconds,
          .pausedDue: recurs ? due.microseconds : nil,
        ], of: [alarm.number])
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
  func held(of all: NumberSet, in database: Database) -> NumberSet { [] }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      var due: DuePoint?
      var ahead = alarm.ahead
      if let remaining = alarm.remaining {
        let end = Instant(microseconds: now.boot) + remaining
        due = DuePoint(clock: tables.clocks.current, microseconds: end.microseconds)
      } else if let recurrence = tables.recurrence(of: alarm) {
        let next = try passOver(alarm, recurrence, tables, at: now.wall)
        due = next.map { .wall($0.ring) }
        ahead = next?.ahead ?? .zero
        if case .every(_, let name, let floats) = alarm.timing {
          if floats {
            try tables.alarms.set([.zone: recurrence.zone.identifier], of: [alarm.number])
          } else {
            try tables.resolver.note(name)
          }
        }
      }
      try tables.alarms.set(
        [
          .state: Alarm.StoredState.scheduled.rawValue, .clock: due?.clock.rawValue ?? 0,
          .due: due?.microseconds, .ahead: RecurrenceRows.column(ahead), .remaining: nil, .pausedDue: nil,
        ], of: [alarm.number])
      return true
    }
  }

  /// Records the elapses during an alarm's pause.
  ///
  /// - Returns: Its next moment; nil if none is left.
  private func passOver(
    _ alarm: Alarm, _ recurrence: Recurrence, _ tables: Tables, at now: Instant
  ) throws -> Recurrence.Moment? {
    let passed = try tables.alarms.pausedDue(of: alarm.number)
    // Paused while the clock was wrong: otherwise it would wait for that clock's times.
    let isWrong = alarm.modifiedAt.map { $0 - now > Recurrence.farAhead } ?? false
    guard let passed, !isWrong else { return recurrence.next(after: now) }
    let first = recurrence.next(after: passed - TimeSpan(microseconds: 1))
    guard let first, first.ring <= now else {
      // With rules that changed since the pause, the next elapse may precede the one it waited for.
      let base = max(now, try tables.occurrences.lastElapse(of: alarm.number, at: now) ?? now)
      return [first, recurrence.next(after: base)].compactMap { $0 }.min { $0.ring < $1.ring }
    }
    let course = recurrence.course(from: first.ring, to: now)
    try tables.occurrences.note(
      .skipped, of: alarm.number, dueAt: first.ring, elapsed: course.elapsed, at: now)
    if let count = alarm.count {
      try tables.alarms.set([.count: max(count, course.used) - course.used], of: [alarm.number])
    }
    return course.next
  }
}

/// Skips the next moment of scheduled alarms, with all its leads; a one-shot is then over.
package struct SkipChange: SelectingChange {
  package var selection: Selection

  package init(_ selection: Selection) { self.selection = selection }

  package var kind: ChangeKind? { .skip }
  var candidates: Candidates { Candidates("state = 'scheduled' AND due IS NOT NULL") }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      guard let dueAt = alarm.due.map({ tables.wall($0, now) }) else { return false }
      var passed = dueAt
      if let recurrence = tables.recurrence(of: alarm), !recurrence.isOnce {
        let next = try skip(alarm, recurrence, dueAt, tables)
        // Only rings after this one are to come.
        if let next, next.ring <= dueAt { passed = now.wall }
      } else {
        try tables.alarms.pass(alarm.number, to: nil, used: 1)
      }
      try tables.occurrences.note(.skipped, of: alarm.number, dueAt: passed, at: now.wall)
      return true
    }
  }

  private func skip(
    _ alarm: Alarm, _ recurrence: Recurrence, _ dueAt: Instant, _ tables: Tables
  ) throws -> Recurrence.Moment? {
    guard !alarm.rules.leads.isEmpty else {
      let course = recurrence.course(from: dueAt, to: dueAt)
      try tables.alarms.pass(alarm.number, to: course.next, used: course.used)
      return course.next
    }
    // A lead of a later one may come first: what is left begins after this one.
    let before = dueAt - TimeSpan(microseconds: 1)
    let thing = recurrence.firstThing(after: before) ?? dueAt
    var later = alarm
    later.from = thing + TimeSpan(microseconds: 1)
    let first = tables.recurrence(of: later)?.uncounted.firstThing(after: before)
    let used = first.map { recurrence.things(from: thing, to: $0) } ?? 1
    later.count = alarm.count.map { max($0 - used, 0) }
    let next = tables.recurrence(of: later)?.next(after: before)
    try tables.alarms.pass(alarm.number, to: next, used: used)
    try tables.alarms.set([.beginsAt: later.from?.microseconds], of: [alarm.number])
    return next
  }
}

/// Recurring alarms keep quiet on a range of days, or on none of those that they were to skip.
package struct SkipDaysChange: SelectingChange {
  package var selection: Selection
  package var days: Days

  package enum Days: Sendable {
    /// - Parameters:
    ///   - from: nil for today in the alarm's zone.
    ///   - until: The day of return.
    case range(from: CivilDate?, until: CivilDate)
    case clear
  }

  package init(_ selection: Selection, _ days: Days) { (self.selection, self.days) = (selection, days) }

  package var kind: ChangeKind? { if case .clear = days { .edit } else { .skip } }
  /// Without its skips, one that is over may wait again.
  var candidates: Candidates {
    if case .clear = days { return Candidates("kind = 'every' AND (state <> 'over' OR skips IS NOT NULL)") }
    return Candidates("kind = 'every' AND state <> 'over'")
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    let moments = NextMoment(tables: tables, now: now)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      guard let zone = tables.recurrence(of: alarm)?.zone else { return false }
      var skipping = alarm
      skipping.rules.skips = try skips(of: alarm, today: zone.civil(at: now.wall))
      try tables.alarms.set([.skips: RecurrenceRows.column(skipping.rules.skips)], of: [alarm.number])
      moments.give(
        &skipping, counted: try moments.counted(alarm), after: try moments.base(of: alarm.number))
      try moments.store(skipping, over: alarm)
      return true
    }
  }

  /// Without those that are past.
  private func skips(of alarm: Alarm, today: CivilDateTime) throws -> DaySet {
    guard case .range(let from, let until) = days, let today = CivilDate(today) else { return .none }
    let last = CivilDate(dayNumber: until.dayNumber - 1)
    let kept = alarm.rules.skips.ranges.filter { $0.last.dayNumber >= today.dayNumber }
    let skips = DaySet(kept + [DayRange(from ?? today, through: last)].compactMap { $0 })
    guard skips.ranges.count <= Limits.skips else {
      throw ChangeError.tooManySkips(number: alarm.number, most: Int64(Limits.skips))
    }
    return skips
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
      due IS NOT NULL AND kind <> 'every' OR remaining IS NOT NULL
      OR EXISTS (SELECT 1 FROM occurrence WHERE alarm = a.number AND due IS NOT NULL)
      """)
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    let moments = NextMoment(tables: tables, now: now)
    return try transaction.changeEach(self, at: now.wall) { alarm in
      if let latest = alarm.latest, let due = latest.due {
        let end = tables.wall(due, now) + span
        try check(alarm, end, now)
        try tables.occurrences.snooze(
          latest.id, until: due + span, end: end, try tables.resolver.snoozeTiming(latest.id, movedTo: end))
        return true
      }
      // Leads of the new moment may lie ahead again.
      let end: Instant
      var extended = alarm
      extended.ahead = .zero
      if alarm.state == .paused, let remaining = alarm.remaining {
        end = now.wall + remaining + alarm.ahead + span
        extended.remaining = end - now.wall
      } else if alarm.state == .scheduled, let due = alarm.due {
        extended.due = due + alarm.ahead + span
        end = tables.wall(due, now) + alarm.ahead + span
        switch alarm.timing {
        case .every: return false
        case .countdown: break
        case .instant(let instant): extended.timing = .instant(instant + span)
        case .civil(_, let name, let floats):
          guard let zone = tables.zones.zone(name, floats: floats) else { return false }
          extended.timing = .civil(zone.civil(at: end), zone: name, floats: floats)
        }
      } else {
        return false
      }
      try check(alarm, end, now)
      moments.give(&extended, counted: nil, after: now.wall)
      guard extended.due != nil || extended.remaining != nil else {
        throw ChangeError.invalidDue(number: alarm.number, due: end)
      }
      // Also the clock: an earlier boot's is replaced by the wall clock.
      var values: [AlarmTable.Value] = [
        (.clock, extended.due?.clock.rawValue ?? 0), (.due, extended.due?.microseconds),
        (.ahead, RecurrenceRows.column(extended.ahead)), (.remaining, extended.remaining?.microseconds),
        (.zoneDue, nil),
      ]
      if extended.due != nil {
        values += AlarmRows.timing.map { ($0, AlarmRows.value(of: $0, extended.timing)) }
      }
      try tables.alarms.set(values, of: [alarm.number])
      return true
    }
  }

  private func check(_ alarm: Alarm, _ due: Instant, _ now: ClockReading) throws {
    guard due > now.wall, due <= .latest else { throw ChangeError.invalidDue(number: alarm.number, due: due) }
  }
}
