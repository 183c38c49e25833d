import Alarms
import EggTime
import GRDB

/// Turns images into rows: what a change deleted, or what an import creates.
extension StoreTransaction {
  /// Restores the alarms at these places, with their occurrences. Skips an alarm whose identity exists.
  ///
  /// - Returns: Their numbers, and those that missed their moments.
  func reinsert(
    _ images: Images, _ places: [Int64], at now: ClockReading
  ) throws -> (numbers: [Int64], missed: [Int64]) {
    guard !places.isEmpty else { return ([], []) }
    let numbers = try giveNumbers(images, places)
    try database.execute(
      sql: """
        UPDATE alarm_image SET key = NULL, keyedRequest = NULL
        WHERE holder = ?1 AND side = 0 AND key IS NOT NULL
          AND (EXISTS (SELECT 1 FROM alarm WHERE key = alarm_image.key)
            OR place NOT IN (SELECT min(place) FROM alarm_image
              WHERE holder = ?1 AND side = 0 AND key IS NOT NULL GROUP BY key))
        """, arguments: [images.holder])
    let alarm = try database.cachedStatement(
      sql: """
        INSERT INTO alarm (\(AlarmColumn.list()))
        SELECT \(AlarmColumn.list()) FROM alarm_image WHERE holder = ? AND side = 0 AND place = ?
        """)
    for (place, number) in numbers {
      try alarm.run([images.holder, place])
      try reinsertOccurrences(images, place, of: number)
    }
    let restored = numbers.map(\.number)
    return (restored, try bringToPresent(restored, at: now))
  }

  /// Occurrences whose keys are taken get the next free keys.
  func reinsertOccurrences(_ images: Images, _ place: Int64, of number: Int64) throws {
    let columns = OccurrenceColumn.list(
      OccurrenceColumn.allCases.filter { ![.id, .alarm, .bubble, .bubbleServer].contains($0) })
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO occurrence (alarm, id, \(columns))
        SELECT ?, id, \(columns) FROM occurrence_image WHERE holder = ? AND side = 0 AND place = ?
        """
    ).run([number, images.holder, place])
    let left = try database.cachedStatement(
      sql: """
        SELECT id FROM occurrence_image i WHERE holder = ? AND side = 0 AND place = ?
          AND NOT EXISTS (SELECT 1 FROM occurrence o WHERE o.id = i.id AND o.alarm = ?) ORDER BY id
        """)
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO occurrence (alarm, id, \(columns))
        SELECT ?1, (SELECT id + 1 FROM occurrence o
            WHERE id >= ?4 AND NOT EXISTS (SELECT 1 FROM occurrence WHERE id = o.id + 1) ORDER BY id LIMIT 1),
          \(columns) FROM occurrence_image WHERE holder = ?2 AND side = 0 AND place = ?3 AND id = ?4
        """)
    for id in try Int64.fetchAll(left, arguments: [images.holder, place, number]) {
      try insert.execute(arguments: [number, images.holder, place, id])
    }
  }

  /// Gives each alarm a number of its own. Skips alarms whose identities exist.
  private func giveNumbers(
    _ images: Images, _ places: [Int64]
  ) throws -> [(place: Int64, number: Int64)] {
    let image = try database.cachedStatement(
      sql: """
        SELECT i.number, i.id, EXISTS (SELECT 1 FROM alarm WHERE number = i.number),
          EXISTS (SELECT 1 FROM alarm WHERE id = i.id)
        FROM alarm_image i WHERE holder = ? AND side = 0 AND place = ?
        """)
    var given: [(place: Int64, number: Int64)] = []
    var numberless: [Int64] = []
    var numbers: Set<Int64> = []
    var identities: Set<AlarmID> = []
    for place in places {
      let found = try image.first([images.holder, place]) { row in
        (
          number: int(row, 2) == 0 ? int(row, 0) : nil, isNew: int(row, 3) == 0,
          // An invalid UUID was the alarm's own identity, and unique there.
          id: text(row, 1).flatMap { AlarmID($0) }
        )
      }
      guard let found, found.isNew, found.id.map({ identities.insert($0).inserted }) ?? true else { continue }
      if let number = found.number, numbers.insert(number).inserted {
        given.append((place, number))
      } else {
        numberless.append(place)
      }
    }
    let last = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'alarm'") ?? 0
    var next = max(last, numbers.max() ?? 0)
    let number = try database.cachedStatement(
      sql: "UPDATE alarm_image SET number = ? WHERE holder = ? AND side = 0 AND place = ?")
    for place in numberless {
      next = next.successor
      try number.run([next, images.holder, place])
      given.append((place, next))
    }
    return given.sorted { $0.place < $1.place }
  }

  /// Updates alarms from old rows: their zones may have changed, and their moments may be past.
  ///
  /// - Returns: Those that missed their moments.
  func bringToPresent(_ numbers: [Int64], at now: ClockReading) throws -> [Int64] {
    let look = try database.cachedStatement(
      sql: "SELECT clock, due, zone, floats FROM alarm WHERE number = ? AND due IS NOT NULL")
    var civil: [Int64] = []
    for number in numbers {
      let found = try look.first([number]) { row in
        (due: due(row, at: 0), zone: text(row, 2), floats: int(row, 3) != 0)
      }
      // A past moment passed on the clock that it was on.
      guard let found, wall(found.due, now) > now.wall, let zone = found.zone else { continue }
      if !found.floats { try noteZone(zone) }
      civil.append(number)
    }
    _ = try resolveAnew(civil, at: now.wall, keepsElapses: true)
    let snoozed = try database.cachedStatement(
      sql: "SELECT id, clock, due FROM occurrence WHERE alarm = ? AND due IS NOT NULL")
    var missed: [Int64] = []
    for number in numbers {
      var isMissed = false
      var past: [(id: Int64, due: DuePoint)] = []
      let rows = try snoozed.rows([number])
      while let row = try rows.next() {
        if let id = int(row, 0) { past.append((id, due(row, at: 1))) }
      }
      for (id, due) in past where wall(due, now) <= now.wall {
        try database.execute(
          sql:
            "UPDATE occurrence SET dismissedAt = ?, snoozedUntil = NULL, clock = 0, due = NULL WHERE id = ?",
          arguments: [now.wall.microseconds, id])
        try noteOccurrence(.missed, of: number, dueAt: wall(due, now), at: now.wall)
        try settle(number, at: now.wall)
        isMissed = true
      }
      if let due = try look.first([number], { due($0, at: 0) }), wall(due, now) <= now.wall {
        isMissed = try missPast(number, at: now) || isMissed
      }
      if isMissed { missed.append(number) }
    }
    return missed
  }

  /// A clock and a point of it, as they are now.
  private func due(_ row: Columns, at index: Int) -> DuePoint {
    clocks.present(
      DuePoint(clock: ClockID(rawValue: int(row, index) ?? 0), microseconds: int(row, index + 1) ?? 0))
  }
}
