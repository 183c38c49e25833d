import Alarms
import EggTime
import GRDB
import Ringing

extension Refill {
  init(
    _ database: Database, clocks: BootClocks, zones: ZonesInUse, now: ClockReading, _ size: Size
  ) throws {
    try zones.readDaysOff(database)
    let inUse = try DueRows.clocksInUse(database)
    var offsets: [ClockID: Int64] = [:]
    for clock in inUse.union([.wall, clocks.current]) { offsets[clock] = clocks.offset(of: clock, now: now) }
    let origin = now.wall - .seconds(1)

    func read(_ moments: ClosedRange<Instant>, _ limit: Int) throws -> DueRows {
      try DueRows(database, offsets: offsets, in: moments, zones: zones, limit: limit)
    }
    let overdue = try read(Instant(microseconds: .min)...origin, size.overdue)
    let waiting = try read(
      origin + TimeSpan(microseconds: 1)...Instant(microseconds: .max), size.waiting)

    var windows: [ClockID: Window] = [:]
    for (clock, offset) in offsets {
      let offset = TimeSpan(microseconds: offset)
      windows[clock] = Window(
        origin: (origin - offset).microseconds, overdueEnd: overdue.end(of: clock, offset),
        end: waiting.end(of: clock, offset))
    }
    self.init(
      entries: overdue.entries + waiting.entries, windows: windows,
      earlierBoots: offsets.filter { $0.key != .wall && $0.key != clocks.current },
      lastOccurrence: try Self.lastOccurrence(database, at: now.wall))
  }

  /// Keys are moments, or beyond them where the clock was set back: then an undo may bring back those of deleted alarms.
  /// A key beyond any clock reading comes from another program and could not be counted up.
  static func lastOccurrence(_ database: Database, at now: Instant) throws -> Int64 {
    return try database.number(
      """
      SELECT max((SELECT coalesce(max(id), 0) FROM occurrence WHERE id <= ?1),
        (SELECT coalesce(max(id), 0) FROM history WHERE id <= ?1))
      """, [OccurrenceTable.greatestKey(at: now)]) ?? 0
  }
}

extension HeadEntry {
  /// - Parameters:
  ///   - row: Begins with all columns of `alarm`.
  ///   - occurrence: 0 for the alarm's own moment.
  ///   - zoneDue: The past moment that a zone change gave it.
  init(
    _ row: some ColumnReading, _ card: AlarmCard, occurrence: Int64, due: DuePoint, zoneDue: Int64?,
    _ zones: ZonesInUse, unanswered: Notice?
  ) {
    let isOwn = occurrence == 0
    self.init(
      key: EntryKey(number: row.int(.number) ?? 0, occurrence: occurrence), due: due,
      ahead: isOwn ? RecurrenceRows.ahead(row) : .zero, card: card, isPastByZone: zoneDue == due.microseconds,
      ifMissed: isOwn ? RecurrenceRows.missedPolicy(row.text(.ifMissed)) : .ring,
      recurrence: isOwn ? RecurrenceRows.recurrence(row, zones: zones) : nil, unanswered: unanswered)
  }
}

extension AlarmMoments {
  private static let select =
    "SELECT \(AlarmColumn.list()), \(AlarmRows.card(of: "alarm")) FROM alarm WHERE number = ?"

  /// Everything that an alarm waits for, and its ringing occurrences.
  init(_ number: Int64, in tables: Tables) throws {
    self.init(number: number, waiting: [], ringing: [])
    guard let row = try tables.database.row(Self.select, [number]) else { return }
    let card = AlarmCard(row, groupAt: AlarmColumn.width)
    self.card = card
    func wait(
      _ clock: Int64?, _ due: Int64, _ zoneDue: Int64?, occurrence: Int64, unanswered: Notice? = nil
    ) {
      let stored = DuePoint(clock: ClockID(rawValue: clock ?? 0), microseconds: due)
      var entry = HeadEntry(
        row, card, occurrence: occurrence, due: stored, zoneDue: zoneDue, tables.zones, unanswered: unanswered
      )
      entry.due = tables.clocks.present(stored)
      // The leads of a countdown of an earlier boot move with it.
      if entry.due.clock != stored.clock, entry.recurrence != nil {
        let moment = Instant(microseconds: entry.due.microseconds) + entry.ahead
        entry.recurrence = RecurrenceRows.once(moment, RecurrenceRows.rules(row), nil)
      }
      waiting.append(entry)
    }
    if let due = row.int(.due) { wait(row.int(.clock), due, row.int(.zoneDue), occurrence: 0) }
    let occurrences = try tables.database.cachedStatement(
      sql: """
        SELECT \(OccurrenceColumn.list()), \(OccurrenceTable.rings) FROM occurrence WHERE alarm = ? ORDER BY id
        """)
    let rows = try Row.fetchCursor(occurrences, arguments: [number])
    while let past = try rows.next() {
      // Keys are moments; 0 would mean the alarm's own moment.
      guard let id = past.int(.id, from: 0), id > 0 else { continue }
      if let due = past.int(.due, from: 0) {
        wait(past.int(.clock, from: 0), due, past.int(.zoneDue, from: 0), occurrence: id)
      }
      if int(past, OccurrenceColumn.width) == 1 {
        ringing.append(id)
        if let due = past.int(.unansweredDue, from: 0) {
          let ring = AlarmRows.ring(past, at: 0, of: number, card)
          wait(past.int(.unansweredClock, from: 0), due, nil, occurrence: id, unanswered: ring)
        }
      }
      // Another program may have written a key that is no moment; no ring may get it.
      if id <= Instant.latest.microseconds { lastOccurrence = id }
    }
  }
}
