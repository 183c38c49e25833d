import Alarms
import EggTime
import GRDB
import Ringing

package struct EditChange: SelectingChange {
  package var selection: Selection
  package var edit: AlarmEdit

  package init(_ selection: Selection, _ edit: AlarmEdit) {
    self.selection = selection
    self.edit = edit
  }

  package var kind: ChangeKind? { .edit }
  var candidates: Candidates { .all }
  func held(of all: NumberSet, in database: Database) -> NumberSet {
    edit.timing != nil || edit.changesRules ? all : []
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt.wall)
    return try transaction.change(self) { selected in
      let numbers =
        edit.timing == nil
        ? try tables.alarms.numbers(among: selected, without: values(tables, at: now)) : selected
      guard !numbers.isEmpty else { return selected }
      try transaction.step(numbers) {
        let moments = NextMoment(tables: tables, now: request.readAt)
        let old = changesCourse ? try numbers.map { try before($0, moments) } : []
        try tables.alarms.set(
          [(.modifiedAt, now.microseconds)] + (try values(tables, at: now)), of: numbers)
        if edit.timing != nil {
          try tables.occurrences.endRinging(numbers, at: now)
          try tables.occurrences.endSkips(numbers, at: now)
        }
        for alarm in old { try follow(alarm, moments) }
      }
      return selected
    }
  }

  /// It may have alarms, or their rings, wait for something else.
  private var changesCourse: Bool { edit.timing != nil || edit.changesRules || edit.changesPatience }

  /// Of an alarm before the edit, what its course depends on.
  private typealias Before = (number: Int64, counted: Instant?, patience: TimeSpan?)

  private func before(_ number: Int64, _ moments: NextMoment) throws -> Before {
    guard edit.changesRules || edit.changesPatience, let old = try moments.tables.alarms.read(number) else {
      return (number, nil, nil)
    }
    return (number, edit.timing == nil ? try moments.counted(old) : nil, old.patience)
  }

  /// Gives an edited alarm what it waits for; a new timing has its first moment already.
  private func follow(_ old: Before, _ moments: NextMoment) throws {
    let (tables, number) = (moments.tables, old.number)
    guard let edited = try tables.alarms.read(number) else { return }
    if edit.changesPatience, let before = old.patience {
      try tables.occurrences.setPatience(of: number, from: before, to: edited.patience)
    }
    guard edit.changesRules || edit.timing != nil && edited.rules != .none else { return }
    guard edited.timing.kind == .every || edited.rules == edited.rules.ofOneShot && !edit.changesBounds else {
      throw ChangeError.wrongState(number: number, edited.phase)
    }
    try tables.daysOff.check(edited.rules)
    try moments.check(edited)
    var alarm = edited
    if edit.timing == nil {
      moments.give(&alarm, counted: old.counted, after: try moments.base(of: number))
    } else {
      let first = edited.due.map { Instant(microseconds: $0.microseconds) }
      moments.give(&alarm, counted: first, after: moments.now.wall)
    }
    if !waits(alarm), waits(edited) { throw ChangeError.neverRings(number: number) }
    try moments.store(alarm, over: edited)
  }

  private func waits(_ alarm: Alarm) -> Bool { alarm.due != nil || alarm.remaining != nil }

  private func values(_ tables: Tables, at moment: Instant) throws -> [AlarmTable.Value] {
    var values: [AlarmTable.Value] = []
    func set(_ column: AlarmColumn, _ value: (any StatementBinding)?) { values.append((column, value)) }
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
        .overAt, .doneAt, .doneClock, .doneDue, .remaining, .pausedDue, .zoneDue, .ahead,
      ]
      for column in others { set(column, nil) }
      if timing.kind != .every { for column in [AlarmColumn.skips, .exceptOn, .onlyOn] { set(column, nil) } }
    } else {
      if let from = edit.from { set(.beginsAt, from.microseconds) }
      if let until = edit.until { set(.until, until.microseconds) }
      if let count = edit.count { set(.count, count) }
      if edit.isEndless { for column in [AlarmColumn.until, .count] { set(column, nil) } }
    }
    if let leads = edit.leads { set(.leads, RecurrenceRows.column(leads)) }
    if let except = edit.except { set(.exceptOn, RecurrenceRows.column(except)) }
    if let onlyOn = edit.onlyOn { set(.onlyOn, RecurrenceRows.column(onlyOn)) }
    if let ifMissed = edit.ifMissed { set(.ifMissed, RecurrenceRows.column(ifMissed)) }
    return values
  }
}

/// The changed fields of alarms; nil keeps a field, `.some(nil)` clears a text.
package struct AlarmEdit: TakesManner, Sendable {
  package var label: String??
  package var category: Category?
  package var eggs: Int64?
  package var group: String??
  /// Its values that are not nil; an empty text, 0 and false clear.
  package var manner = Manner()
  package var timing: NewTiming?
  package var ifMissed: MissedPolicy?
  /// For recurring alarms only, as `until` and `count`; nil with a timing removes it.
  package var from: Instant?
  package var until: Instant?
  package var count: Int64?
  /// For recurring alarms only: removes the end and the number of rings.
  package var isEndless = false
  package var leads: [Lead]?
  /// Names of days off; for recurring alarms only.
  package var except: [String]?
  package var onlyOn: [String]?

  var changesPatience: Bool { manner.unansweredAfter != nil || manner.runUnanswered != nil }
  var changesRules: Bool { leads != nil || except != nil || onlyOn != nil || changesBounds }
  /// Its timing stays.
  var changesBounds: Bool { timing == nil && (from != nil || until != nil || count != nil || isEndless) }

  /// Replaces the timing: the alarm is scheduled (again) under its number.
  package struct NewTiming: Sendable {
    package var timing: Timing
    package var expression: String
    package var forcedKind: Timing.Kind?
    package var readingZone: String
    package var due: DuePoint
    /// The beginning, the end and the number of rings that the expression names.
    package var from: Instant?
    package var until: Instant?
    package var count: Int64?

    package init(
      timing: Timing, expression: String, forcedKind: Timing.Kind?, readingZone: String, due: DuePoint,
      from: Instant? = nil, until: Instant? = nil, count: Int64? = nil
    ) {
      self.timing = timing
      self.expression = expression
      self.forcedKind = forcedKind
      self.readingZone = readingZone
      self.due = due
      self.from = from
      self.until = until
      self.count = count
    }
  }

  package init() {}
}
