import Alarms
import EggTime
import GRDB
import Ringing

/// Waiting rows of both tables, merged by their moments on the wall clock. Rows are read from the partial
/// indexes on demand, without sorting.
final class DueRows {
  struct DueRow {
    var entry: HeadEntry
    var clock: ClockID
    var order: EntryOrder
    /// On the wall clock.
    var at: Instant
  }

  private enum Kind: CaseIterable {
    case alarm
    case snooze
    /// From when on rings count as unanswered.
    case patience
  }

  private final class Source {
    let clock: ClockID
    private let offset: TimeSpan
    private let rows: ColumnCursor
    private let kind: Kind
    private let zones: ZonesInUse
    private(set) var next: DueRow?

    /// The columns after those of `alarm`.
    private static let group = AlarmColumn.width
    private static let occurrence = group + AlarmRows.cardWidth
    private static let occurrenceDue = occurrence + 1

    init(_ rows: ColumnCursor, _ kind: Kind, clock: ClockID, offset: TimeSpan, zones: ZonesInUse) throws {
      self.rows = rows
      self.kind = kind
      self.clock = clock
      self.offset = offset
      self.zones = zones
      try advance()
    }

    func advance() throws {
      next = try rows.next().map { row in
        let card = AlarmCard(row, groupAt: Self.group)
        let isOwn = kind == .alarm
        let moment = (isOwn ? row.int(.due) : int(row, Self.occurrenceDue)) ?? 0
        let entry = HeadEntry(
          row, card, occurrence: int(row, Self.occurrence) ?? 0,
          due: DuePoint(clock: clock, microseconds: moment),
          zoneDue: isOwn ? row.int(.zoneDue) : int(row, Self.occurrenceDue + 1), zones,
          unanswered: kind == .patience
            ? AlarmRows.ring(row, at: Self.occurrenceDue + 2, of: row.int(.number) ?? 0, card) : nil)
        return DueRow(
          entry: entry, clock: clock, order: entry.order, at: Instant(microseconds: moment) + offset)
      }
    }
  }

  private var sources: [Source] = []

  /// - Parameters:
  ///   - offsets: For each clock in use, see ``clocksInUse(_:)``.
  ///   - moments: On the wall clock.
  ///   - zones: The zones of the entries.
  init(
    _ database: Database, offsets: [ClockID: Int64], in moments: ClosedRange<Instant>, zones: ZonesInUse
  ) throws {
    for (clock, offset) in offsets {
      let offset = TimeSpan(microseconds: offset)
      let bounds = [moments.lowerBound, moments.upperBound].map { ($0 - offset).microseconds }
      for kind in Kind.allCases {
        let sql =
          switch kind {
          case .alarm: Self.alarms(clock)
          case .snooze: Self.snoozes(clock)
          case .patience: Self.patiences(clock)
          }
        let rows = try database.cachedStatement(sql: sql).rows(StatementArguments(bounds))
        sources.append(try Source(rows, kind, clock: clock, offset: offset, zones: zones))
      }
    }
  }

  /// In the order of moment, number and occurrence; nil after the last.
  func next() throws -> DueRow? {
    var first: Source?
    var best: (Instant, Int64, Int64)?
    for source in sources {
      guard let row = source.next else { continue }
      let order = (row.at, row.order.number, row.order.occurrence)
      if let best, best <= order { continue }
      first = source
      best = order
    }
    let row = first?.next
    try first?.advance()
    return row
  }

  var unfinished: Set<ClockID> { Set(sources.filter { $0.next != nil }.map(\.clock)) }

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

  /// Separate statements for each clock, because all clocks are read side by side.
  static func alarms(_ clock: ClockID) -> String {
    """
    SELECT \(AlarmColumn.list(of: "a")), \(AlarmRows.card(of: "a")), 0, NULL, NULL FROM alarm a
    WHERE clock = \(clock.rawValue) AND due IS NOT NULL AND due BETWEEN ? AND ? ORDER BY due, number
    """
  }

  static func snoozes(_ clock: ClockID) -> String {
    """
    SELECT \(AlarmColumn.list(of: "a")), \(AlarmRows.card(of: "a")), o.id, o.due, o.zoneDue
    FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
    WHERE o.clock = \(clock.rawValue) AND o.due IS NOT NULL AND o.due BETWEEN ? AND ? AND o.id > 0
    ORDER BY o.due, o.alarm, o.id
    """
  }

  static func patiences(_ clock: ClockID) -> String {
    """
    SELECT \(AlarmColumn.list(of: "a")), \(AlarmRows.card(of: "a")), o.id, o.unansweredDue, NULL,
      \(OccurrenceColumn.list(of: "o"))
    FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
    WHERE o.unansweredClock = \(clock.rawValue) AND o.unansweredDue IS NOT NULL
      AND o.unansweredDue BETWEEN ? AND ? AND o.id > 0
      AND o.outcome = 'rung' AND o.dismissedAt IS NULL AND o.snoozedUntil IS NULL
    ORDER BY o.unansweredDue, o.alarm, o.id
    """
  }
}
