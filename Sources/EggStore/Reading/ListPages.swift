import Alarms
import EggTime
import GRDB

extension Reading {
  /// Reads one page: by position, number and label straight from their indexes, by due merged from those of
  /// all clocks. The alarms go to `each` and not into the page: a thousand take most of a megabyte. The page
  /// ends with the alarm for which `each` returns false.
  package func list(_ query: ListQuery, each: (Alarm) -> Bool) throws -> ListPage {
    var reading = self
    reading.rows.parts = query.parts
    return try withoutActuallyEscaping(each) { each in
      var taken = Taken(limit: max(query.limit, 1), each: each)
      return try reading.page(query, &taken)
    }
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

  /// The alarms of a page, at most `limit`. One more row shows that there is another page.
  private struct Taken {
    let limit: Int
    let each: (Alarm) -> Bool
    var count = 0
    /// The last one that fits.
    var last: Alarm?
    private var isFull = false
    var isPast = false

    var rest: Int { limit + 1 - count }

    init(limit: Int, each: @escaping (Alarm) -> Bool) {
      self.limit = limit
      self.each = each
    }

    mutating func take(_ alarm: Alarm) {
      guard !isFull else { return isPast = true }
      count += 1
      isFull = !each(alarm) || count == limit
      if isFull { last = alarm }
    }
  }

  private func page(_ query: ListQuery, _ taken: inout Taken) throws -> ListPage {
    let condition = try FilterCondition(query.filter, in: self)
    let start = try query.after.map {
      try (key: $0.key ?? key(after: $0, in: query.order), number: $0.number)
    }
    switch query.order {
    case .position, .created:
      try byColumn(query.order == .position ? "a.position" : "a.number", condition, start, &taken)
    case .label: try byLabel(condition, start, &taken)
    case .due: try byDue(condition, start, &taken)
    }
    let after = taken.isPast ? taken.last : nil
    return ListPage(
      alarms: [], totals: query.withTotals ? try totals(condition) : nil,
      after: after.map { ListCursor(number: $0.number, key: key(of: $0, in: query.order)) },
      sequence: try Int64.fetchOne(
        try database.cachedStatement(sql: "SELECT sequence FROM schedule")) ?? 0)
  }

  private typealias Start = (key: ListCursor.Key, number: Int64)

  /// The sort key before the number.
  private func key(of alarm: Alarm, in order: ListOrder) -> ListCursor.Key {
    switch order {
    case .position: .number(alarm.position)
    case .created: .number(alarm.number)
    case .label: .text(alarm.label)
    case .due: .number(alarm.nextDue(wall)?.microseconds ?? .max)
    }
  }

  private func key(after cursor: ListCursor, in order: ListOrder) throws -> ListCursor.Key {
    guard let alarm = try alarm(.number(cursor.number)) else { throw ReadError.noSuchAlarm }
    return key(of: alarm, in: order)
  }

  /// With a filter, compiled for this page alone: a connection keeps all cached statements, and filters make
  /// any number of texts.
  private func statement(_ sql: String, _ condition: FilterCondition) throws -> Statement {
    try condition.sql == nil ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
  }

  private func rows(
    _ sql: String, _ condition: FilterCondition, _ before: StatementArguments, _ taken: inout Taken
  ) throws {
    let statement = try statement("\(rows.select) \(sql) LIMIT ?", condition)
    let found = try statement.rows(before + condition.arguments + [taken.rest])
    var alarm = AlarmRows.blank
    while !taken.isPast, let row = try found.next() {
      rows.read(row, into: &alarm)
      taken.take(alarm)
    }
  }

  private func byColumn(
    _ column: String, _ condition: FilterCondition, _ start: Start?, _ taken: inout Taken
  ) throws {
    var key = Int64.min
    if case .number(let number)? = start?.key { key = number }
    try rows(
      "WHERE (\(column), a.number) > (?, ?)\(condition.clause("AND")) ORDER BY \(column), a.number",
      condition, [key, start?.number ?? .min], &taken)
  }

  private func byLabel(_ condition: FilterCondition, _ start: Start?, _ taken: inout Taken) throws {
    var number = Int64.min
    if case .text(nil)? = start?.key {
      number = start?.number ?? .min
    } else {
      var label = ""
      if case .text(let text?)? = start?.key { label = text }
      try rows(
        """
        WHERE a.label IS NOT NULL AND (a.label COLLATE NOCASE, a.number) > (?, ?)\(condition.clause("AND"))
        ORDER BY a.label COLLATE NOCASE, a.number
        """, condition, [label, start?.number ?? .min], &taken)
    }
    guard !taken.isPast else { return }
    try rows(
      "WHERE a.label IS NULL AND a.number > ?\(condition.clause("AND")) ORDER BY a.number", condition,
      [number], &taken)
  }

  /// Alarms with something to come in its order, then the rest by number.
  private func byDue(_ condition: FilterCondition, _ start: Start?, _ taken: inout Taken) throws {
    var key = Int64.min
    if case .number(let number)? = start?.key { key = number }
    if key < .max {
      let part = DueRows.Part(
        after: (Instant(microseconds: key), start?.number ?? .min), last: DueRows.Part.whole.last)
      let waiting = try DueRows(database, offsets: offsets(), part: part)
      let one = try statement("\(rows.select) WHERE a.number = ?\(condition.clause("AND"))", condition)
      var alarm = AlarmRows.blank
      while !taken.isPast, let next = try waiting.next() {
        let number = next.order.number
        let row = try Row.fetchOne(one, arguments: [number] + condition.arguments)
        guard let row else { continue }
        rows.read(row, into: &alarm)
        // An alarm that also has a snooze is listed once, at the earlier moment.
        let isSnooze = next.order.occurrence != 0
        if isSnooze, alarm.latest?.id != next.order.occurrence { continue }
        let other = (isSnooze ? alarm.due : alarm.latest?.due).map(wall)
        if let other, isSnooze ? other < next.at : other <= next.at { continue }
        taken.take(alarm)
      }
    }
    guard !taken.isPast else { return }
    try rows(
      "WHERE a.number > ? AND a.due IS NULL AND o.due IS NULL\(condition.clause("AND")) ORDER BY a.number",
      condition, [key == .max ? start?.number ?? .min : .min], &taken)
  }

  func totals() throws -> ListTotals {
    try totals(FilterCondition(ListFilter(), in: self))
  }

  /// Totals of exactly the alarms that pass the filter.
  private func totals(_ condition: FilterCondition) throws -> ListTotals {
    let from = condition.needsOccurrence ? AlarmRows.from : "FROM alarm a"
    let sums = try Row.fetchOne(
      try statement("SELECT count(*), total(a.eggs) \(from)\(condition.clause("WHERE"))", condition),
      arguments: condition.arguments)
    let alarms = sums.flatMap { int($0, 0) } ?? 0
    return ListTotals(
      alarms: alarms,
      eggs: Int64(exactly: (sums.flatMap { Double.fromDatabaseValue($0[1]) } ?? 0).rounded()) ?? .max,
      next: alarms > 0 ? try next(condition) : nil)
  }

  private func next(_ condition: FilterCondition) throws -> Instant? {
    if let group = condition.group, condition.isOfGroupAlone {
      return try next(inGroup: group, offsets())
    }
    let waiting = try DueRows(database, offsets: offsets(), part: .whole)
    guard condition.sql != nil else { return try waiting.next()?.at }
    let matches = try statement(
      """
      SELECT 1 \(condition.needsOccurrence ? AlarmRows.from : "FROM alarm a")
      WHERE a.number = ?\(condition.clause("AND"))
      """, condition)
    while let row = try waiting.next() {
      let arguments: StatementArguments = [row.order.number] + condition.arguments
      if try Int64.fetchOne(matches, arguments: arguments) != nil { return row.at }
    }
    return nil
  }

  func offsets() throws -> [ClockID: Int64] {
    var offsets: [ClockID: Int64] = [:]
    for clock in try DueRows.clocksInUse(database) {
      offsets[clock] = rows.clocks.offset(of: clock, now: now)
    }
    return offsets
  }

  private func wall(_ due: DuePoint) -> Instant {
    Instant(microseconds: due.microseconds)
      + TimeSpan(microseconds: rows.clocks.offset(of: due.clock, now: now))
  }
}
