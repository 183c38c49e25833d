import Alarms
import EggTestSupport
import EggTime
import GRDB
import GRDBSQLite
import Testing

@testable import EggStore

extension StoreBench {
  func groups(named name: String? = nil) throws -> [GroupSums] {
    try wait { store.ask({ try $0.groups(named: name) }, completion: $0) }.get()
  }

  /// The alarms that pass a filter, by number, and their totals.
  func filtered(
    _ order: ListOrder = .position, _ change: (inout ListFilter) -> Void
  ) throws -> (numbers: [Int64], totals: ListTotals?) {
    var filter = ListFilter()
    change(&filter)
    let page = try list(ListQuery(order: order, filter: filter))
    return (page.alarms.map(\.number), page.totals)
  }
}

@Suite("Filters and orders of the list")
struct FilterTests {
  /// Five alarms: 1 soft, in a group, due in 1 min; 2 hard, due in 2 min; 3 soft, in the group, due in 3 h; 4 other,
  /// rung; 5 without a label, in 4 days.
  private func bench() throws -> StoreBench {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday")))
    let rows: [(String?, Category, String?, Int64)] = [
      ("Breakfast 아침", .soft, "Sunday", 60), ("abendbrot", .hard, nil, 120),
      ("ÄGYPTEN", .soft, "Sunday", 10_800),
      ("rung", .other, nil, 30), (nil, .other, nil, 345_600),
    ]
    for (label, category, group, seconds) in rows {
      var new = bench.new(label, after: .seconds(seconds))
      (new.category, new.group, new.eggs) = (category, group, 2)
      try bench.submit(ScheduleChange(new))
    }
    bench.clock.advance(.seconds(30))
    try bench.fire(try #require(bench.alarm(4)))
    try bench.submit(DismissChange(Selection(numbers: [4])))
    return bench
  }

  @Test("Each filter passes exactly what it names, and the totals match")
  func each() throws {
    let bench = try bench()
    let now = bench.now
    func check(
      _ expected: [Int64], next: Int64?, _ change: (inout ListFilter) -> Void,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for order in [ListOrder.position, .due, .created, .label] {
        let (numbers, totals) = try bench.filtered(order, change)
        #expect(numbers.sorted() == expected, sourceLocation: sourceLocation)
        let sums = ListTotals(
          alarms: Int64(expected.count), eggs: Int64(2 * expected.count),
          next: next.map { now + .seconds($0) })
        #expect(totals == sums, sourceLocation: sourceLocation)
      }
    }
    try check([1, 2, 3, 4, 5], next: 30) { _ in }
    try check([1, 3], next: 30) { $0.categories = [.soft] }
    try check([1, 2, 3], next: 30) { $0.categories = [.soft, .hard] }
    try check([1, 3], next: 30) { $0.group = .named("Sunday") }
    try check([2, 4, 5], next: 90) { $0.group = ListFilter.GroupFilter.none }
    try check([4], next: nil) { $0.phases = [.rung] }
    try check([1, 2, 3, 5], next: 30) { $0.phases = [.scheduled] }
    try check([1, 2], next: 30) { $0.label = "B" }
    try check([1], next: 30) { $0.label = "아침" }
    try check([3], next: 10_770) { $0.label = "ägypten" }
    try check([], next: nil) { $0.label = "%" }
    try check([1, 2, 4], next: 30) { $0.dueBefore = now + .seconds(91) }
    try check([3, 5], next: 10_770) { $0.dueFrom = now + .seconds(91) }
    try check([3], next: 10_770) {
      $0.dueFrom = now + .seconds(91); $0.dueBefore = now + .seconds(86_400)
    }
    try check([3], next: 10_770) {
      $0.group = .named("Sunday"); $0.dueFrom = now + .seconds(91)
    }
    try bench.submit(MarkDoneChange(Selection(numbers: [1]), true))
    try check([1], next: nil) { $0.done = true }
    try check([2, 3, 4, 5], next: 90) { $0.done = false }
    try check([1, 2, 4], next: 90) { $0.dueBefore = now + .seconds(91) }
    try check([1], next: nil) {
      $0.dueFrom = now + .seconds(30); $0.dueBefore = now + .seconds(31)
    }
    try check([3], next: 10_770) {
      $0.group = .named("Sunday"); $0.done = false
    }
  }

  @Test("One that rang, and is marked done before its new moment, counts as skipped")
  func cancelledAgain() throws {
    let bench = try bench()
    var edit = AlarmEdit()
    let due = bench.now + .seconds(3_600)
    edit.timing = AlarmEdit.NewTiming(
      timing: .instant(due), expression: "1h", forcedKind: nil, readingZone: "UTC", due: .wall(due))
    try bench.submit(EditChange(Selection(numbers: [4]), edit))
    try bench.submit(MarkDoneChange(Selection(numbers: [4]), true))
    #expect(bench.alarm(4)?.phase == .skipped)
    #expect(try bench.filtered { $0.phases = [.skipped] }.numbers == [4])
    #expect(try bench.filtered { $0.phases = [.rung] }.numbers == [])
  }

  @Test("However many filters are used, none of their statements is cached")
  func statements() throws {
    let bench = try bench()
    @Sendable func list(_ reading: EggStore.Reading, _ filter: ListFilter) throws {
      for order in [ListOrder.position, .due, .created, .label] {
        _ = try reading.list(ListQuery(order: order, filter: filter))
      }
    }
    /// The most statements that one of the two readers keeps.
    func kept(_ work: @escaping @Sendable (EggStore.Reading) throws -> Void) throws -> Int {
      // Both at once: otherwise one reader may do everything.
      let begun = [Answer<Void>(), Answer<Void>()]
      let counts = [Answer<Result<Int, ChangeError>>(), Answer<Result<Int, ChangeError>>()]
      for (reader, count) in counts.enumerated() {
        bench.store.ask(
          { reading in
            begun[reader].give(())
            try #require(begun[1 - reader].wait())
            try work(reading)
            return StatementCount(of: reading.database).count
          }, completion: count.give)
      }
      return try counts.map { try #require($0.wait()).get() }.max() ?? 0
    }
    let before = try kept { for _ in 1...2 { try list($0, ListFilter()) } }
    let after = try kept { reading in
      for phase in [Alarm.Phase.scheduled, .paused, .ringing, .rung] {
        for category in [Category.soft, .medium, .hard, .other] {
          var filter = ListFilter(phases: [phase])
          filter.categories = [category]
          try list(reading, filter)
        }
      }
    }
    #expect(after <= before + 4)
  }

  private struct StatementCount {
    var count = 0

    init(of database: Database) {
      var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
      while let one = statement {
        count += 1
        statement = sqlite3_next_stmt(database.sqliteConnection, one)
      }
    }
  }

  @Test("A group that does not exist is an error, not an empty list")
  func noGroup() throws {
    let bench = try bench()
    #expect(throws: ChangeError.noSuchGroup("Monday")) {
      try bench.filtered { $0.group = .named("Monday") }
    }
  }

  @Test("A recurring alarm that rang today belongs to today, although it is due on another day")
  func today() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*-*-* 12:00:00")
    let due = Instant(microseconds: try #require(alarm.due).microseconds)
    bench.clock.advance(due - bench.now)
    bench.recorded(try bench.rings(of: alarm, 1))
    let found = try bench.filtered {
      $0.dueFrom = due - .seconds(3_600)
      $0.dueBefore = due + .seconds(3_600)
    }
    #expect(found.numbers == [1])
  }

  @Test(
    "Orders by creation and by label, ignoring case and with none last, have pages that follow each other")
  func orders() throws {
    let bench = try bench()
    try bench.submit(MoveChange(Selection(numbers: [5]), .top))
    func all(_ order: ListOrder) throws -> [Int64] {
      var numbers: [Int64] = []
      var after: ListCursor?
      repeat {
        let page = try bench.list(ListQuery(order: order, after: after, limit: 2))
        numbers += page.alarms.map(\.number)
        after = page.after
      } while after != nil
      return numbers
    }
    #expect(try all(.created) == [1, 2, 3, 4, 5])
    #expect(try all(.label) == [2, 1, 4, 3, 5])
    #expect(try all(.position) == [5, 1, 2, 3, 4])
    // A cursor without a key is looked up.
    let page = try bench.list(ListQuery(order: .label, after: ListCursor(number: 4)))
    #expect(page.alarms.map(\.number) == [3, 5])
  }

  /// Alarms in each phase; and, where `many`, a thousand more that have rung.
  private func benchOfPhases(many: Bool) throws -> StoreBench {
    let bench = try bench()
    try bench.submit(MarkDoneChange(Selection(numbers: [5]), true))
    for _ in 6...9 { _ = try bench.schedule() }
    try bench.submit(PauseChange(Selection(numbers: [try bench.count(down: .seconds(100)).number])))
    try bench.stranger().write { database in
      for number in 6...9 {
        try database.execute(
          sql:
            "UPDATE alarm SET state = ?, due = iif(?1 = 'over', NULL, due), eggs = number WHERE number = ?",
          arguments: [number == 9 ? "scheduled" : "over", number])
        try database.execute(
          sql: """
            INSERT INTO occurrence (id, alarm, dueAt, outcome, snoozedUntil, due) VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            number, number, 0, number == 6 ? "missed" : "rung",
            number == 7 ? bench.now.microseconds + 5_000_000 : nil,
            number == 7 ? bench.now.microseconds + 5_000_000 : nil,
          ])
      }
      guard many else { return }
      try database.execute(
        sql: """
          WITH RECURSIVE n (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM n WHERE n < 1100)
          INSERT INTO alarm (id, position, kind, span, expression, readingZone, state, createdAt)
          SELECT printf('00000000-0000-4000-8000-%012d', n), n, 'in', 1, '1s', 'UTC', 'over', 0 FROM n
          """)
    }
    return bench
  }

  @Test("Each set of states finds its alarms, in each order, few or many", arguments: [false, true])
  func phases(many: Bool) throws {
    let bench = try benchOfPhases(many: many)
    let all = try bench.list(ListQuery(limit: 2_000)).alarms
    let states = Alarm.Phase.allCases.filter { $0 != .other }
    #expect(Set(all.map(\.phase)) == Set(states))
    for order in [ListOrder.position, .due, .created, .label] {
      let ordered = try bench.list(ListQuery(order: order, limit: 2_000)).alarms
      for bits in 1..<(1 << states.count) {
        let phases = Set(states.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element))
        let expected = ordered.filter { phases.contains($0.phase) }
        let page = try bench.list(
          ListQuery(order: order, filter: ListFilter(phases: phases), limit: 2_000))
        #expect(page.alarms.map(\.number) == expected.map(\.number), "\(order) \(phases)")
        #expect(page.totals?.alarms == Int64(expected.count), "\(phases)")
        #expect(page.totals?.eggs == expected.reduce(0) { $0 + $1.eggs }, "\(phases)")
        let moments = expected.compactMap { $0.nextDue { Instant(microseconds: $0.microseconds) } }
        #expect(page.totals?.next == moments.min(), "\(phases)")
        guard expected.count > 1, expected.count < 10 else { continue }
        let first = try bench.list(
          ListQuery(order: order, filter: ListFilter(phases: phases), limit: 1))
        let rest = try bench.list(
          ListQuery(
            order: order, filter: ListFilter(phases: phases), after: first.after, limit: 2_000))
        #expect((first.alarms + rest.alarms).map(\.number) == expected.map(\.number), "\(order) \(phases)")
      }
    }
  }

  @Test("Pages by position and number and totals come from indexes, without sorting or scanning rows")
  func plans() throws {
    let bench = try bench()
    let queries: [(String, String)] = [
      (
        "\(AlarmRows.select) WHERE (a.position, a.number) > (0, 0) ORDER BY a.position, a.number LIMIT 9",
        "alarm_position"
      ),
      (
        "\(AlarmRows.select) WHERE (a.number, a.number) > (0, 0) ORDER BY a.number, a.number LIMIT 9",
        "PRIMARY KEY"
      ),
      (
        "\(AlarmRows.select) WHERE (a.position, a.number) > (0, 0) AND a.\"group\" = 'x' ORDER BY a.position, a.number LIMIT 9",
        "alarm_in_group"
      ),
      (
        "\(AlarmRows.select) WHERE (a.position, a.number) > (0, 0) AND a.category IN ('soft') ORDER BY a.position, a.number LIMIT 9",
        "alarm_category"
      ),
      ("SELECT count(*), total(a.eggs) FROM alarm a", "COVERING INDEX"),
      (
        "SELECT count(*), total(a.eggs) FROM alarm a WHERE a.\"group\" = 'x'", "COVERING INDEX alarm_in_group"
      ),
      (
        "SELECT count(*), total(a.eggs) FROM alarm a WHERE a.category IN ('soft')",
        "COVERING INDEX alarm_category"
      ),
      ("SELECT min(a.due) FROM alarm a WHERE a.due IS NOT NULL", "COVERING INDEX alarm_due"),
      (DueRows.Kind.alarm.sql, "alarm_due"), (DueRows.Kind.snooze.sql, "occurrence_due"),
    ]
    try bench.stranger().read { database in
      for (sql, index) in queries {
        let plan = try Row.fetchAll(
          database, sql: "EXPLAIN QUERY PLAN " + sql,
          arguments: StatementArguments(Array(repeating: 0, count: sql.filter { $0 == "?" }.count))
        )
        .map { text($0, 3) ?? "" }
        #expect(plan.contains { $0.contains(index) }, "\(sql): \(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sql): \(plan)")
        #expect(!plan.contains { $0 == "SCAN a" || $0 == "SCAN alarm" || $0 == "SCAN o" }, "\(sql): \(plan)")
      }
    }
  }
}
