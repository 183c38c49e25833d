import Alarms
import EggTime
import GRDB
import Ringing

/// What changes when the wall clock is set.
extension StoreTransaction {
  /// - Parameter step: By how much the clock was set since the boot's row was written. Unless it was set back, rows are
  ///   read only if the youngest of them show that the clock was once wrong.
  func followClock(at reading: ClockReading, step: TimeSpan) throws {
    let clock = WrongClock(now: reading, step: step)
    let wrong = reading.wall + Recurrence.farAhead
    if try step < .zero - Recurrence.farAhead || WrongClock.stood(after: wrong, database) {
      try follow(FarAhead(tables: tables, clock: clock))
    }
    try setCallsRight(clock)
  }

  /// Rings that could not be recorded before the clock was set back give their alarms the next moments of that clock.
  func followClock(at now: ClockReading, recording last: Instant) throws {
    let wrong = now.wall + Recurrence.farAhead
    if last > wrong { try follow(FarAhead(tables: tables, clock: WrongClock(now: now))) }
  }

  private func follow(_ far: FarAhead) throws {
    let candidates = try far.moments().map(\.number)
    guard !candidates.isEmpty else { return }
    try hold(NumberSet(candidates))
    // Recording rings may have changed some rows.
    let moved = try far.moments(of: candidates.jsonList)
    guard !moved.isEmpty else { return }
    try step(moved.map(\.number)) {
      try far.move(moved)
    }
  }

  /// Calls may have been read before the clock was set back, and come to their turn after that.
  func setRight(_ calls: [ClockReading], at now: ClockReading) throws {
    let latest = WrongClock(now: now).latest
    guard let last = calls.max(by: { $0.wall < $1.wall }), last.wall > latest else { return }
    let step = TimeSpan(microseconds: now.bootOffset - last.bootOffset)
    try setCallsRight(WrongClock(now: now, step: step, movesIntervals: false))
  }

  private func setCallsRight(_ clock: WrongClock) throws {
    let correction = ClockCorrection(tables: tables, clock: clock)
    let numbers = try correction.candidates()
    guard !numbers.isEmpty else { return }
    try hold(NumberSet(numbers))
    try step(numbers) {
      try correction.setRight(numbers)
      try correction.setSnoozesRight(of: numbers.jsonList)
    }
  }
}

/// Recurring alarms that advanced, or were changed, while the wall clock was more than a day ahead. They would be silent
/// until that time comes; instead they wait for their next elapse after now. Those that were made then: ``WrongClock``.
struct FarAhead {
  let tables: Tables
  let clock: WrongClock
  private var wrong: Instant { clock.now.wall + Recurrence.farAhead }

  /// Those that are to wait for another moment.
  ///
  /// - Parameter list: Of alarms, for `json_each`; nil for all.
  fileprivate func moments(of list: String? = nil) throws -> [(number: Int64, moment: Recurrence.Moment)] {
    var sql = Self.rows + " AND a.due > ? AND ifnull(a.calledAt, 0) <= ?"
    var arguments: StatementArguments = [wrong.microseconds, clock.latest.microseconds]
    if let list {
      sql += " AND a.number IN (SELECT value FROM json_each(?))"
      arguments += [list]
    }
    let rows = try Row.fetchCursor(tables.database, sql: sql, arguments: arguments)
    var moments: [(Int64, Recurrence.Moment)] = []
    while let row = try rows.next() {
      if let number = row.int(.number), let moment = moment(row) { moments.append((number, moment)) }
    }
    return moments
  }

  /// Moves alarms that an undo brings back, which the caller holds.
  ///
  /// - Parameter list: Their numbers, for `json_each`.
  func move(_ list: String) throws { try move(moments(of: list)) }

  fileprivate func move(_ moved: [(number: Int64, moment: Recurrence.Moment)]) throws {
    for (number, moment) in moved {
      try tables.database.run(
        "UPDATE alarm SET due = ?, ahead = ?, zoneDue = NULL WHERE number = ?",
        [moment.ring.microseconds, RecurrenceRows.column(moment.ahead), number])
    }
  }

  private static let rows = """
    SELECT \(AlarmColumn.list(of: "a")), \(OccurrenceColumn.list(of: "o"))
    FROM alarm a LEFT JOIN occurrence o
      ON o.id = (SELECT id FROM occurrence WHERE alarm = a.number AND id > coalesce(a.wrongUntil, 0)
        ORDER BY id DESC LIMIT 1)
    WHERE a.kind = 'every' AND a.clock = 0
    """

  /// The new moment for a row of ``rows``; nil to keep the old one.
  private func moment(_ row: Row) -> Recurrence.Moment? {
    let now = clock.now.wall
    // It moves by the step.
    if clock.step < .zero, let call = row.instant(.calledAt),
      ClockCorrection(tables: tables, clock: clock).countsElapsed(row, from: call)
    {
      return nil
    }
    guard let due = row.int(.due), let recurrence = RecurrenceRows.recurrence(row, zones: tables.zones) else {
      return nil
    }
    let last = AlarmColumn.width
    let dueAt = row.instant(.dueAt, from: last)
    let isSkipped = row.text(.outcome, from: last) == Occurrence.Outcome.skipped.rawValue
    // A skipped elapse is no ring.
    let fired =
      isSkipped ? nil : dueAt.map { $0 + TimeSpan(microseconds: row.int(.lateness, from: last) ?? 0) }
    // The end of a snooze has a lateness of its own.
    let rang = isSkipped ? nil : row.int(.firedAt, from: last).map { Instant(microseconds: $0) }
    let known = [row.instant(.createdAt), row.instant(.modifiedAt), fired, rang].compactMap { $0 }
    guard let latest = known.max(), latest > wrong else { return nil }
    var next = recurrence.next(after: now)
    // The elapse that the user skipped, by whichever clock.
    if isSkipped, let skipped = dueAt, next?.ring == skipped { next = recurrence.next(after: skipped) }
    guard let next, next.ring.microseconds < due else { return nil }
    return next
  }
}
