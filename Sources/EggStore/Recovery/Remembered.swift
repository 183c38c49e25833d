import Alarms
import EggTime
import GRDB
import Ringing

/// What memory knows about a damaged file's alarms.
struct Remembered {
  let entries: [HeadEntry]
  let now: ClockReading

  /// Creates the alarms that are missing from the database, so that they ring, are listed and can be deleted;
  /// records their rings. Lost are the values that only rows held: category, eggs, group, key, done mark,
  /// days on which it keeps quiet, anniversary, civil time, whether it floats, forced kind, creation, when a snoozed alarm
  /// rang, and what rings.
  ///
  /// - Returns: How many alarms.
  func restore(in database: Database) throws -> Int {
    var count = 0
    let snoozed = entries.filter { $0.key.occurrence != 0 && $0.unanswered == nil }
    for entry in entries.filter({ $0.key.occurrence == 0 }) + snoozed {
      let found = try Row.fetchOne(
        database, sql: "SELECT 1 FROM alarm WHERE number = ?", arguments: [entry.key.number])
      if found == nil {
        try insert(entry, into: database)
        count += 1
      }
      if entry.key.occurrence != 0 { try insertSnoozed(entry, into: database) }
    }
    return count
  }

  private func insert(_ entry: HeadEntry, into database: Database) throws {
    let number = entry.key.number
    let alarm = Alarm(
      number: number, id: entry.card.id, label: entry.card.label, position: number << 20,
      // Like a salvage, it brings no commands.
      manner: entry.card.manner.withoutCommands, timing: timing(of: entry),
      expression: entry.card.expression, readingZone: entry.recurrence?.zone.identifier ?? "UTC",
      ifMissed: entry.ifMissed, from: entry.recurrence?.from,
      until: entry.recurrence?.until, count: entry.recurrence?.count,
      rules: MomentRules(leads: (entry.recurrence?.leads).flatMap { $0 == [.zero] ? nil : $0 } ?? []),
      createdAt: now.wall, due: entry.key.occurrence == 0 ? entry.due : nil, ahead: entry.ahead)
    let columns = AlarmColumn.allCases.filter { $0 != .group }
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO alarm (\(AlarmColumn.list(columns)))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
    ).run { values in for column in columns { values.add(column, of: alarm) } }
  }

  private func timing(of entry: HeadEntry) -> Timing {
    if let recurrence = entry.recurrence, case .every(let time) = recurrence.timing {
      return .every(time, zone: recurrence.zone.identifier, floats: false)
    }
    if entry.due.clock == .wall { return .instant(Instant(microseconds: entry.due.microseconds)) }
    return .countdown(max(left(until: entry.due), TimeSpan(microseconds: 1)))
  }

  private func left(until due: DuePoint) -> TimeSpan {
    Instant(microseconds: due.microseconds) - Instant(microseconds: now.boot)
  }

  /// The snoozed occurrence, as if it had rung now.
  private func insertSnoozed(_ entry: HeadEntry, into database: Database) throws {
    let isOnWall = entry.due.clock == .wall
    let until = isOnWall ? Instant(microseconds: entry.due.microseconds) : now.wall + left(until: entry.due)
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO occurrence
          (id, alarm, dueAt, outcome, firedAt, journaledAt, snoozedUntil, clock, due)
        VALUES (?1, ?2, ?3, 'rung', ?3, ?3, ?4, ?5, ?6)
        """,
      arguments: [
        entry.key.occurrence, entry.key.number, now.wall.microseconds, until.microseconds,
        entry.due.clock.rawValue, entry.due.microseconds,
      ])
  }
}
