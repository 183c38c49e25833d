import Alarms
import EggTime
import GRDB

extension Reading {
  /// Reads one page: by position and number straight from their indexes, by label and due sorted. The alarms go to
  /// `each` and not into the page: a thousand take most of a megabyte. The page ends with the alarm for which `each`
  /// returns false.
  package func list(_ query: ListQuery, each: (Alarm) -> Bool) throws -> ListPage {
    let rows = AlarmRows(clocks: rows.clocks, listedOnly: query.listedOnly)
    let limit = max(query.limit, 1)
    let condition = try FilterCondition(query.filter, in: self)
    // One more row shows that there is another page.
    let found = try select(rows.select, query, condition, limit: limit + 1)
    var alarm = AlarmRows.blank
    var count = 0
    var last: Alarm?
    var after: ListCursor?
    while after == nil, let row = try found.next() {
      if let last {
        after = ListCursor(number: last.number, key: key(of: last, in: query.order))
      } else {
        rows.read(row, into: &alarm)
        count += 1
        if !each(alarm) || count == limit { last = alarm }
      }
    }
    return ListPage(
      alarms: [], totals: query.withTotals ? try totals(condition) : nil, after: after,
      sequence: try sequence())
  }

  /// ``list(_:each:)`` with the alarms in the page.
  package func list(_ query: ListQuery) throws -> ListPage {
    var alarms: [Alarm] = []
    var page = try list(query) {
      alarms.append($0)
      return true
    }
    page.alarms = alarms
    return page
  }

  /// The sort key before the number.
  private func key(of alarm: Alarm, in order: ListOrder) -> ListCursor.Key {
    switch order {
    case .position: .number(alarm.position)
    case .created: .number(alarm.number)
    case .label: .text(alarm.label)
    case .due: .number(alarm.nextDue(wall)?.microseconds ?? .max)
    }
  }

  /// The same as SQL. Alarms without a label, or with nothing to come, are last.
  private func key(of order: ListOrder) throws -> String {
    switch order {
    case .position: "a.position"
    case .created: "a.number"
    case .label: "a.label IS NULL, coalesce(a.label, '') COLLATE NOCASE"
    case .due: "coalesce(\(try next()), \(Int64.max))"
    }
  }

  private func key(after cursor: ListCursor, in order: ListOrder) throws -> ListCursor.Key {
    let which = AlarmReference.number(cursor.number)
    guard let alarm = try alarm(which) else { throw which.absence }
    return key(of: alarm, in: order)
  }

  private func select(
    _ select: String, _ query: ListQuery, _ condition: FilterCondition, limit: Int
  ) throws -> ColumnCursor {
    let order = query.order
    let start = try query.after.map { try $0.key ?? key(after: $0, in: order) }
    let after: StatementArguments =
      switch (order, start) {
      case (.label, .text(let label)): [label == nil, label ?? ""]
      case (.label, _): [false, ""]
      case (_, .number(let number)): [number]
      default: [Int64.min]
      }
    let places = order == .label ? "?, ?, ?" : "?, ?"
    let sorted = try key(of: order)
    let sql = """
      \(select) WHERE (\(sorted), a.number) > (\(places))\(condition.clause("AND"))
      ORDER BY \(sorted), a.number LIMIT ?
      """
    // A connection keeps all cached statements, and filters and clocks make any number of texts.
    let isKept = condition.sql == nil && order != .due
    let statement = try isKept ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
    return try statement.rows(after + [query.after?.number ?? .min] + condition.arguments + [limit])
  }

  /// Totals of exactly the alarms that pass the filter.
  private func totals(_ condition: FilterCondition) throws -> ListTotals {
    let beside = condition.needsOccurrence ? AlarmRows.latestBeside : ""
    func row(_ sql: String) throws -> Row? {
      try Row.fetchOne(database, sql: sql, arguments: condition.arguments)
    }
    let sums = try row("SELECT count(*), total(a.eggs) FROM alarm a \(beside)\(condition.clause("WHERE"))")
    // From the indexes of what waits.
    let own = try row(
      """
      SELECT min(\(try wall("a"))) FROM alarm a \(beside) WHERE a.due IS NOT NULL\(condition.clause("AND"))
      """)
    let snooze = try row(
      """
      SELECT min(\(try wall("s"))) FROM occurrence s CROSS JOIN alarm a ON a.number = s.alarm \(beside)
      WHERE s.due IS NOT NULL\(condition.clause("AND"))
      """)
    return ListTotals(
      alarms: sums.flatMap { int($0, 0) } ?? 0,
      eggs: Int64(exactly: (sums.flatMap { Double.fromDatabaseValue($0[1]) } ?? 0).rounded()) ?? .max,
      next: [own, snooze].compactMap { $0.flatMap { int($0, 0) } }.min().map { Instant(microseconds: $0) })
  }

  /// The next moment of an alarm `a` and its occurrence `o` on the wall clock, as SQL; NULL for none.
  func next() throws -> String {
    let (own, snooze) = (try wall("a"), try wall("o"))
    return "coalesce(min(\(own), \(snooze)), \(own), \(snooze))"
  }

  /// What a row waits for on the wall clock, as SQL; NULL for nothing. Saturates, as in Swift: rows may hold any number.
  func wall(_ row: String) throws -> String {
    let cases = try DueRows.clocksInUse(database).filter { $0 != .wall }.map { clock in
      let offset = rows.clocks.offset(of: clock, now: now)
      let (least, most) = (Int64.min - min(offset, 0), Int64.max - max(offset, 0))
      return "WHEN \(clock.rawValue) THEN max(min(\(row).due, \(most)), \(least)) + \(offset)"
    }
    guard !cases.isEmpty else { return "\(row).due" }
    return "CASE \(row).clock \(cases.sorted().joined(separator: " ")) ELSE \(row).due END"
  }

  private func wall(_ due: DuePoint) -> Instant {
    Instant(microseconds: due.microseconds)
      + TimeSpan(microseconds: rows.clocks.offset(of: due.clock, now: now))
  }
}
