import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Reading the head")
struct HeadReadingTests {
  private func refill(_ bench: StoreBench) throws -> Refill {
    bench.observer.heard.clear()
    bench.store.refill()
    return try #require(eventually { bench.observer.refills.last })
  }

  @Test("Everything that waits is in the head, merged by moment, overdue first, with unlimited windows")
  func small() throws {
    let bench = try StoreBench()
    let late = try bench.schedule("late", after: .seconds(30))
    let snoozed = try bench.schedule("snoozed", after: .seconds(40))
    try bench.schedule("later", after: .seconds(500))
    try bench.count(down: .seconds(100))
    try bench.fire(snoozed, occurrence: 5)
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 200_000_000)
    try bench.submit(SnoozeChange(Selection(numbers: [2]), until: until))
    bench.clock.advance(.seconds(60))
    let refill = try refill(bench)
    #expect(
      refill.entries.map(\.key) == [
        EntryKey(number: 1), EntryKey(number: 4), EntryKey(number: 2, occurrence: 5), EntryKey(number: 3),
      ])
    #expect(refill.entries.first?.card.label == "late")
    #expect(refill.entries.first?.due == late.due)
    let wall = try #require(refill.windows[.wall])
    #expect(wall.origin == bench.clock.read().wall.microseconds - 1_000_000)
    #expect(wall.end == nil && wall.overdueEnd == nil)
    #expect(refill.windows[bench.store.currentBoot]?.origin == bench.clock.read().boot - 1_000_000)
    #expect(refill.earlierBoots.isEmpty)
  }

  @Test("The head holds the greatest occurrence key, even if no alarm of the head has it")
  func keys() throws {
    let bench = try StoreBench()
    #expect(try refill(bench).lastOccurrence == 0)
    let key = bench.now.microseconds + 1_000_000_000
    try bench.fire(try bench.schedule(after: .zero), occurrence: key)
    try bench.stranger().write {
      // A key beyond any clock reading.
      try $0.execute(
        sql: "INSERT INTO occurrence (id, alarm, dueAt, outcome) VALUES (?, 1, 0, 'missed')",
        arguments: [Int64.max - 1])
    }
    #expect(try refill(bench).lastOccurrence == key)
  }

  @Test("A full head is cut, on each clock at the moment of the last row")
  func large() throws {
    let bench = try StoreBench()
    try bench.count(down: .seconds(1_000_000))
    try bench.schedule(after: .seconds(60))
    bench.observer.heard.clear()
    try bench.stranger().write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
          INSERT INTO alarm (id, position, kind, instant, expression, readingZone, createdAt, due)
          SELECT 'x' || i, i, 'at', due, '', 'UTC', 0, due + (i - 3000) * 1000000
          FROM n, alarm WHERE number = 2
          """)
    }
    bench.store.refill()
    // The first head is short, whether it was requested or another program's write was noticed.
    let first = try #require(eventually { bench.observer.refills.first })
    #expect(first.entries.count == Refill.Size.first.overdue + Refill.Size.first.waiting)
    #expect(first.windows[.wall]?.end == first.entries.last?.order)
    let refill = try self.refill(bench)
    let origin = bench.clock.read().wall.microseconds - 1_000_000
    let overdue = refill.entries.filter { $0.due.clock == .wall && $0.due.microseconds <= origin }
    #expect(overdue.count == Refill.Size.usual.overdue)
    #expect(refill.entries.count == Head.capacity)
    #expect(refill.windows[.wall]?.overdueEnd == overdue.last?.order)
    #expect(refill.windows[.wall]?.end == refill.entries.last?.order)
    // Its one row lies behind the end; a new one lies before it.
    let boot = try #require(refill.windows[bench.store.currentBoot])
    #expect(boot.overdueEnd == nil)
    let last = try #require(refill.entries.last)
    let end = last.due.microseconds - bench.clock.read().bootOffset
    #expect(boot.end == EntryOrder(due: end, number: last.key.number, occurrence: 0))
    var head = Head(currentBoot: bench.store.currentBoot)
    head.replace(with: refill, at: bench.clock.read())
    bench.observer.heard.clear()
    try bench.count(down: .seconds(5))
    let countdown = try #require(bench.observer.moments.last?.waiting.first)
    head.set(countdown.key.number, waiting: [countdown], at: bench.clock.read())
    bench.clock.advance(.seconds(5))
    let rings = head.take(dueAt: bench.clock.read(), within: .seconds(1), leavingOut: Holds())
    #expect(rings.contains { $0.entry.key == countdown.key })
  }

  @Test("Countdowns of an earlier boot keep their moments and move to the wall clock")
  func earlierBoots() throws {
    let bench = try StoreBench()
    let before = try bench.count(down: .seconds(600))
    let offset = bench.clock.read().bootOffset
    let due = Instant(microseconds: try #require(before.due).microseconds + offset)
    // The machine was off for a while; the new boot has another clock.
    bench.clock.advance(.seconds(100))
    bench.clock.step(.seconds(5_000))
    try bench.reopen(bootID: "boot-2")
    #expect(bench.alarm(1)?.due == .wall(due))
    let raw = try refill(bench)
    #expect(raw.entries.map(\.due) == [before.due])
    let earlier = try #require(before.due).clock
    #expect(raw.earlierBoots == [earlier: offset])
    let ring = RingRecord(
      occurrence: 5, key: EntryKey(number: 1), due: try #require(before.due), dueAt: due, firedAt: due,
      lateness: .zero, reason: .down)
    bench.store.moveEarlierBoots()
    #expect(eventually { bench.events.all.contains(.movedBoots(alarms: 1)) ? true : nil } == true)
    #expect(bench.observer.moments.last?.waiting.map(\.due) == [.wall(due)])
    let moved = try refill(bench)
    #expect(moved.entries.map(\.due) == [.wall(due)])
    #expect(moved.earlierBoots.isEmpty)
    // It rang before it was moved.
    bench.store.record([ring])
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.alarm(1)?.phase == .ringing)
  }

  @Test("A clock step changes one row, which a later boot uses")
  func clockStep() throws {
    let bench = try StoreBench()
    let alarm = try bench.count(down: .seconds(600))
    bench.clock.step(.seconds(-30))
    bench.store.clockStepped(bench.clock.read())
    let offset = bench.clock.read().bootOffset
    try bench.reopen(bootID: "boot-2")
    let due = Instant(microseconds: try #require(alarm.due).microseconds + offset)
    #expect(bench.alarm(1)?.due == .wall(due))
  }

  @Test(
    "Reads before a ring use the partial indexes, unsorted",
    arguments: [
      (DueRows.Kind.alarm.sql, "alarm_due"), (DueRows.Kind.snooze.sql, "occurrence_due"),
      (DueRows.Kind.patience.sql, "occurrence_unanswered"),
      (Reading.rings(OccurrenceTable.rings), "occurrence_ringing"),
      (Reading.rings(Reading.isUnjournaled), "occurrence_unjournaled"),
    ])
  func plans(sql: String, index: String) throws {
    let bench = try StoreBench()
    let plan = try bench.stranger().read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql.replacing("?", with: "1"))
        .compactMap { text($0, 3) }
    }
    #expect(plan.first?.contains("INDEX \(index) (") == true, "\(plan)")
    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
  }

  @Test("Occurrences that no longer ring are reported")
  func stillRinging() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(), occurrence: 5)
    bench.observer.heard.clear()
    bench.store.stillRinging([5, 6])
    bench.queue.sync {}
    guard case .news(.ended(let ended)) = bench.observer.heard.all.first else {
      Issue.record("\(bench.observer.words)")
      return
    }
    #expect(ended == [6])
  }
}
