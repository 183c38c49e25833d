import Alarms
import EggTime
import GRDB

extension StoreTransaction {
  /// How many alarms an outcome carries; a change of more is made in full, and its outcome carries the first.
  static let outcomeAlarms = 1_000

  /// Judges a change by the rows as they are and makes it, or throws a ``ChangeError`` and leaves the rows to
  /// the savepoint.
  func apply(_ request: ChangeRequest) throws -> ChangeOutcome {
    switch request.change {
    case .schedule(let alarm): return try schedule(alarm, at: request.readAt)
    case .edit(let selection, let edit):
      return try change(selection) { numbers, _ in
        try self.step(numbers) {
          try self.write(edit, to: numbers, at: request.readAt.wall)
          return []
        }
        return numbers
      }
    case .delete(let selection, let rungBefore):
      let selected = try SelectedAlarms(selection, in: database)
      var outcome = ChangeOutcome(sequence: 0)
      outcome.deleted = selected.numbers.sorted()
      if let rungBefore {
        outcome.deleted = try outcome.deleted.filter { try hasRung($0, before: rungBefore) }
      }
      outcome.rang = try outcome.deleted.filter { try hasRung($0) }
      (outcome.missing, outcome.missingIDs) = (selected.missing, selected.missingIDs)
      guard !outcome.deleted.isEmpty else { return outcome }
      try step(outcome.deleted, deletes: true) {
        let delete = try database.cachedStatement(sql: "DELETE FROM alarm WHERE number = ?")
        for number in outcome.deleted { try delete.execute(arguments: [number]) }
        return []
      }
      return outcome
    case .snooze(let selection, let until):
      return try change(selection, allowing: [.ringing]) { numbers in
        try self.step(numbers) {
          for number in numbers { try self.snooze(number, until: until, at: request.readAt) }
          return []
        }
      }
    case .dismiss(let selection):
      return try change(selection, allowing: [.ringing, .snoozed]) { numbers in
        try self.step(numbers) {
          for number in numbers {
            try self.dismiss(number, by: request)
            try self.settle(number, at: request.readAt.wall)
          }
          return []
        }
      }
    case .skip(let selection): return try skip(selection, at: request.readAt)
    case .pause(let selection): return try pause(selection, at: request.readAt)
    case .resume(let selection): return try resume(selection, at: request.readAt)
    case .extend(let selection, let span): return try extend(selection, by: span, at: request.readAt)
    case .markDone(let selection, let done): return try markDone(selection, done, at: request.readAt)
    case .move(let selection, let place): return try move(selection, to: place, at: request.readAt.wall)
    case .stage(let alarms, let id):
      try stage(alarms, id)
      return ChangeOutcome(sequence: 0)
    case .commitImport(let id): return try commitImport(id, at: request.readAt)
    case .undo(let expected): return try undo(expected: expected, at: request.readAt)
    case .createGroup(let group): return try createGroup(group, at: request.readAt)
    case .editGroup(let name, let edit): return try editGroup(name, edit, at: request.readAt)
    case .deleteGroup(let name, let withAlarms):
      return try deleteGroup(name, withAlarms: withAlarms, at: request.readAt)
    }
  }

  /// Whether the alarm is over because it rang. A ring that the hold found has been recorded by now.
  func hasRung(_ number: Int64, before moment: Instant = .latest) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: """
        SELECT 1 \(AlarmRows.from)
        WHERE a.number = ? AND a.state = 'over' AND o.outcome = 'rung' AND o.firedAt <= ?
        """)
    return try Int64.fetchOne(statement, arguments: [number, moment.microseconds]) != nil
  }

  /// Selects those that allow the change. One that was named and doesn't is refused; others are passed over.
  ///
  /// - Parameter phases: Of what rings or is snoozed.
  private func change(
    _ selection: Selection, allowing phases: Set<Alarm.Phase>, _ body: ([Int64]) throws -> Void
  ) throws -> ChangeOutcome {
    try change(selection, others: SelectedAlarms.openBetween) { numbers, named in
      let statement = try self.database.cachedStatement(
        sql: "SELECT \(AlarmRows.phase) \(AlarmRows.from) WHERE a.number = ?")
      var allowed: [Int64] = []
      for number in numbers {
        let phase = try String.fetchOne(statement, arguments: [number]).flatMap { Alarm.Phase(rawValue: $0) }
        if let phase, phases.contains(phase) {
          allowed.append(number)
        } else if named.contains(number) {
          throw ChangeError.wrongState(number: number, phase ?? .rung)
        }
      }
      if !allowed.isEmpty { try body(allowed) }
      return allowed
    }
  }

  /// - Parameters:
  ///   - others: See ``SelectedAlarms``.
  ///   - body: Changes those selected, of whom some are named, and returns those it changed.
  private func change(
    _ selection: Selection, others: String? = nil,
    _ body: (_ numbers: [Int64], _ named: Set<Int64>) throws -> [Int64]
  ) throws -> ChangeOutcome {
    let selected = try SelectedAlarms(selection, in: database, others: others)
    var outcome = ChangeOutcome(sequence: 0)
    (outcome.missing, outcome.missingIDs) = (selected.missing, selected.missingIDs)
    let numbers = selected.numbers.sorted()
    let changed = numbers.isEmpty ? [] : try body(numbers, Set(selected.named))
    outcome.changed = Int64(changed.count)
    outcome.alarms = try changed.prefix(Self.outcomeAlarms).compactMap { try alarm($0) }
    return outcome
  }

  private func snooze(_ number: Int64, until: DuePoint, at now: ClockReading) throws {
    let latest = try database.cachedStatement(
      sql: """
        SELECT id FROM occurrence
        WHERE alarm = ? AND outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL
        ORDER BY id DESC LIMIT 1
        """)
    guard let latest = try Int64.fetchOne(latest, arguments: [number]) else { return }
    let ends =
      Instant(microseconds: until.microseconds)
      + TimeSpan(microseconds: clocks.offset(of: until.clock, now: now))
    try database.cachedStatement(
      sql: "UPDATE occurrence SET snoozedUntil = ?, clock = ?, due = ? WHERE id = ?"
    )
    .execute(arguments: [ends.microseconds, until.clock.rawValue, until.microseconds, latest])
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?
        WHERE alarm = ? AND id < ? AND outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL
        """
    ).execute(arguments: [now.wall.microseconds, number, latest])
    try database.cachedStatement(
      sql: "UPDATE alarm SET state = 'scheduled', overAt = NULL WHERE number = ? AND state = 'over'"
    ).execute(arguments: [number])
  }

  private func dismiss(_ number: Int64, by request: ChangeRequest) throws {
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?, snoozedUntil = NULL, clock = 0, due = NULL
        WHERE alarm = ? AND outcome = 'rung' AND dismissedAt IS NULL AND id <= ?
        """
    ).execute(arguments: [request.readAt.wall.microseconds, number, request.seen[number] ?? .max])
  }

  /// All that rings or is snoozed of the alarm is dismissed.
  func endRinging(_ number: Int64, at moment: Instant) throws {
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?, snoozedUntil = NULL, clock = 0, due = NULL
        WHERE alarm = ? AND outcome = 'rung' AND dismissedAt IS NULL
        """
    ).execute(arguments: [moment.microseconds, number])
  }

  private func write(_ edit: AlarmEdit, to numbers: [Int64], at moment: Instant) throws {
    var columns = ["modifiedAt = ?"]
    var values: [(any StatementBinding)?] = [moment.microseconds]
    func set(_ column: String, _ value: (any StatementBinding)?) {
      columns.append(column + " = ?")
      values += [value]
    }
    if let label = edit.label { set("label", label) }
    if let category = edit.category { set("category", category.rawValue) }
    if let eggs = edit.eggs { set("eggs", eggs) }
    if let group = edit.group { set("\"group\"", try group.map(groupID)) }
    if let summary = edit.summary { set("summary", summary) }
    if let body = edit.body { set("body", body) }
    if let icon = edit.icon { set("icon", icon) }
    if let new = edit.timing {
      columns.append(
        """
        kind = ?, span = ?, instant = ?, civil = ?, zone = ?, floats = ?, calendarEvent = ?, interval = ?, expression = ?,
        forcedKind = ?, readingZone = ?, clock = ?, due = ?, state = 'scheduled', overAt = NULL, doneAt = NULL, doneClock = NULL, doneDue = NULL,
        remaining = NULL, pausedDue = NULL, zoneDue = NULL, beginsAt = ?, until = ?, count = ?
        """)
      let (timing, due) = try settled(new.timing, due: new.due, from: edit.from, at: moment)
      values += timing.values
      values += [new.expression, new.forcedKind?.rawValue, new.readingZone]
      values += [due.clock.rawValue, due.microseconds]
      values += [edit.from?.microseconds, edit.until?.microseconds, edit.count]
    }
    if let ifMissed = edit.ifMissed { set("ifMissed", RecurrenceRows.column(ifMissed)) }
    let update = try database.cachedStatement(
      sql: "UPDATE alarm SET \(columns.joined(separator: ", ")) WHERE number = ?")
    for number in numbers {
      try update.run(values + [number])
      if edit.timing != nil {
        try endRinging(number, at: moment)
        try endSkip(number, at: moment)
      }
    }
  }

  /// What was skipped last, and before that, is of no timing that the alarm has.
  private func endSkip(_ number: Int64, at moment: Instant) throws {
    try database.cachedStatement(
      sql: """
        UPDATE occurrence SET dismissedAt = ?1
        WHERE id = (SELECT max(id) FROM occurrence WHERE alarm = ?2 AND outcome = 'skipped')
        """
    ).execute(arguments: [moment.microseconds, number])
  }
}
