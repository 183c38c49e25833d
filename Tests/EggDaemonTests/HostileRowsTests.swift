import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggDaemon
@testable import EggStore
@testable import Ringing

@Suite("Rows written by another program")
struct HostileRowsTests {
  private static let extremes: [Int64] = [.min, 0, .max]

  private static let columns = [
    ("alarm", "number"), ("alarm", "eggs"), ("alarm", "position"), ("alarm", "span"), ("alarm", "instant"),
    ("alarm", "overAt"), ("alarm", "createdAt"), ("alarm", "modifiedAt"), ("alarm", "doneAt"),
    ("alarm", "doneClock"), ("alarm", "doneDue"), ("alarm", "beginsAt"),
    ("alarm", "clock"), ("alarm", "due"), ("occurrence", "id"), ("occurrence", "alarm"),
    ("occurrence", "dueAt"), ("occurrence", "missedCount"), ("occurrence", "firedAt"),
    ("occurrence", "snoozedUntil"), ("occurrence", "clock"), ("occurrence", "due"),
    ("occurrence", "lateness"), ("occurrence", "bubble"), ("boot", "id"), ("boot", "offset"),
    ("schedule", "sequence"), ("sqlite_sequence", "seq"),
  ]

  @Test(
    "No number in any column, however great or small, harms eggd or another alarm", arguments: columns)
  func extreme(table: String, column: String) throws {
    for value in Self.extremes {
      let bench = try StoreBench()
      for label in ["one", "two", "three"] { try bench.schedule(label, after: .seconds(60)) }
      try bench.count(down: .seconds(600), label: "four")
      try bench.fire(try #require(bench.alarm(1)), occurrence: 8)
      try bench.fire(try #require(bench.alarm(2)), occurrence: 9)
      let until = DuePoint(
        clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 300_000_000)
      try bench.submit(SnoozeChange(Selection(numbers: [2]), until: until))
      bench.close()
      try bench.stranger().write { database in
        try database.execute(
          sql: "UPDATE OR REPLACE \(table) SET \(column) = ? WHERE rowid = (SELECT min(rowid) FROM \(table))",
          arguments: [value])
      }
      try bench.reopen(bootID: "boot-2")
      try live(bench, "\(table).\(column) = \(value)")
    }
  }

  /// Rings all alarms, changes them, and reads them in every way.
  private func live(_ bench: StoreBench, _ comment: Comment) throws {
    var scheduler = Scheduler(
      currentBoot: bench.store.currentBoot, lastOccurrence: bench.store.lastOccurrence,
      started: bench.clock.read())
    var rung: [RingRecord] = []
    func perform(_ effects: [SchedulerEffect]) {
      for case .record(let rings) in effects {
        rung += rings
        bench.store.record(rings)
      }
      for case .show(let rings, _) in effects {
        let wording = NoticeWording { .utc }
        for ring in rings {
          _ = wording.content(of: Notice(ring), makesSound: true, at: Instant(microseconds: 0))
        }
      }
    }
    func hear() {
      bench.queue.sync {}
      bench.queue.sync {}
      let heard = bench.observer.heard.all
      bench.observer.heard.clear()
      for case .news(let news) in heard { perform(scheduler.take(news, at: bench.clock.read())) }
    }
    bench.store.moveEarlierBoots()
    bench.store.refill()
    for _ in 0..<4 {
      hear()
      bench.clock.advance(.seconds(300))
      perform(scheduler.wake(at: bench.clock.read()))
    }
    #expect(rung.contains { $0.key.number == 3 }, comment)
    let own = rung.filter { $0.key.number == 3 }
    #expect(own.count == 1, comment)
    for order in [ListOrder.position, .due] {
      let page = try bench.list(
        ListQuery(order: order, filter: ListFilter(phases: Set(Alarm.Phase.allCases))))
      #expect(page.alarms.contains { $0.number == 3 && $0.phase == .ringing }, comment)
      let wallOf = WallClock(now: bench.clock.read())
      let text = PageWriter(wallOf: wallOf)
      for alarm in page.alarms { _ = text.add(alarm) }
    }
    let resumed: [@Sendable (Reading) throws -> [Notice]] = [
      { try $0.ringing(last: 9) }, { try $0.unjournaled() },
    ]
    for read in resumed {
      for notice in try bench.wait({ bench.store.ask(read, completion: $0) }).get() {
        _ = NoticeWording { .utc }.content(of: notice, makesSound: true, at: Instant(microseconds: 0))
      }
    }
    var edit = AlarmEdit()
    edit.label = "new"
    try bench.submit(EditChange(Selection(numbers: [3]), edit))
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 1_000_000)
    try bench.submit(SnoozeChange(Selection(all: true), until: until))
    try bench.submit(DismissChange(Selection(all: true)))
    try bench.submit(DeleteChange(Selection(all: true)))
    hear()
    #expect(try bench.list().alarms.isEmpty, comment)
  }

  @Test(
    "No key counts up from an occurrence key beyond any clock reading", arguments: [true, false])
  func farKey(isTold: Bool) throws {
    let bench = try StoreBench()
    for _ in 1...2 { try bench.schedule() }
    let key = Instant.latest.microseconds
    try bench.stranger().write {
      try $0.execute(
        sql: "INSERT INTO occurrence (id, alarm, dueAt, outcome) VALUES (?, 1, 0, 'skipped')",
        arguments: [key])
    }
    if !isTold { try bench.reopen() }
    try bench.submit(SkipChange(Selection(numbers: [1])))
    var scheduler = Scheduler(
      currentBoot: bench.store.currentBoot, lastOccurrence: bench.store.lastOccurrence,
      started: bench.clock.read())
    bench.observer.heard.clear()
    bench.store.refill()
    let head: Refill = try #require(eventually { bench.observer.refills.last })
    _ = scheduler.take(.refilled(head), at: bench.clock.read())
    bench.clock.advance(.seconds(60))
    let now = bench.clock.read()
    var rung: [RingRecord] = []
    for case .record(let records) in scheduler.wake(at: now) { rung += records }
    #expect(rung.map(\.key.number) == [2])
    #expect(rung.allSatisfy { abs($0.occurrence - now.wall.microseconds) < 1_000_000 })
    let keys = try bench.stranger().read {
      try Int64.fetchAll($0, sql: "SELECT id FROM occurrence WHERE id <> ?", arguments: [key])
    }
    #expect(keys.count == 1 && keys.allSatisfy { $0 < now.wall.microseconds + 1_000_000 })
  }

  @Test("A row of megabytes damages only itself")
  func longTexts() throws {
    let bench = try StoreBench()
    for label in ["one", "two"] { try bench.schedule(label) }
    let long = String(repeating: "é", count: 3_000_000)
    try bench.stranger().write { database in
      for column in ["label", "summary", "body", "icon", "sound", "expression", "key"] {
        try database.execute(sql: "UPDATE alarm SET \(column) = ? WHERE number = 1", arguments: [long])
      }
    }
    let alarms = try bench.list().alarms
    #expect(alarms.map(\.number) == [1, 2])
    #expect(alarms[0].label?.allSatisfy { $0 == "é" } == true)
    bench.store.refill()
    let head: Refill = try #require(eventually { bench.observer.refills.last })
    for text in head.entries.flatMap({ [$0.card.label, $0.card.summary, $0.card.body, $0.card.icon] }) {
      #expect((text?.utf8.count ?? 0) <= 16_384)
    }
    #expect(head.entries.last?.card.label == "two")
  }

  @Test("Countdowns of an earlier boot are moved even if one exceeds 64 bits")
  func movedBeyond() throws {
    let bench = try StoreBench()
    try bench.count(down: .seconds(600))
    try bench.count(down: .seconds(600))
    bench.close()
    try bench.stranger().write {
      try $0.execute(sql: "UPDATE alarm SET due = ? WHERE number = 1", arguments: [Int64.max])
    }
    try bench.reopen(bootID: "boot-2")
    bench.store.moveEarlierBoots()
    #expect(eventually { bench.events.all.contains(.movedBoots(alarms: 2)) ? true : nil } == true)
    #expect(bench.alarm(1)?.due == .wall(Instant(microseconds: .max)))
  }
}
