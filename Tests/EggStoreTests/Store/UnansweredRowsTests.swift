import Alarms
@testable import EggStore
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Testing

@Suite("Rows of rings that wait for an answer")
struct UnansweredRowsTests {
  private static let patience = TimeSpan.seconds(300)

  /// Alarm 1 has rung as occurrence 10, and waits for an answer.
  private func ringing() throws -> StoreBench {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    var edit = AlarmEdit()
    edit.manner.unansweredAfter = Self.patience
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    bench.store.record([try ring(alarm, in: bench)])
    bench.queue.sync {}
    bench.queue.sync {}
    return bench
  }

  private func ring(_ alarm: Alarm, in bench: StoreBench) throws -> RingRecord {
    var ring = try bench.ring(alarm, occurrence: 10)
    ring.unanswered = due(in: bench)
    return ring
  }

  private func due(in bench: StoreBench) -> DuePoint {
    DuePoint(
      clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + Self.patience.microseconds)
  }

  /// What the head has of them.
  private func waiting(_ bench: StoreBench) throws -> [HeadEntry] {
    bench.observer.heard.clear()
    bench.store.refill()
    bench.queue.sync {}
    bench.queue.sync {}
    return try #require(bench.observer.refills.last).entries.filter { $0.unanswered != nil }
  }

  /// Its moment comes, and that is recorded.
  private func goUnanswered(_ bench: StoreBench) throws {
    let entry = try #require(try waiting(bench).first)
    bench.clock.advance(Self.patience)
    bench.store.record([
      RingRecord(
        occurrence: 10, key: entry.key, due: entry.due, dueAt: bench.now, firedAt: bench.now,
        lateness: .zero, reason: nil, outcome: .unanswered)
    ])
    bench.queue.sync {}
  }

  @Test("A ring that waits for an answer is in the head, with what rang")
  func inHead() throws {
    let bench = try ringing()
    let (rang, due) = (bench.now, due(in: bench))
    let told = try #require(bench.observer.moments.last?.waiting.first)
    #expect(told.due == due && told.key == EntryKey(number: 1, occurrence: 10))
    bench.clock.advance(.seconds(10))
    let entry = try #require(try waiting(bench).first)
    #expect(entry == told)
    #expect(entry.unanswered?.ring == RingID(occurrence: 10, firedAt: rang))
    #expect(bench.alarm(1)?.phase == .ringing && bench.alarm(1)?.state == .over)
  }

  @Test("It waits for none once it is dismissed, snoozed, done or deleted, nor once that is recorded")
  func ended() throws {
    let one = Selection(numbers: [1])
    for end: (StoreBench) throws -> Void in [
      { try $0.submit(DismissChange(one)) },
      { try $0.submit(SnoozeChange(one, until: .wall($0.now + .seconds(60)))) },
      { try $0.submit(MarkDoneChange(one, true)) },
      { try $0.submit(DeleteChange(one)) },
      { try goUnanswered($0) },
    ] {
      let bench = try ringing()
      #expect(try waiting(bench).count == 1)
      try end(bench)
      #expect(try waiting(bench).isEmpty)
    }
  }

  @Test("The ring at the end of a snooze waits for an answer of its own")
  func snoozed() throws {
    let bench = try ringing()
    let end = bench.now + .seconds(60)
    try bench.submit(SnoozeChange(Selection(numbers: [1]), until: .wall(end)))
    bench.clock.advance(.seconds(60))
    var ring = RingRecord(
      occurrence: 10, key: EntryKey(number: 1, occurrence: 10), due: .wall(end), dueAt: end, firedAt: end,
      lateness: .zero, reason: nil)
    ring.unanswered = due(in: bench)
    bench.store.record([ring])
    bench.queue.sync {}
    let entry = try #require(try waiting(bench).first)
    #expect(entry.due == due(in: bench))
    #expect(entry.unanswered?.ring.firedAt == end)
  }

  @Test("Another ring of its alarm takes its place")
  func replaced() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    var first = try ring(alarm, in: bench)
    first.next = .wall(bench.now + .seconds(120))
    bench.store.record([first])
    bench.clock.advance(.seconds(120))
    var second = try bench.ring(alarm, occurrence: 12)
    (second.due, second.unanswered) = (.wall(bench.now), due(in: bench))
    bench.store.record([second])
    bench.queue.sync {}
    #expect(try waiting(bench).map(\.key.occurrence) == [12])
  }

  @Test("An undo of the answer brings it back, unless its moment has passed: somebody is there")
  func undone() throws {
    let bench = try ringing()
    let due = due(in: bench)
    try bench.submit(DismissChange(Selection(numbers: [1])))
    try bench.submit(UndoChange(expected: nil))
    #expect(try waiting(bench).map(\.due) == [due])
    try bench.submit(DismissChange(Selection(numbers: [1])))
    bench.clock.advance(Self.patience)
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(try waiting(bench).isEmpty)
  }

  @Test("A redo answers it again, whatever became of its moment meanwhile")
  func redone() throws {
    let bench = try ringing()
    try bench.submit(DismissChange(Selection(numbers: [1])))
    try bench.submit(UndoChange(expected: nil))
    try goUnanswered(bench)
    try bench.submit(UndoChange(expected: nil, redoes: true))
    #expect(bench.alarm(1)?.phase == .rung)
    #expect(try waiting(bench).isEmpty)
  }

  @Test("An edit of the time moves it, and one that ends it has it wait no more")
  func edited() throws {
    let bench = try ringing()
    let due = due(in: bench)
    func edit(_ span: TimeSpan) throws -> [Int64] {
      var edit = AlarmEdit()
      edit.manner.unansweredAfter = span
      try bench.submit(EditChange(Selection(numbers: [1]), edit))
      return try waiting(bench).map(\.due.microseconds)
    }
    #expect(try edit(.seconds(60)) == [due.microseconds - 240_000_000])
    #expect(try edit(.seconds(600)) == [due.microseconds + 300_000_000])
    #expect(try edit(.zero) == [])
  }

  @Test("It holds the alarm until an answer is stored")
  func held() throws {
    let bench = try ringing()
    bench.observer.heard.clear()
    try bench.submit(SnoozeChange(Selection(numbers: [1]), until: .wall(bench.now + .seconds(60))))
    #expect(bench.observer.words.first == "hold")
  }

  @Test("After a reboot it waits on the wall clock, for what was left")
  func rebooted() throws {
    let bench = try ringing()
    let end = bench.now + Self.patience
    bench.clock.advance(.seconds(20))
    try bench.reopen(bootID: "boot-2")
    bench.store.moveEarlierBoots()
    #expect(eventually { bench.events.all.contains(.movedBoots(alarms: 1)) ? true : nil } == true)
    #expect(try waiting(bench).map(\.due) == [.wall(end)])
  }
}
