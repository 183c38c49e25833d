import EggTime
import GRDB

extension Images {
  /// The staged alarms whose identities exist, and the numbers that these have. Of two with one identity the
  /// last counts.
  func present() throws -> [(place: Int64, number: Int64)] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT max(i.place), a.number FROM alarm_image i JOIN alarm a ON a.id = i.id
        WHERE i.holder = ? AND i.side = 0 GROUP BY a.number ORDER BY a.number
        """, arguments: [holder])
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
    let select = try tables.database.cachedStatement(sql: Images.presentAlarm)
    var moved: [Int64] = []
    for (place, number) in alarms {
      guard let image = try images.alarm(place, .before),
        let present = try Row.fetchOne(select, arguments: [number])
      else { continue }
      let differences = Images.difference(image, present)
      var columns = Self.texts.filter(differences.contains)
      let isMoved = !differences.isDisjoint(with: Self.compared)
      if isMoved { columns += Self.taken }
      let values =
        columns.map { ($0, image.value(of: $0)) } + [(.modifiedAt, now.wall.microseconds.databaseValue)]
      try tables.alarms.set(values, of: [number])
      if isMoved {
        try tables.alarms.set(
          [.remaining: nil, .pausedDue: nil, .zoneDue: nil, .anniversary: nil], of: [number])
        try tables.occurrences.endRinging([number], at: now.wall)
        try tables.occurrences.endSkips([number], at: now.wall)
        moved.append(number)
      } else if let alarm = try tables.alarms.read(number),
        (image.int(.doneAt) != nil) != (alarm.doneAt != nil)
      {
        if alarm.doneAt == nil {
          try tables.occurrences.endRinging([number], at: now.wall)
          try tables.alarms.setDone([number], at: now.wall)
        } else {
          moved += try tables.alarms.clearDone([number])
        }
        try tables.alarms.settle([number], at: now.wall)
      }
    }
    return try CatchingUp(tables: tables, now: now).bringToPresent(moved, areImported: true)
  }
}
