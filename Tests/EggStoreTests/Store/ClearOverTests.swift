import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("What has been over and answered for long goes by itself")
struct ClearOverTests {
  private static let day = TimeSpan.seconds(86_400)
  private let bench: StoreBench

  /// 1 ringing, 2 waits, 3 counts down, 4 snoozed, 5 dismissed.
  init() throws { bench = try StoreBench.withFive() }

  /// eggd has run for that many days since the last time.
  @discardableResult
  private func run(days: Int64) throws -> ChangeOutcome {
    try bench.submit(ClearOverChange(ran: .seconds(days * 86_400), keep: .seconds(30 * 86_400)))
  }

  private var numbers: [Int64] { (try? bench.list().alarms.map(\.number).sorted()) ?? [] }

  @Test("Thirty days of running after it was found over and answered, a one-shot is deleted, and no other")
  func deletes() throws {
    let done = try bench.schedule("done")
    let missed = try bench.schedule("missed")
    try bench.stranger().write {
      try $0.execute(
        sql: """
          INSERT INTO occurrence (id, alarm, dueAt, outcome) VALUES (21, \(missed.number), 5, 'missed');
          UPDATE alarm SET state = 'over', due = NULL WHERE number = \(missed.number)
          """)
    }
    try bench.fire(done, occurrence: 31)
    try bench.submit(MarkDoneChange(Selection(numbers: [done.number]), true))
    try run(days: 1)
    try run(days: 29)
    #expect(numbers == [1, 2, 3, 4, 5, 6, 7])
    bench.changes.clear()
    let outcome = try run(days: 1)
    #expect(outcome.deleted == [5])
    #expect(numbers == [1, 2, 3, 4, 6, 7])
    #expect(bench.changes.all.count == 1)
    #expect(try run(days: 400).deleted == [])
  }

  @Test("A recurring alarm stays, and what was answered again stays as long once more")
  func stays() throws {
    var daily = bench.new("daily")
    let event = try #require(CalendarEvent("*-*-* 07:30:00"))
    daily.timing = .every(.event(event), zone: "UTC", floats: false)
    daily = try #require(try bench.submit(ScheduleChange(daily)).alarms.first)
    let number = daily.number
    try bench.fire(daily, occurrence: 41)
    try bench.submit(DismissChange(Selection(numbers: [number])))
    try run(days: 1)
    try bench.submit(UndoChange(expected: nil))
    bench.clock.advance(.seconds(60))
    let five = Selection(numbers: [5])
    try bench.stranger().write {
      try $0.execute(sql: "UPDATE occurrence SET dismissedAt = NULL WHERE alarm = 5")
    }
    try bench.submit(DismissChange(five))
    try run(days: 30)
    #expect(numbers.contains(5) && numbers.contains(number))
    #expect(try run(days: 30).deleted == [5])
    #expect(numbers.contains(number))
  }

  @Test("A wall clock that jumps deletes nothing", arguments: [20 * 365, -20 * 365] as [Int64])
  func wrongClock(days: Int64) throws {
    try run(days: 1)
    bench.clock.step(.seconds(days * 86_400))
    bench.store.clockStepped(bench.clock.read())
    try run(days: 1)
    #expect(numbers == [1, 2, 3, 4, 5])
  }

  @Test("It is one change of eggd's own, and what its undo brings back stays as long once more")
  func undone() throws {
    try run(days: 1)
    let request = ChangeRequest(
      ClearOverChange(ran: Self.day, keep: Self.day), readAt: bench.clock.read(), client: .keepOver)
    let outcome = try bench.wait { bench.store.submit(request, completion: $0) }.get()
    let made = MadeChange.all(request, outcome)
    #expect(made.map(\.kind) == [.delete])
    #expect(made.first?.deletes == true && made.first?.alarms?.map(\.number) == [5])
    let undone = try bench.submit(UndoChange(expected: nil)).undone
    #expect(undone?.kind == .delete && undone?.client.name == "keep-over")
    #expect(numbers == [1, 2, 3, 4, 5])
    try run(days: 29)
    #expect(numbers == [1, 2, 3, 4, 5])
    #expect(try run(days: 30).deleted == [5])
  }

  @Test("A synchronised calendar that misses it hears that eggd deleted it, until it is back")
  func cleared() throws {
    try bench.stranger().write { try $0.execute(sql: "INSERT INTO synced VALUES ('calendar', 'mark')") }
    let ids = try [1, 5].map { try #require(bench.alarm($0)).id }
    func cleared() throws -> [AlarmID] {
      try bench.wait { bench.store.ask({ try $0.syncMark(of: "calendar", gone: ids) }, completion: $0) }.get()
        .cleared
    }
    try run(days: 1)
    #expect(try cleared() == [])
    try run(days: 31)
    #expect(try cleared() == [ids[1]])
    try bench.submit(UndoChange(expected: nil))
    #expect(try cleared() == [])
    try bench.submit(DeleteChange(Selection(numbers: [5])))
    #expect(try cleared() == [])
  }

  @Test("What eggd has run is kept over an orderly stop, and counted only while the setting is there")
  func counted() throws {
    func ran() throws -> Int64? {
      try bench.stranger().read { try Int64.fetchOne($0, sql: "SELECT ran FROM schedule") }
    }
    bench.clock.advance(.seconds(3_600))
    try bench.reopen()
    #expect(try ran() == 0)
    bench.store.keepOver(for: Self.day)
    bench.queue.sync {}
    bench.clock.advance(.seconds(7_200))
    bench.clock.suspend(.seconds(3_600))
    try bench.reopen()
    #expect(try ran() == 7_200_000_000)
  }
}
