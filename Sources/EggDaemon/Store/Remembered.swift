import Alarms
import EggTime
import GRDB

/// What the scheduler waits for and a damaged file has lost.
struct Remembered {
  var entries: [HeadEntry] = []
  var now: ClockReading

  /// Makes alarms of those that are not in that database, so that they ring, are listed and can be deleted. What only
  /// their rows knew (category, eggs, group) is lost.
  ///
  /// - Returns: How many.
  func restore(in database: Database) throws -> Int {
    var count = 0
    for entry in entries {
      let found = try Row.fetchOne(
        database, sql: "SELECT due FROM alarm WHERE number = ?", arguments: [entry.key.number])
      if found == nil {
        try insert(entry, into: database)
        count += 1
      } else if entry.key.occurrence != 0 {
        try resume(entry, in: database)
      }
    }
    return count
  }

  private func insert(_ entry: HeadEntry, into database: Database) throws {
    let number = entry.key.number
    let alarm = Alarm(
      number: number, id: entry.card.id, label: entry.card.label, position: number << 20,
      summary: entry.card.summary, body: entry.card.body, icon: entry.card.icon, timing: timing(of: entry),
      expression: entry.card.expression, readingZone: entry.recurrence?.zone.identifier ?? "UTC",
      ifMissed: entry.ifMissed, until: entry.recurrence?.until, count: entry.recurrence?.count,
      createdAt: now.wall, due: entry.due)
    let columns = AlarmRows.columns(of: alarm).filter { $0.key != "group" }
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO alarm (\(columns.keys.map { "\"\($0)\"" }.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """
    ).run(Array(columns.values))
  }

  private func timing(of entry: HeadEntry) -> Timing {
    if let recurrence = entry.recurrence {
      return .every(recurrence.event, zone: recurrence.zone.identifier, floats: false)
    }
    if entry.due.clock == .wall { return .instant(Instant(microseconds: entry.due.microseconds)) }
    return .countdown(TimeSpan(microseconds: max(entry.due.microseconds - now.boot, 1)))
  }

  /// The end of a snooze whose occurrence was lost becomes the alarm's own moment.
  private func resume(_ entry: HeadEntry, in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE alarm SET state = 'scheduled', overAt = NULL, clock = ?, due = ? WHERE number = ? AND due IS NULL
          AND NOT EXISTS (SELECT 1 FROM occurrence WHERE id = ?)
        """,
      arguments: [
        entry.due.clock.rawValue, entry.due.microseconds, entry.key.number, entry.key.occurrence,
      ])
  }
}
