import Alarms
import EggTime
import GRDB

/// Updates alarms from old rows, which are held or new: their zones may have changed, and their moments may be past.
struct CatchingUp {
  let tables: Tables
  let now: ClockReading
  private var database: Database { tables.database }

  /// - Returns: Those that missed their moments.
  func bringToPresent(
    _ numbers: [Int64], haveOccurrences: Bool = true, areImported: Bool = false
  ) throws -> [Int64] {
    guard !numbers.isEmpty else { return [] }
    let list = numbers.jsonList
    var past: Set<Int64> = []
    var civil: [Int64] = []
    var led: [Int64] = []
    var noted: Set<String> = []
    let waiting = try database.rows(
      """
      SELECT number, clock, due, zone, floats, civil, coalesce(leads, skips, exceptOn, onlyOn) IS NOT NULL
      FROM alarm
      WHERE number IN (SELECT value FROM json_each(?)) AND due IS NOT NULL
        AND (clock <> 0 OR due <= ? OR zone IS NOT NULL OR coalesce(leads, skips, exceptOn, onlyOn) IS NOT NULL)
      """, [list, now.wall.microseconds])
    while let row = try waiting.next() {
      guard let number = int(row, 0) else { continue }
      // A past moment passed on the clock that it was on.
      guard tables.wall(due(row, at: 1), now) > now.wall else {
        past.insert(number)
        continue
      }
      if int(row, 6) == 1 { led.append(number) }
      guard let zone = text(row, 3) else { continue }
      let floats = int(row, 4) != 0
      if !floats { noted.insert(zone) }
      // Most are as their zones have them.
      if let time = text(row, 5).flatMap({ CivilDateTime($0) }),
        let present = tables.zones.zone(zone, floats: floats),
        present.identifier == zone, int(row, 1) == 0,
        present.resolve(time).instant.microseconds == int(row, 2)
      {
        continue
      }
      civil.append(number)
    }
    for zone in noted.sorted() { try tables.resolver.note(zone) }
    past.formUnion(try tables.resolver.resolve(civil, at: now.wall, keepsElapses: true))
    let clock = WrongClock(now: now)
    let correction = ClockCorrection(tables: tables, clock: clock)
    // The clock was set right since.
    let ahead = try database.numbers(
      "SELECT number FROM alarm WHERE number IN (SELECT value FROM json_each(?)) AND calledAt > ?",
      [list, clock.latest.microseconds])
    past.formUnion(try correction.setRight(ahead))
    try giveMoments(led, areImported: areImported)
    if haveOccurrences {
      try FarAhead(tables: tables, clock: clock).move(list)
      _ = try tables.resolver.resolveSnoozes(numbers, at: now.wall)
      try correction.setSnoozesRight(of: list)
    }
    var missed = haveOccurrences ? try missSnoozes(of: list) : []
    if haveOccurrences { try endPatience(of: list) }
    for number in past.sorted() where try missPast(number) { missed.insert(number) }
    // Then they wait for what is left in the present zone, where all of it may be past.
    let moved = try tables.resolver.resolve(past.sorted(), at: now.wall, keepsElapses: true)
    for number in moved where try missPast(number) { missed.insert(number) }
    return missed.sorted()
  }

  /// An export may not say which of its leads an alarm waits for, and other days may be quiet. An undo leaves what still
  /// is one of its rings: skips and leads from before the clock was set right are known by that alone.
  private func giveMoments(_ numbers: [Int64], areImported: Bool) throws {
    let moments = NextMoment(tables: tables, now: now)
    for number in numbers {
      guard let old = try tables.alarms.read(number) else { continue }
      var alarm = old
      if !areImported, waitsForRing(old) { continue }
      let base = try moments.base(of: number)
      moments.give(&alarm, counted: try moments.counted(old), after: base)
      // Without a ring in its zone it keeps the moment of another, as where it follows that zone. An undo brings back the
      // days off, too: it is not for them that no ring is left.
      var plain = old
      plain.rules = .none
      plain.due = old.due.map { $0 + old.ahead }
      plain.ahead = .zero
      let keepsMoment = !areImported && alarm.timing.kind == .every || !waitsForRing(plain)
      if alarm.due == nil, keepsMoment { continue }
      try moments.store(alarm, over: old)
    }
  }

  /// Whether the moment that it waits for is one of its rings, with the days that are quiet now.
  private func waitsForRing(_ alarm: Alarm) -> Bool {
    guard let due = alarm.due else { return false }
    let ring = Instant(microseconds: due.microseconds)
    let next = tables.recurrence(of: alarm)?.next(after: ring - TimeSpan(microseconds: 1))
    return next?.ring == ring && next?.ahead == alarm.ahead
  }

  /// Records an alarm's past moment as missed instead of ringing; a recurring alarm advances.
  ///
  /// - Returns: Whether there was one.
  private func missPast(_ number: Int64) throws -> Bool {
    guard let alarm = try tables.alarms.read(number), alarm.state == .scheduled,
      let due = alarm.due.map({ tables.wall($0, now) }), due <= now.wall
    else { return false }
    let recurrence = tables.recurrence(of: alarm)
    let clock = recurrence?.isOnce == true ? alarm.due?.clock ?? .wall : .wall
    let present = tables.now(clock, now)
    let course = recurrence?.course(from: present - (now.wall - due), to: present)
    let elapsed = course?.elapsed ?? 1
    try tables.alarms.pass(number, to: course?.next, on: clock, used: course?.used ?? 1)
    try tables.occurrences.note(.missed, of: number, dueAt: due, elapsed: elapsed, at: now.wall)
    try tables.alarms.settle([number], at: now.wall)
    return true
  }

  /// Records snoozes whose end is past as missed.
  ///
  /// - Parameter list: Of alarms, for `json_each`.
  private func missSnoozes(of list: String) throws -> Set<Int64> {
    var past: [(alarm: Int64, id: Int64, due: Instant)] = []
    let rows = try database.rows(
      """
      SELECT alarm, id, clock, due FROM occurrence
      WHERE alarm IN (SELECT value FROM json_each(?)) AND due IS NOT NULL ORDER BY alarm, id
      """, [list])
    while let row = try rows.next() {
      let due = tables.wall(due(row, at: 2), now)
      if due <= now.wall, let alarm = int(row, 0), let id = int(row, 1) { past.append((alarm, id, due)) }
    }
    for (alarm, id, due) in past {
      try database.run(
        "UPDATE occurrence SET dismissedAt = ?, snoozedUntil = NULL, clock = 0, due = NULL WHERE id = ?",
        [now.wall.microseconds, id])
      try tables.occurrences.note(.missed, of: alarm, dueAt: due, at: now.wall)
      try tables.alarms.settle([alarm], at: now.wall)
    }
    return Set(past.map(\.alarm))
  }

  /// Rings that should count as unanswered by now wait for no answer: somebody is there.
  private func endPatience(of list: String) throws {
    let rows = try database.allRows(
      """
      SELECT unansweredClock, unansweredDue, id FROM occurrence
      WHERE alarm IN (SELECT value FROM json_each(?)) AND unansweredDue IS NOT NULL
      """, [list])
    for row in rows where tables.wall(due(row, at: 0), now) <= now.wall {
      try tables.occurrences.endPatience(int(row, 2) ?? 0)
    }
  }

  /// A clock and a point of it, as they are now.
  private func due(_ row: some ColumnReading, at index: Int) -> DuePoint {
    tables.clocks.present(
      DuePoint(clock: ClockID(rawValue: int(row, index) ?? 0), microseconds: int(row, index + 1) ?? 0))
  }
}
