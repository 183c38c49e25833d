import Alarms
import EggTime
import GRDB
import Ringing

/// What waits in both tables, merged by its moment on the wall clock: rows are read from the partial indexes
/// as they are asked for, none is sorted.
final class DueRows {
  /// One waiting row.
  struct DueRow {
    var entry: HeadEntry
    /// Its moment on the wall clock.
    var at: Instant
  }

  /// Which part of each clock is wanted: above `after` (a due moment on the wall clock and a number), up to
  /// `last`.
  struct Part {
    var after: (at: Instant, number: Int64)
    var last: Instant

    /// Everything that waits.
    static let whole = Part(after: (Instant(microseconds: .min), .min), last: Instant(microseconds: .max))
  }

  private final class Source {
    let clock: ClockID
    private let offset: TimeSpan
    private let rows: ColumnCursor
    private(set) var next: DueRow?

    private let zones: ZonesInUse?

    /// The columns behind those of `alarm`.
    private static let (icon, occurrence, snoozeDue) = (
      AlarmColumn.width, AlarmColumn.width + 1, AlarmColumn.width + 2
    )

    init(_ rows: ColumnCursor, clock: ClockID, offset: TimeSpan, zones: ZonesInUse?) throws {
      (self.rows, self.clock, self.offset, self.zones) = (rows, clock, offset, zones)
      try advance()
    }

    func advance() throws {
      next = try rows.next().map { row in
        let due = row.int(.due) ?? 0
        let occurrence = int(row, Self.occurrence) ?? 0
        let isSnooze = occurrence != 0
        let moment = isSnooze ? int(row, Self.snoozeDue) ?? 0 : due
        let entry = HeadEntry(
          key: EntryKey(number: row.int(.number) ?? 0, occurrence: occurrence),
          due: DuePoint(clock: clock, microseconds: moment), card: AlarmCard(row, icon: text(row, Self.icon)),
          isPastByZone: !isSnooze && row.int(.zoneDue) == due,
          ifMissed: isSnooze ? .ring : RecurrenceRows.missedPolicy(row.text(.ifMissed)),
          recurrence: isSnooze ? nil : zones.flatMap { RecurrenceRows.recurrence(row, zones: $0) })
        return DueRow(entry: entry, at: Instant(microseconds: moment) + offset)
      }
    }
  }

  private var sources: [Source] = []

  /// - Parameters:
  ///   - offsets: Of each clock in use, see ``clocksInUse(_:)``.
  ///   - zones: Where entries are to ring; without them they say nothing of how alarms recur.
  convenience init(
    _ database: Database, offsets: [ClockID: Int64], part: Part, zones: ZonesInUse? = nil
  ) throws {
    var after: [ClockID: EntryOrder] = [:]
    var last: [ClockID: Int64] = [:]
    for (clock, offset) in offsets {
      let offset = TimeSpan(microseconds: offset)
      let due = (part.after.at - offset).microseconds
      after[clock] = EntryOrder(due: due, number: part.after.number, occurrence: .max)
      last[clock] = (part.last - offset).microseconds
    }
    try self.init(database, offsets: offsets, beyond: after, upTo: last, zones: zones)
  }

  /// What lies beyond a place on each clock, those alone.
  ///
  /// - Parameter last: The last moment that is wanted, in µs on each clock; all where there is none.
  init(
    _ database: Database, offsets: [ClockID: Int64], beyond after: [ClockID: EntryOrder],
    upTo last: [ClockID: Int64], zones: ZonesInUse?
  ) throws {
    for (clock, after) in after {
      let offset = TimeSpan(microseconds: offsets[clock] ?? 0)
      let last = last[clock] ?? .max
      // An alarm's own moment stands before the ends of its snoozes, at occurrence 0.
      let number = after.occurrence < 0 ? max(after.number, .min + 1) - 1 : after.number
      let values: [(sql: String, values: [Int64])] = [
        (Self.alarms(clock), [after.due, number, last]),
        (Self.snoozes(clock), [after.due, after.number, after.occurrence, last]),
      ]
      for (sql, values) in values {
        let rows = try database.cachedStatement(sql: sql).rows(values)
        sources.append(try Source(rows, clock: clock, offset: offset, zones: zones))
      }
    }
  }

  /// The next row, by moment, number, occurrence; nil after the last.
  func next() throws -> DueRow? {
    var first: Source?
    var best: (Instant, Int64, Int64)?
    for source in sources {
      guard let row = source.next else { continue }
      let order = (row.at, row.entry.key.number, row.entry.key.occurrence)
      if let best, best <= order { continue }
      (first, best) = (source, order)
    }
    let row = first?.next
    try first?.advance()
    return row
  }

  /// The clocks on which rows are left.
  var unfinished: Set<ClockID> { Set(sources.filter { $0.next != nil }.map(\.clock)) }

  /// The clocks that something waits on, found by skipping through the indexes.
  static func clocksInUse(_ database: Database) throws -> Set<ClockID> {
    var found: Set<ClockID> = []
    for table in ["alarm", "occurrence"] {
      let statement = try database.cachedStatement(
        sql: "SELECT clock FROM \(table) WHERE due IS NOT NULL AND clock > ? ORDER BY clock LIMIT 1")
      var last = Int64.min
      while let clock = try Int64.fetchOne(statement, arguments: [last]) {
        found.insert(ClockID(rawValue: clock))
        last = clock
      }
    }
    return found
  }

  /// Each clock has statements of its own, as those of all clocks are read side by side.
  static func alarms(_ clock: ClockID) -> String {
    """
    SELECT \(AlarmColumn.list(of: "a")), \(AlarmRows.icon(of: "a")), 0, NULL FROM alarm a
    WHERE clock = \(clock.rawValue) AND due IS NOT NULL AND (due, number) > (?, ?) AND due <= ? ORDER BY due, number
    """
  }

  static func snoozes(_ clock: ClockID) -> String {
    """
    SELECT \(AlarmColumn.list(of: "a")), \(AlarmRows.icon(of: "a")), o.id, o.due
    FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
    WHERE o.clock = \(clock.rawValue) AND o.due IS NOT NULL AND (o.due, o.alarm, o.id) > (?, ?, ?) AND o.due <= ?
      AND o.id > 0
    ORDER BY o.due, o.alarm, o.id
    """
  }
}
