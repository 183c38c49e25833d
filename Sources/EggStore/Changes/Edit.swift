import Alarms
import EggTime
import GRDB

/// Changes texts, eggs or timings of alarms.
package struct EditChange: SelectingChange {
  package var selection: Selection
  package var edit: AlarmEdit

  package init(_ selection: Selection, _ edit: AlarmEdit) {
    self.selection = selection
    self.edit = edit
  }

  package var kind: ChangeKind? { .edit }
  var candidates: Candidates { .all }
  var takesMoments: Bool { edit.timing != nil }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt.wall)
    return try transaction.change(self) { numbers in
      try transaction.step(numbers) {
        try tables.alarms.set(try values(tables, at: now), of: numbers)
        if edit.timing != nil {
          try tables.occurrences.endRinging(numbers, at: now)
          try tables.occurrences.endSkips(numbers, at: now)
        }
        return []
      }
      return numbers
    }
  }

  private func values(_ tables: Tables, at moment: Instant) throws -> [AlarmTable.Value] {
    var values: [AlarmTable.Value] = []
    func set(_ column: AlarmColumn, _ value: (any StatementBinding)?) { values.append((column, value)) }
    set(.modifiedAt, moment.microseconds)
    if let label = edit.label { set(.label, label) }
    if let category = edit.category { set(.category, category.rawValue) }
    if let eggs = edit.eggs { set(.eggs, eggs) }
    if let group = edit.group { set(.group, try group.map(tables.groups.id)) }
    for (column, field) in AlarmColumn.manner {
      if let value = edit.manner[field] { set(column, try field.checked(value)?.binding) }
    }
    if let new = edit.timing {
      let (timing, due) = try tables.resolver.settled(new.timing, due: new.due, from: edit.from, at: moment)
      for column in AlarmRows.timing { set(column, AlarmRows.value(of: column, timing)) }
      set(.calledAt, moment.microseconds)
      set(.expression, new.expression)
      set(.forcedKind, new.forcedKind?.rawValue)
      set(.readingZone, new.readingZone)
      set(.clock, due.clock.rawValue)
      set(.due, due.microseconds)
      set(.state, Alarm.StoredState.scheduled.rawValue)
      set(.beginsAt, edit.from?.microseconds)
      set(.until, edit.until?.microseconds)
      set(.count, edit.count)
      let others: [AlarmColumn] = [
        .overAt, .doneAt, .doneClock, .doneDue, .remaining, .pausedDue, .zoneDue,
      ]
      for column in others { set(column, nil) }
    }
    if let ifMissed = edit.ifMissed { set(.ifMissed, RecurrenceRows.column(ifMissed)) }
    return values
  }
}

/// The changed fields of alarms; nil keeps a field, `.some(nil)` clears a text.
package struct AlarmEdit: HasManner, Sendable {
  package var label: String??
  package var category: Category?
  package var eggs: Int64?
  package var group: String??
  /// Its values that are not nil; an empty text, 0 and false clear.
  package var manner = Manner()
  package var timing: NewTiming?
  package var ifMissed: MissedPolicy?
  /// Set together with the timing.
  package var from: Instant?
  /// Set together with the timing.
  package var until: Instant?
  /// Set together with the timing.
  package var count: Int64?

  /// Replaces the timing: the alarm is scheduled (again) under its number.
  package struct NewTiming: Sendable {
    package var timing: Timing
    package var expression: String
    package var forcedKind: Timing.Kind?
    package var readingZone: String
    package var due: DuePoint
    /// The beginning and the end that the expression names.
    package var from: Instant?
    package var until: Instant?

    package init(
      timing: Timing, expression: String, forcedKind: Timing.Kind?, readingZone: String, due: DuePoint,
      from: Instant? = nil, until: Instant? = nil
    ) {
      self.timing = timing
      self.expression = expression
      self.forcedKind = forcedKind
      self.readingZone = readingZone
      self.due = due
      self.from = from
      self.until = until
    }
  }

  package init() {}
}
