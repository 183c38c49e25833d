import Alarms
import EggTime
import GRDB
import Ringing

/// Turns images into rows: what a change deleted, or what an import creates.
extension StoreTransaction {
  /// What ``reinsert(_:except:at:_:)`` made.
  struct Restored {
    var numbers = NumberSet([])
    var count: Int64 = 0
    /// Alarms whose identity exists.
    var existed: Int64 = 0
    /// Those that missed their moments.
    var missed: [Int64] = []
    /// The last image that was looked at.
    fileprivate var lastPlace = Int64.min
    /// The last number given.
    fileprivate var lastNumber: Int64
  }

  /// How images become rows: as they are, or with what only an import has.
  struct RowShape {
    /// The images name groups instead of holding their keys.
    var namesGroups = false
    /// The positions follow this one, in the order of the places; nil where the images have their positions.
    var positionsFrom: Int64?

    /// Of the image at this place; nil where the images have their positions.
    fileprivate func position(at place: Int64) -> Int64? {
      positionsFrom.map { $0 + ListOrder.step * place }
    }

    /// The select list from the images `i`; ?2 is the first place, with number ?3 and position ?4.
    fileprivate var columns: String {
      AlarmColumn.allCases.map { column in
        switch column {
        case .group where namesGroups: #"(SELECT id FROM alarm_group WHERE name = i."group")"#
        case .number: "?3 + (place - ?2)"
        case .position where positionsFrom != nil: "?4 + \(ListOrder.step) * (place - ?2)"
        default: "i.\"\(column.name)\""
        }
      }.joined(separator: ", ")
    }
  }

  /// Alarms per statement: enough that the statements themselves cost little, few enough for their lists.
  private static let restoredAtOnce = 2_048

  /// Restores all alarms of the images that have no image after the change, with their occurrences. Skips an
  /// alarm whose identity exists.
  func reinsert(
    _ images: Images, except kept: Set<Int64> = [], at now: ClockReading, _ shape: RowShape = RowShape()
  ) throws -> Restored {
    var restored = Restored(lastNumber: try nextFreeNumber(images))
    let hasOccurrences = try images.hasOccurrences()
    while true {
      let before = restored.lastPlace
      let numbers = try giveNumbers(images, except: kept, &restored)
      guard restored.lastPlace > before else { return restored }
      try insert(numbers, images, shape, hasOccurrences: hasOccurrences)
      let made = numbers.map(\.number)
      restored.numbers.add(NumberSet(made))
      restored.count += Int64(made.count)
      restored.missed += try bringToPresent(made, at: now, haveOccurrences: hasOccurrences)
    }
  }

  private func insert(
    _ numbers: [(place: Int64, number: Int64)], _ images: Images, _ shape: RowShape, hasOccurrences: Bool
  ) throws {
    // If one row fails, all do: OR FAIL spares SQLite the copies of pages by which it would undo this statement alone.
    let insert = try database.cachedStatement(
      sql: """
        INSERT OR FAIL INTO alarm (\(AlarmColumn.list()))
        SELECT \(shape.columns) FROM alarm_image i
        WHERE holder = ?1 AND side = 0 AND place BETWEEN ?2 AND \(shape.positionsFrom == nil ? "?4" : "?5")
        """)
    // Places and numbers that go up side by side are one statement.
    var rest = numbers[...]
    while let first = rest.first {
      let run = rest.enumerated().prefix {
        $1.place == first.place &+ Int64($0) && $1.number == first.number &+ Int64($0)
      }
      let last = run.last?.element.place ?? first.place
      let position = shape.position(at: first.place).map { [$0] } ?? []
      try insert.run([images.holder, first.place, first.number] + position + [last])
      rest = rest.dropFirst(run.count)
    }
    guard hasOccurrences else { return }
    for (place, number) in numbers where try images.hasOccurrences(place) {
      try reinsertOccurrences(images, place, of: number)
    }
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

  /// Above all numbers that are taken, now or by the images.
  private func nextFreeNumber(_ images: Images) throws -> Int64 {
    let last = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'alarm'") ?? 0
    let imaged = try Int64.fetchOne(
      database,
      sql: """
        SELECT max(number) FROM alarm_image i WHERE holder = ? AND side = 0
          AND NOT EXISTS (SELECT 1 FROM alarm WHERE number = i.number)
        """, arguments: [images.holder])
    return max(last, imaged ?? 0)
  }

  /// Gives each of the next alarms a number of its own, and the first one with a key that key. Skips alarms whose
  /// identities exist.
  private func giveNumbers(
    _ images: Images, except kept: Set<Int64>, _ restored: inout Restored
  ) throws -> [(place: Int64, number: Int64)] {
    let rows = try database.cachedStatement(
      sql: """
        SELECT i.place, i.number, i.id, EXISTS (SELECT 1 FROM alarm WHERE number = i.number),
          EXISTS (SELECT 1 FROM alarm WHERE id = i.id), i.key, EXISTS (SELECT 1 FROM alarm WHERE key = i.key)
        FROM alarm_image i WHERE holder = ? AND side = 0 AND place > ? AND \(Images.isDeleted)
        ORDER BY place LIMIT ?
        """
    ).rows([images.holder, restored.lastPlace, Self.restoredAtOnce])
    var given: [(place: Int64, number: Int64)] = []
    var numberless: [Int64] = []
    var numbers: Set<Int64> = []
    var identities: Set<AlarmID> = []
    var keys: Set<String> = []
    var keyless: [Int64] = []
    while let row = try rows.next() {
      // An invalid UUID was the alarm's own identity, and unique there.
      let id = text(row, 2).flatMap { AlarmID($0) }
      guard let place = int(row, 0) else { continue }
      restored.lastPlace = place
      guard !kept.contains(place) else { continue }
      guard int(row, 4) == 0, id.map({ identities.insert($0).inserted }) ?? true else {
        restored.existed += 1
        continue
      }
      if let number = int(row, 1), int(row, 3) == 0, numbers.insert(number).inserted {
        given.append((place, number))
      } else {
        numberless.append(place)
      }
      if let key = text(row, 5), int(row, 6) == 1 || !keys.insert(key).inserted { keyless.append(place) }
    }
    let key = try database.cachedStatement(
      sql:
        "UPDATE alarm_image SET key = NULL, keyedRequest = NULL WHERE holder = ? AND side = 0 AND place = ?")
    for place in keyless { try key.run([images.holder, place]) }
    for place in numberless {
      restored.lastNumber = restored.lastNumber.successor
      given.append((place, restored.lastNumber))
    }
    return given.sorted { $0.place < $1.place }
  }

  /// Updates alarms from old rows, which are held or new: their zones may have changed, and their moments may
  /// be past.
  ///
  /// - Returns: Those that missed their moments.
  func bringToPresent(
    _ numbers: [Int64], at now: ClockReading, haveOccurrences: Bool = true
  ) throws -> [Int64] {
    guard !numbers.isEmpty else { return [] }
    let list = numbers.jsonList
    var past: Set<Int64> = []
    var civil: [Int64] = []
    var ahead: [Int64] = []
    let wrong = now.wall + WrongClock.tolerance
    var noted: Set<String> = []
    let waiting = try database.cachedStatement(
      sql: """
        SELECT number, clock, due, zone, floats, civil, calledAt FROM alarm
        WHERE number IN (SELECT value FROM json_each(?)) AND due IS NOT NULL
          AND (clock <> 0 OR due <= ? OR zone IS NOT NULL OR calledAt > ?)
        """
    ).rows([list, now.wall.microseconds, wrong.microseconds])
    while let row = try waiting.next() {
      guard let number = int(row, 0) else { continue }
      // A past moment passed on the clock that it was on.
      guard tables.wall(due(row, at: 1), now) > now.wall else {
        past.insert(number)
        continue
      }
      // The clock was set right since.
      if let calledAt = int(row, 6), calledAt > wrong.microseconds { ahead.append(number) }
      guard let zone = text(row, 3) else { continue }
      let floats = int(row, 4) != 0
      if !floats { noted.insert(zone) }
      // Most are as their zones have them.
      if let time = text(row, 5).flatMap({ CivilDateTime($0) }),
        let present = zones.zone(zone, floats: floats),
        present.identifier == zone, int(row, 1) == 0,
        present.resolve(time).instant.microseconds == int(row, 2)
      {
        continue
      }
      civil.append(number)
    }
    for zone in noted.sorted() { try noteZone(zone) }
    past.formUnion(try resolveAnew(civil, at: now.wall, keepsElapses: true, areHeld: true))
    let clock = WrongClock(now: now)
    past.formUnion(try setRight(ahead, clock))
    if haveOccurrences {
      try followFar(list, clock)
      try setSnoozesRight(of: list, clock)
    }
    var missed = haveOccurrences ? try missSnoozes(of: list, at: now) : []
    for number in past.sorted() where try missPast(number, at: now) { missed.insert(number) }
    return missed.sorted()
  }

  /// Records an alarm's past moment as missed instead of ringing; a recurring alarm advances.
  ///
  /// - Returns: Whether there was one.
  private func missPast(_ number: Int64, at now: ClockReading) throws -> Bool {
    guard let alarm = try tables.alarms.read(number), alarm.state == .scheduled,
      let due = alarm.due.map({ tables.wall($0, now) }), due <= now.wall
    else { return false }
    let course = tables.recurrence(of: alarm)?.course(from: due, to: now.wall)
    let elapsed = course?.elapsed ?? 1
    try tables.alarms.pass(number, to: course?.next, elapsed: elapsed)
    try tables.occurrences.note(.missed, of: number, dueAt: due, elapsed: elapsed, at: now.wall)
    try tables.alarms.settle([number], at: now.wall)
    return true
  }

  /// Records snoozes whose end is past as missed.
  ///
  /// - Parameter list: Of alarms, for `json_each`.
  private func missSnoozes(of list: String, at now: ClockReading) throws -> Set<Int64> {
    var past: [(alarm: Int64, id: Int64, due: Instant)] = []
    let rows = try database.cachedStatement(
      sql: """
        SELECT alarm, id, clock, due FROM occurrence
        WHERE alarm IN (SELECT value FROM json_each(?)) AND due IS NOT NULL ORDER BY alarm, id
        """
    ).rows([list])
    while let row = try rows.next() {
      let due = tables.wall(due(row, at: 2), now)
      if due <= now.wall, let alarm = int(row, 0), let id = int(row, 1) { past.append((alarm, id, due)) }
    }
    let dismiss = try database.cachedStatement(
      sql: "UPDATE occurrence SET dismissedAt = ?, snoozedUntil = NULL, clock = 0, due = NULL WHERE id = ?")
    for (alarm, id, due) in past {
      try dismiss.run([now.wall.microseconds, id])
      try tables.occurrences.note(.missed, of: alarm, dueAt: due, at: now.wall)
      try tables.alarms.settle([alarm], at: now.wall)
    }
    return Set(past.map(\.alarm))
  }

  /// A clock and a point of it, as they are now.
  private func due(_ row: Columns, at index: Int) -> DuePoint {
    clocks.present(
      DuePoint(clock: ClockID(rawValue: int(row, index) ?? 0), microseconds: int(row, index + 1) ?? 0))
  }
}
