import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Reading the list")
struct ListTests {
  @Test("The order by position is the order of creation, with totals of everything")
  func byPosition() throws {
    let bench = try StoreBench.withFive()
    let page = try bench.list()
    #expect(page.alarms.map(\.number) == [1, 2, 3, 4, 5])
    #expect(page.alarms.map(\.phase) == [.ringing, .scheduled, .scheduled, .snoozed, .rung])
    let next = bench.clock.read().wall + .seconds(100)
    #expect(page.totals == ListTotals(alarms: 5, eggs: 10, next: next))
    #expect(page.after == nil)
    #expect(page.sequence == bench.store.sequence)
  }

  @Test(
    "The order by due merges snoozes, countdowns and the wall clock; alarms with nothing to come are last")
  func byDue() throws {
    let bench = try StoreBench.withFive()
    #expect(try bench.list(ListQuery(order: .due)).alarms.map(\.number) == [3, 4, 2, 1, 5])
  }

  @Test("Pages of any size make up the list", arguments: [ListOrder.position, .due], [1, 2, 3, 5])
  func pages(order: ListOrder, limit: Int) throws {
    let bench = try StoreBench.withFive()
    let whole = try bench.list(ListQuery(order: order)).alarms
    var found: [Alarm] = []
    var query = ListQuery(order: order, limit: limit, withTotals: false)
    repeat {
      let page = try bench.list(query)
      #expect(page.alarms.count <= limit)
      #expect(page.totals == nil)
      found += page.alarms
      query.after = page.after
    } while query.after != nil
    #expect(found == whole)
  }

  @Test("Pages end where another program has written moments that no clock reaches", arguments: [1, 2])
  func pagesOfExtremes(limit: Int) throws {
    let bench = try StoreBench.withFive()
    let clock = try #require(bench.alarm(3)?.due?.clock)
    try bench.stranger().write { database in
      try database.execute(
        sql: """
          UPDATE alarm SET clock = ?,
            due = iif(number < 3, 9223372036854775807, -9223372036854775808) WHERE number < 5
          """, arguments: [clock.rawValue])
    }
    var found: [Int64] = []
    var query = ListQuery(order: .due, limit: limit)
    repeat {
      let page = try bench.list(query)
      found += page.alarms.map(\.number)
      query.after = page.after
    } while query.after != nil && found.count < 9
    #expect(found.sorted() == [1, 2, 3, 4, 5])
  }

  @Test("A page can begin after an alarm whose number alone is known")
  func afterNumber() throws {
    let bench = try StoreBench.withFive()
    let page = try bench.list(ListQuery(order: .due, after: ListCursor(number: 4)))
    #expect(page.alarms.map(\.number) == [2, 1, 5])
  }

  @Test("A filter by phase and its totals agree", arguments: [ListOrder.position, .due])
  func filter(order: ListOrder) throws {
    let bench = try StoreBench.withFive()
    let ringing = try bench.list(ListQuery(order: order, filter: ListFilter(phases: [.ringing, .snoozed])))
    #expect(Set(ringing.alarms.map(\.number)) == [1, 4])
    let snoozeEnd = bench.clock.read().wall + .seconds(200)
    #expect(ringing.totals == ListTotals(alarms: 2, eggs: 4, next: snoozeEnd))
    let none = try bench.list(ListQuery(order: order, filter: ListFilter(phases: [.missed])))
    #expect(none.alarms.isEmpty)
    #expect(none.totals == ListTotals(alarms: 0, eggs: 0, next: nil))
  }

  @Test("History is latest first, in pages, of one alarm or of all")
  func history() throws {
    let bench = try StoreBench.withFive()
    let all = try bench.wait {
      bench.store.ask({ try $0.history(of: nil, before: nil, limit: 2) }, completion: $0)
    }.get()
    #expect(all.past.map(\.number) == [5, 4])
    #expect(all.before == 11)
    let rest = try bench.wait {
      bench.store.ask({ try $0.history(of: nil, before: all.before, limit: 2) }, completion: $0)
    }.get()
    #expect(rest.past.map(\.number) == [1])
    #expect(rest.before == nil)
    let one = try bench.wait {
      bench.store.ask({ try $0.history(of: .number(4), before: nil, limit: 9) }, completion: $0)
    }.get()
    #expect(one.past.map(\.occurrence.id) == [11])
  }

  @Test("The start resumes ringing bubbles and rings missing from the journal")
  func unfinished() throws {
    let bench = try StoreBench.withFive()
    let ring = try bench.ring(of: 10)
    bench.store.mark([.journaled(ring, at: bench.clock.read().wall)])
    bench.store.mark([.shown([ring], bubble: 7, server: ":1.9", at: bench.clock.read().wall)])
    bench.queue.sync {}
    bench.queue.sync {}
    let ringing = try bench.wait { bench.store.ask({ try $0.ringing(last: 9) }, completion: $0) }.get()
    #expect(ringing.map(\.number) == [1])
    #expect(ringing.first?.shown == Notice.ShownBubble(id: 7, server: ":1.9"))
    let unjournaled = try bench.wait { bench.store.ask({ try $0.unjournaled() }, completion: $0) }.get()
    #expect(unjournaled.map(\.occurrence) == [11, 12])
  }

  /// What a start reads again.
  static let resumed: [@Sendable (Reading) throws -> [Notice]] = [
    { try $0.ringing(last: 9) }, { try $0.unjournaled() },
  ]

  @Test("A ring at the end of a snooze is resumed with that moment")
  func unfinishedSnooze() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(), occurrence: 10)
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 60_000_000)
    try bench.submit(SnoozeChange(Selection(all: true), until: until))
    let ends = bench.clock.read().wall + .seconds(60)
    bench.store.record([
      RingRecord(
        occurrence: 10, key: EntryKey(number: 1, occurrence: 10), due: until, dueAt: ends,
        firedAt: ends + .seconds(2), lateness: .seconds(2), reason: .down)
    ])
    bench.queue.sync {}
    bench.queue.sync {}
    for read in Self.resumed {
      let notices = try bench.wait { bench.store.ask(read, completion: $0) }.get()
      #expect(notices.map(\.dueAt) == [ends])
      #expect(notices.map(\.lateness) == [.seconds(2)])
    }
  }

  @Test("The last hundred occurrences of an alarm are kept")
  func kept() throws {
    let bench = try StoreBench()
    try bench.schedule()
    for round in 1...103 {
      try bench.fire(try #require(bench.alarm(1)), occurrence: Int64(round))
      var edit = AlarmEdit()
      edit.timing = AlarmEdit.NewTiming(
        timing: .countdown(.seconds(1)), expression: "1s", forcedKind: nil, readingZone: "UTC",
        due: .wall(bench.clock.read().wall))
      try bench.submit(EditChange(Selection(numbers: [1]), edit))
    }
    let history = try bench.wait { bench.store.alarm(.number(1), completion: $0) }.get()
    #expect(history.occurrences.map(\.id) == (4...103).reversed())
  }
}
