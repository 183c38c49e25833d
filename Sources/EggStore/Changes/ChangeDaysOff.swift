import Alarms
import EggTime
import GRDB
import Ringing

/// Makes, changes, renames or deletes a calendar of days off. The alarms that name it move at once; those whose moments
/// were all left out wait again.
package struct DaysOffChange: Change {
  package var name: String
  package var edit: Edit

  package enum Edit: Sendable {
    /// In the place of those that it has.
    case replace([DayRange])
    case add([DayRange])
    case rename(String)
    case delete
  }

  package init(_ name: String, _ edit: Edit) { (self.name, self.edit) = (name, edit) }

  package var kind: ChangeKind? { .daysOff }
  package var label: String? { name }
  package var mayBeOfMany: Bool { true }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    let users = NumberSet(try transaction.tables.daysOff.users(of: name))
    return (users, users)
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, table) = (transaction.tables, transaction.tables.daysOff)
    let users = try table.users(of: name)
    var outcome = ChangeOutcome()
    switch edit {
    case .replace(let ranges): try set(DaySet(ranges), users, &outcome, transaction, request.readAt)
    case .add(let ranges):
      let present = tables.zones.daysOff(named: name)?.ranges ?? []
      try set(DaySet(present + ranges), users, &outcome, transaction, request.readAt)
    case .rename(let new):
      let days = try table.days(of: name)
      guard new != name else { break }
      guard tables.zones.daysOff(named: new) == nil else { throw ChangeError.daysOffExist(new) }
      try transaction.step(users, daysOff: [name, new]) {
        try table.delete(name)
        try table.set(days, for: new)
        for number in users { try rename(in: number, to: new, tables) }
      }
    case .delete:
      _ = try table.days(of: name)
      guard users.isEmpty else {
        throw ChangeError.daysOffInUse(name, Array(users.prefix(ChangeOutcome.mostAlarms)))
      }
      try transaction.step([], daysOff: [name]) {
        try table.delete(name)
      }
      return outcome
    }
    let shown = if case .rename(let new) = edit { new } else { name }
    outcome.daysOff = DaysOffSums(name: shown, days: try table.days(of: shown), alarms: Int64(users.count))
    return outcome
  }

  private func set(
    _ days: DaySet, _ users: [Int64], _ outcome: inout ChangeOutcome, _ transaction: StoreTransaction,
    _ now: ClockReading
  ) throws {
    let tables = transaction.tables
    let present = tables.zones.daysOff(named: name)
    guard days != present else { return }
    guard days.ranges.count <= Limits.daysOff.ranges,
      present != nil || tables.zones.namesOfDaysOff.count < Limits.daysOff.calendars
    else { throw ChangeError.tooManyDaysOff }
    let moments = NextMoment(tables: tables, now: now)
    var moved: [Int64] = []
    try transaction.step(users, daysOff: [name]) {
      let before = try users.compactMap { number in
        try tables.alarms.read(number).map { ($0, try moments.counted($0)) }
      }
      try tables.daysOff.set(days, for: name)
      for (old, counted) in before {
        var alarm = old
        moments.give(&alarm, counted: counted, after: try moments.base(of: old.number))
        if try moments.store(alarm, over: old) { moved.append(old.number) }
      }
      // What came before now stays over, also where a zone changes.
      try tables.alarms.set([.modifiedAt: now.wall.microseconds], of: moved)
    }
    outcome.alarmsMoved = Int64(moved.count)
  }

  private func rename(in number: Int64, to new: String, _ tables: Tables) throws {
    guard let rules = try tables.alarms.read(number)?.rules else { return }
    func renamed(_ names: [String]) -> String? { RecurrenceRows.column(names.map { $0 == name ? new : $0 }) }
    try tables.alarms.set(
      [.exceptOn: renamed(rules.except), .onlyOn: renamed(rules.onlyOn)], of: [number])
  }
}

/// A calendar of days off, and how many alarms name it.
package struct DaysOffSums: Hashable, Sendable {
  package var name: String
  package var days: DaySet
  package var alarms: Int64
}
