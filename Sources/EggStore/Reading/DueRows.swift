import Alarms
import EggTime
import GRDB
import Ringing

/// The first rows of both tables that wait for some moments. Read from the partial indexes, without sorting there.
struct DueRows {
  /// In the order of moment on the wall clock, number and occurrence.
  let entries: [HeadEntry]
  /// On the wall clock.
  private let last: Instant?
  /// The clocks of those that are left out.
  private let unfinished: Set<ClockID>

  enum Kind: CaseIterable {
    case alarm
    case snooze
    /// From when on rings count as unanswered.
    case patience

    /// Of a clock, from one moment on it to another, at most so many.
    var sql: String {
      let alarm = "SELECT \(AlarmColumn.list(of: "a")), \(AlarmRows.card(of: "a"))"
      return switch self {
      case .alarm:
        """
        \(alarm), 0, NULL, NULL FROM alarm a
        WHERE clock = ? AND due IS NOT NULL AND due BETWEEN ? AND ? ORDER BY due, number LIMIT ?
        """
      case .snooze:
        """
        \(alarm), o.id, o.due, o.zoneDue FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
        WHERE o.clock = ? AND o.due IS NOT NULL AND o.due BETWEEN ? AND ? AND o.id > 0
        ORDER BY o.due, o.alarm, o.id LIMIT ?
        """
      case .patience:
        """
        \(alarm), o.id, o.unansweredDue, NULL, \(OccurrenceColumn.list(of: "o"))
        FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
        WHERE o.unansweredClock = ? AND o.unansweredDue IS NOT NULL AND o.unansweredDue BETWEEN ? AND ? AND o.id > 0
          AND o.outcome = 'rung' AND o.dismissedAt IS NULL AND o.snoozedUntil IS NULL
        ORDER BY o.unansweredDue, o.alarm, o.id LIMIT ?
        """
      }
    }
  }

  /// - Parameters:
  ///   - offsets: For each clock in use, see ``clocksInUse(_:)``.
  ///   - moments: On the wall clock.
  ///   - zones: The zones of the entries.
  init(
    _ database: Database, offsets: [ClockID: Int64], in moments: ClosedRange<Instant>, zones: ZonesInUse,
    limit: Int
  ) throws {
    var found: [(at: Instant, entry: HeadEntry)] = []
    for (clock, offset) in offsets {
      let offset = TimeSpan(microseconds: offset)
      let bounds = [moments.lowerBound, moments.upperBound].map { ($0 - offset).microseconds }
      for kind in Kind.allCases {
        // One more of each shows that some are left out.
        let rows = try database.rows(kind.sql, [clock.rawValue, bounds[0], bounds[1], limit + 1])
        while let row = try rows.next() {
          let entry = Self.entry(row, kind, clock, zones)
          found.append((Instant(microseconds: entry.due.microseconds) + offset, entry))
        }
      }
    }
    found.sort {
      ($0.at, $0.entry.key.number, $0.entry.key.occurrence)
        < ($1.at, $1.entry.key.number, $1.entry.key.occurrence)
    }
    entries = found.prefix(limit).map(\.entry)
    last = found.prefix(limit).last?.at
    unfinished = Set(found.dropFirst(limit).map(\.entry.due.clock))
  }

  private static func entry(_ row: Columns, _ kind: Kind, _ clock: ClockID, _ zones: ZonesInUse) -> HeadEntry
  {
    let occurrence = AlarmColumn.width + AlarmRows.cardWidth
    let card = AlarmCard(row, groupAt: AlarmColumn.width)
    let isOwn = kind == .alarm
    return HeadEntry(
      row, card, occurrence: int(row, occurrence) ?? 0,
      due: DuePoint(clock: clock, microseconds: (isOwn ? row.int(.due) : int(row, occurrence + 1)) ?? 0),
      zoneDue: isOwn ? row.int(.zoneDue) : int(row, occurrence + 2), zones,
      unanswered: kind == .patience
        ? AlarmRows.ring(row, at: occurrence + 3, of: row.int(.number) ?? 0, card) : nil)
  }

  /// Where the rows read of a clock end: with the last row of all, on whichever clock. Otherwise a new
  /// countdown would miss the head while thousands of alarms wait on the wall clock.
  func end(of clock: ClockID, _ offset: TimeSpan) -> EntryOrder? {
    guard unfinished.contains(clock), let last, let entry = entries.last else { return nil }
    guard entry.due.clock != clock else { return entry.order }
    return EntryOrder(
      due: (last - offset).microseconds, number: entry.key.number, occurrence: entry.key.occurrence)
  }

  /// The clocks with waiting rows, found by skipping through the indexes.
  static func clocksInUse(_ database: Database) throws -> Set<ClockID> {
    var found: Set<ClockID> = []
    for (table, clock, due) in [
      ("alarm", "clock", "due"), ("occurrence", "clock", "due"),
      ("occurrence", "unansweredClock", "unansweredDue"),
    ] {
      let statement = try database.cachedStatement(
        sql:
          "SELECT \(clock) FROM \(table) WHERE \(due) IS NOT NULL AND \(clock) > ? ORDER BY \(clock) LIMIT 1")
      var last = Int64.min
      while let clock = try Int64.fetchOne(statement, arguments: [last]) {
        found.insert(ClockID(rawValue: clock))
        last = clock
      }
    }
    return found
  }
}
