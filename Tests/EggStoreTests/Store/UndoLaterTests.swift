import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Undo after later events")
struct UndoLaterTests {
  private let one = Selection(numbers: [1])

  /// Whether everything announced to the scheduler is in the future.
  private func isAhead(_ bench: StoreBench) -> Bool {
    let now = bench.clock.read()
    return bench.observer.moments.flatMap(\.waiting).allSatisfy {
      $0.due.microseconds > ($0.due.clock == .wall ? now.wall.microseconds : now.boot)
    }
  }

  private func snooze(_ bench: StoreBench) throws {
    let until = DuePoint(
      clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 60_000_000)
    try bench.submit(SnoozeChange(one, until: until))
  }

  @Test("A forgotten step that is not swept away yet does not return with a later change")
  func leftImages() throws {
    let bench = try StoreBench()
    let model = try bench.schedule()
    let staged = (2...900).map { number in
      var alarm = model
      (alarm.number, alarm.id) = (Int64(number), AlarmID())
      return (alarm: alarm, occurrences: [Occurrence]())
    }
    let id = bench.store.beginImport()
    try bench.submit(ImportAlarmsChange(id, alarms: staged))
    try bench.submit(CommitImportChange(id))
    try bench.submit(DeleteChange(Selection(ranges: [2...900])))
    for _ in 1...20 { try bench.submit(MoveChange(one, .bottom)) }
    for _ in 1...20 { try bench.submit(UndoChange(expected: nil)) }
    #expect(bench.submitted(UndoChange(expected: nil)).error == .nothingToUndo)
    for _ in 1...3 { try bench.submit(MoveChange(one, .bottom)) }
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == 1)
    #expect(try bench.list().alarms.map(\.number) == [1])
  }

  @Test("An entry written after the deletion is not written again, however late that is undone")
  func entryOfDeleted() throws {
    let bench = try StoreBench()
    for _ in 1...2 { try bench.schedule() }
    let alarm = try #require(bench.alarm(1))
    try bench.fire(alarm, occurrence: 10)
    let ring = try bench.ring(of: 10)
    try bench.submit(DeleteChange(one))
    for _ in 1...3 { try bench.submit(MoveChange(Selection(numbers: [2]), .top)) }
    bench.store.mark([.journaled(ring, at: bench.clock.read().wall)])
    for _ in 1...4 { try bench.submit(UndoChange(expected: nil)) }
    #expect(bench.alarm(1)?.latest?.journaledAt == bench.clock.read().wall)
  }

  @Test("A snooze gets its old end back, and is missed if that has passed")
  func snoozeExtended() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(after: .seconds(1)))
    try snooze(bench)
    try bench.submit(ExtendChange(one, by: .seconds(3_600)))
    bench.clock.advance(.seconds(120))
    bench.observer.heard.clear()
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.missed == [1])
    #expect(isAhead(bench))
    #expect(bench.alarm(1)?.phase == .missed)
  }

  @Test("A snooze whose end has moved since stays, and its alarm waits for it")
  func snoozeMoved() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(), occurrence: 8)
    try snooze(bench)
    // As when the clock is set back after a restart of the machine.
    try bench.stranger().write { try $0.execute(sql: "UPDATE occurrence SET due = due - 1000000") }
    try bench.submit(UndoChange(expected: nil))
    let alarm = try #require(bench.alarm(1))
    #expect(alarm.latest?.due != nil)
    #expect(alarm.state == .scheduled)
  }

  @Test("A recurring alarm's dismissed snooze does not ring if it is past")
  func snoozeDismissed() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10")
    bench.clock.advance(.seconds(600))
    var ring = try bench.ring(alarm)
    ring.next = .wall(bench.now + .seconds(600))
    bench.store.record([ring])
    bench.queue.sync {}
    bench.queue.sync {}
    try snooze(bench)
    try bench.submit(DismissChange(one))
    bench.clock.advance(.seconds(120))
    bench.observer.heard.clear()
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.missed == [1])
    #expect(isAhead(bench))
    #expect(bench.alarm(1)?.due != nil)
  }

  @Test("An alarm whose snooze is undone after its last elapse was missed is over")
  func lastMissedSinceSnooze() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", count: 2)
    bench.clock.advance(.seconds(600))
    var ring = try bench.ring(alarm)
    ring.next = .wall(bench.now + .seconds(600))
    try record(bench, ring)
    try snooze(bench)
    var last = try bench.ring(try #require(bench.alarm(1)))
    (last.occurrence, last.outcome) = (ring.occurrence + 1, .missed)
    try record(bench, last)
    #expect(bench.alarm(1)?.phase == .snoozed)
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.stranger().read { try String.fetchAll($0, sql: "SELECT state FROM alarm") } == ["over"])
  }

  @Test(
    "A ring whose answer is undone after a new ring of its alarm stays replaced by that",
    arguments: [false, true])
  func replacedSinceAnswer(isSnoozed: Bool) throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10")
    bench.clock.advance(.seconds(600))
    var ring = try bench.ring(alarm)
    ring.next = .wall(bench.now + .seconds(600))
    try record(bench, ring)
    if isSnoozed { try snooze(bench) } else { try bench.submit(DismissChange(one)) }
    var new = try bench.ring(try #require(bench.alarm(1)))
    new.occurrence = ring.occurrence + 2
    try record(bench, new)
    for redoes in [false, true, false] { try bench.submit(UndoChange(expected: nil, redoes: redoes)) }
    let unanswered = try bench.stranger().read {
      try Int64.fetchAll($0, sql: "SELECT id FROM occurrence WHERE \(OccurrenceTable.rings)")
    }
    #expect(unanswered == [new.occurrence])
  }

  @Test("A snooze that returns to an alarm after its last ring is waited for")
  func snoozeOfOver() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", count: 2)
    bench.clock.advance(.seconds(600))
    var ring = try bench.ring(alarm)
    ring.next = .wall(bench.now + .seconds(600))
    try record(bench, ring)
    try snooze(bench)
    try bench.submit(DismissChange(one))
    var last = try bench.ring(try #require(bench.alarm(1)))
    last.occurrence = ring.occurrence + 1
    try record(bench, last)
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.observer.moments.last?.waiting.count == 1)
    #expect(
      try bench.stranger().read { try String.fetchAll($0, sql: "SELECT state FROM alarm") } == ["scheduled"])
  }

  @Test("A deleted ring returns even if its key is taken")
  func takenKey() throws {
    let bench = try StoreBench()
    let first = try bench.schedule(after: .seconds(1))
    let second = try bench.schedule(after: .seconds(1))
    try bench.fire(first, occurrence: 1_000)
    try bench.submit(DeleteChange(one))
    try bench.fire(second, occurrence: 1_000)
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(try bench.occurrences(1).map(\.id) == [1_001])
    #expect(try bench.occurrences(2).map(\.id) == [1_000])
  }

  @Test("A ring deleted before its journal mark came is not journaled again when it returns")
  func deletedBeforeItsMark() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(after: .seconds(1)), occurrence: 1_000)
    let ring = try bench.ring(of: 1_000)
    try bench.submit(DeleteChange(one))
    bench.store.mark([.journaled(ring, at: bench.now)])
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.occurrences(1).map(\.journaledAt) == [bench.now])
  }

  private func record(_ bench: StoreBench, _ ring: RingRecord) throws {
    bench.store.record([ring])
    bench.queue.sync {}
    bench.queue.sync {}
  }

  @Test("A recurring alarm that rang after it was marked done has missed nothing")
  func doneRecurring() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", count: 5)
    try bench.submit(MarkDoneChange(one, true))
    bench.clock.advance(.seconds(700))
    var ring = try bench.ring(alarm)
    ring.next = .wall(bench.now + .seconds(500))
    bench.store.record([ring])
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.missed == [])
    #expect(try bench.occurrences(1).map(\.outcome) == [.rung])
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(bench.alarm(1)?.count == 4)
  }

  @Test("A key returns to the alarm that lost it")
  func keyReturns() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(after: .seconds(1), key: "tea", request: "a"))
    bench.clock.advance(.seconds(3_600))
    try bench.schedule(key: "tea", request: "b")
    #expect(bench.alarm(1)?.key == nil)
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.list().alarms.map(\.key) == ["tea"])
  }

  @Test("Alarms of a group that gets its old name and icon back are announced")
  func groupEdited() throws {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday", icon: "sun")))
    var alarm = bench.new()
    alarm.group = "Sunday"
    try bench.submit(ScheduleChange(alarm))
    var edit = GroupEdit()
    edit.name = "Monday"
    edit.icon = .some("moon")
    try bench.submit(EditGroupChange(name: "Sunday", edit))
    bench.observer.heard.clear()
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.changes.all.last?.alarms?.first?.new?.group == "Sunday")
    #expect(bench.observer.moments.first?.waiting.first?.card.icon == "sun")
  }

  @Test("A countdown extended before a reboot missed its old moment")
  func extendedBeforeReboot() throws {
    let bench = try StoreBench()
    try bench.count(down: .seconds(600))
    try bench.submit(ExtendChange(one, by: .seconds(3_600)))
    bench.clock.reboot(wall: bench.now + .seconds(60))
    try bench.reopen(bootID: "boot-2")
    bench.store.moveEarlierBoots()
    bench.queue.sync {}
    bench.queue.sync {}
    bench.clock.advance(.seconds(900))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.phase == .missed)
  }

  @Test("Undo of a change that moved no alarm holds none")
  func withoutHold() throws {
    let bench = try StoreBench()
    try bench.schedule()
    var edit = AlarmEdit()
    edit.label = .some("other words")
    try bench.submit(EditChange(one, edit))
    bench.observer.heard.clear()
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.label == nil)
    #expect(bench.observer.words == ["unrecorded", "changed"])
  }
}
