import Alarms
import EggTime
import GRDB

extension Reading {
  /// One page; by position straight from its index, by due merged from the indexes of all clocks.
  func list(_ query: ListQuery) throws -> ListPage {
    let limit = max(query.limit, 1)
    var alarms =
      switch query.order {
      case .position: try byPosition(query, limit: limit + 1)
      case .due: try byDue(query, limit: limit + 1)
      }
    var after: ListCursor?
    if alarms.count > limit {
      alarms.removeLast()
      after = alarms.last.map { ListCursor(number: $0.number, key: key(of: $0, in: query.order)) }
    }
    return ListPage(
      alarms: alarms, totals: query.withTotals ? try totals(query.phases) : nil, after: after,
      sequence: try Int64.fetchOne(
        try database.cachedStatement(sql: "SELECT sequence FROM schedule")) ?? 0)
  }

  /// What alarms are sorted by before their number.
  private func key(of alarm: Alarm, in order: ListQuery.Order) -> Int64 {
    switch order {
    case .position: alarm.position
    case .due: alarm.nextDue(wall)?.microseconds ?? .max
    }
  }

  private func start(_ query: ListQuery) throws -> (key: Int64, number: Int64) {
    guard let after = query.after else { return (.min, .min) }
    if let key = after.key { return (key, after.number) }
    guard let alarm = try alarm(.number(after.number)) else { throw ReadError.noSuchAlarm }
    return (key(of: alarm, in: query.order), after.number)
  }

  private func byPosition(_ query: ListQuery, limit: Int) throws -> [Alarm] {
    let start = try start(query)
    let statement = try database.cachedStatement(
      sql: """
        \(AlarmRows.select) WHERE (a.position, a.number) > (?, ?)\(Self.condition(query.phases, "AND"))
        ORDER BY a.position, a.number LIMIT ?
        """)
    let found = try Row.fetchCursor(statement, arguments: [start.key, start.number, limit])
    return try Array(found.map { rows.alarm($0) })
  }

  /// Those that something is to come of first, in its order, then the rest by number.
  private func byDue(_ query: ListQuery, limit: Int) throws -> [Alarm] {
    let start = try start(query)
    let matching = Self.condition(query.phases, "AND")
    var alarms: [Alarm] = []
    if start.key < .max || query.after == nil {
      let part = WaitingRows.Part(
        after: (Instant(microseconds: start.key), start.number), last: WaitingRows.Part.whole.last)
      let waiting = try WaitingRows(database, offsets: offsets(), part: part)
      let one = try database.cachedStatement(sql: "\(AlarmRows.select) WHERE a.number = ?\(matching)")
      while alarms.count < limit, let next = try waiting.next() {
        let number = next.entry.key.number
        guard let alarm = try Row.fetchOne(one, arguments: [number]).map({ rows.alarm($0) }) else { continue }
        // An alarm with a snooze and a moment of its own is listed once, at the earlier of the two.
        let isSnooze = next.entry.key.occurrence != 0
        if isSnooze, alarm.latest?.id != next.entry.key.occurrence { continue }
        let other = (isSnooze ? alarm.due : alarm.latest?.due).map(wall)
        if let other, isSnooze ? other < next.at : other <= next.at { continue }
        alarms.append(alarm)
      }
    }
    guard alarms.count < limit else { return alarms }
    let rest = try Row.fetchCursor(
      database,
      sql: """
        \(AlarmRows.select) WHERE a.number > ? AND a.due IS NULL AND o.due IS NULL\(matching)
        ORDER BY a.number LIMIT ?
        """,
      arguments: [start.key == .max ? start.number : .min, limit - alarms.count])
    return try alarms + Array(rest.map { rows.alarm($0) })
  }

  /// Counts exactly what passes the filter.
  func totals(_ phases: Set<Alarm.Phase>?) throws -> ListTotals {
    let from = phases == nil ? "FROM alarm a" : AlarmRows.from
    let row = try Row.fetchOne(
      try database.cachedStatement(
        sql: "SELECT count(*), total(a.eggs) \(from)\(Self.condition(phases, "WHERE"))"))
    var totals = ListTotals(alarms: 0, eggs: 0, next: nil)
    if let row {
      totals.alarms = int(row, 0) ?? 0
      totals.eggs = Int64(exactly: (Double.fromDatabaseValue(row[1]) ?? 0).rounded()) ?? .max
    }
    let waiting = try WaitingRows(database, offsets: offsets(), part: .whole)
    let matches = try phases.map { phases in
      try database.cachedStatement(
        sql: "SELECT 1 \(AlarmRows.from) WHERE a.number = ?\(Self.condition(phases, "AND"))")
    }
    while totals.next == nil, let row = try waiting.next() {
      if let matches, try Int64.fetchOne(matches, arguments: [row.entry.key.number]) == nil { continue }
      totals.next = row.at
    }
    return totals
  }

  /// What is added to points of the clocks in use to have them on the wall clock.
  func offsets() throws -> [ClockID: Int64] {
    var offsets: [ClockID: Int64] = [:]
    for clock in try WaitingRows.clocksInUse(database) {
      offsets[clock] = rows.clocks.offset(of: clock, now: now)
    }
    return offsets
  }

  private func wall(_ due: DuePoint) -> Instant {
    Instant(microseconds: due.microseconds)
      + TimeSpan(microseconds: rows.clocks.offset(of: due.clock, now: now))
  }

  private static func condition(_ phases: Set<Alarm.Phase>?, _ word: String) -> String {
    guard let phases else { return "" }
    let names = phases.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    return " \(word) \(AlarmRows.phase) IN (\(names))"
  }
}
