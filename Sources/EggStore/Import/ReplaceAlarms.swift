import EggTime
import GRDB

extension Images {
  /// The staged alarms whose identities exist, and the numbers that these have. Of two with one identity the
  /// last counts.
  func present() throws -> [(place: Int64, number: Int64)] {
    let rows = try database.allRows(
      """
      SELECT max(i.place), a.number FROM alarm_image i JOIN alarm a ON a.id = i.id
      WHERE i.holder = ? AND i.side = 0 GROUP BY a.number ORDER BY a.number
      """, [holder])
    return rows.compactMap { row in
      guard let place = int(row, 0), let number = int(row, 1) else { return nil }
      return (place, number)
    }
  }
}

/// Gives alarms what staged ones with their identities say: texts, done mark, and a timing if it is another one.
/// A ring goes on unless the timing changes. What calendars do not know stays.
struct Replacing {
  let tables: Tables
  let images: Images
  let now: ClockReading

  /// The columns by which two timings differ. What follows from them (the next moment) does not count: it moves
  /// with the clock and with rings.
  private static let compared: [AlarmColumn] =
    AlarmRows.timing + [
      .beginsAt, .until, .count, .leads, .skips, .exceptOn, .onlyOn,
    ]
  /// The columns that come with a new timing.
  private static let taken: [AlarmColumn] =
    compared + [
      .expression, .forcedKind, .readingZone, .state, .overAt, .clock, .due, .doneAt, .doneClock, .doneDue,
      .calledAt, .ahead,
    ]
  private static let texts: [AlarmColumn] = [.label, .category, .eggs, .group, .summary, .body, .note]

  /// - Returns: The numbers of those that missed their new moments.
  func replace(_ alarms: [(place: Int64, number: Int64)]) throws -> [Int64] {
    let places = alarms.map(\.place).jsonList
    func numbers(_ condition: String) throws -> [Int64] {
      try tables.database.numbers(
        """
        SELECT a.number FROM alarm_image i JOIN alarm a ON a.id = i.id
        WHERE i.holder = ? AND i.side = 0 AND i.place IN (SELECT value FROM json_each(?)) AND \(condition)
        """, [images.holder, places])
    }
    func take(_ columns: [AlarmColumn], of numbers: [Int64]) throws {
      let values = columns.map { "\"\($0.name)\" = i.\"\($0.name)\"" }.joined(separator: ", ")
      try tables.database.run(
        """
        UPDATE alarm SET \(values) FROM alarm_image i
        WHERE i.holder = ? AND i.side = 0 AND i.place IN (SELECT value FROM json_each(?)) AND alarm.id = i.id
          AND +alarm.number IN (SELECT value FROM json_each(?))
        """, [images.holder, places, numbers.jsonList])
    }
    let isSame = AlarmColumn.same(Self.compared, "i", "a")
    var moved = try numbers("NOT \(isSame)")
    let done = try numbers("\(isSame) AND i.doneAt IS NOT NULL AND a.doneAt IS NULL")
    let undone = try numbers("\(isSame) AND i.doneAt IS NULL AND a.doneAt IS NOT NULL")
    try take(Self.texts, of: alarms.map(\.number))
    try tables.alarms.set([.modifiedAt: now.wall.microseconds], of: alarms.map(\.number))
    try take(Self.taken, of: moved)
    try tables.alarms.set([.remaining: nil, .pausedDue: nil, .zoneDue: nil, .anniversary: nil], of: moved)
    try tables.occurrences.endRinging(moved + done, at: now.wall)
    try tables.occurrences.endSkips(moved, at: now.wall)
    try tables.alarms.setDone(done, at: now.wall)
    moved += try tables.alarms.clearDone(undone)
    try tables.alarms.settle(done + undone, at: now.wall)
    return try CatchingUp(tables: tables, now: now).bringToPresent(moved, areImported: true)
  }
}
