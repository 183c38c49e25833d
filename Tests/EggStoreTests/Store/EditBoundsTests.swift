import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("Edits of the bounds of recurring alarms, and changes that change nothing")
struct EditBoundsTests {
  private let one = Selection(numbers: [1])

  private func retimed(_ timing: Timing, due: Instant) -> AlarmEdit {
    var edit = AlarmEdit()
    edit.timing = AlarmEdit.NewTiming(
      timing: timing, expression: "then", forcedKind: nil, readingZone: "UTC", due: .wall(due))
    return edit
  }

  private func daily(_ bench: StoreBench) throws -> AlarmEdit {
    retimed(
      .every(.event(try #require(CalendarEvent("*-*-* 08:00:00"))), zone: "UTC", floats: false),
      due: bench.now)
  }

  @Test("A new time drops until and count unless it comes with others")
  func dropped() throws {
    let bench = try StoreBench()
    try bench.every("*-*-* 07:30:00", until: bench.now + .seconds(864_000), count: 5)
    var edit = try daily(bench)
    edit.count = 3
    try bench.submit(EditChange(one, edit))
    #expect(bench.alarm(1)?.until == nil)
    #expect(bench.alarm(1)?.count == 3)
  }

  @Test("A new time schedules one that has rung for the last time without its old end")
  func ended() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", count: 1)
    var ring = try #require(try bench.rings(of: alarm, 1).first)
    ring.next = nil
    bench.clock.advance(.seconds(400))
    bench.recorded([ring])
    #expect(bench.alarm(1)?.state == .over)
    try bench.submit(EditChange(one, try daily(bench)))
    #expect(bench.alarm(1)?.count == nil)
    #expect(bench.alarm(1)?.due != nil)
  }

  @Test("Until, count and from change alone; the time stays")
  func alone() throws {
    let bench = try StoreBench()
    let made = try bench.every("*-*-* 07:30:00")
    var edit = AlarmEdit()
    edit.until = bench.now + .seconds(864_000)
    edit.count = 3
    let bounded = try #require(try bench.submit(EditChange(one, edit)).alarms.first)
    #expect(bounded.until == edit.until)
    #expect(bounded.count == 3)
    #expect(bounded.due == made.due)
    #expect(bounded.expression == made.expression)
    var later = AlarmEdit()
    later.from = bench.now + .seconds(172_800)
    #expect(
      try bench.submit(EditChange(one, later)).alarms.first?.due?.microseconds
        == (try #require(made.due)).microseconds + 172_800_000_000)
    var over = AlarmEdit()
    over.until = bench.now + .seconds(60)
    #expect(bench.submitted(EditChange(one, over)).error == .neverRings(number: 1))
    try bench.schedule()
    #expect(
      bench.submitted(EditChange(Selection(numbers: [2]), edit)).error
        == .wrongState(number: 2, .scheduled))
  }

  @Test("An edit of several alarms changes those that are not so already")
  func some() throws {
    let bench = try StoreBench()
    try bench.schedule("one")
    try bench.schedule("two")
    var edit = AlarmEdit()
    edit.label = "two"
    let outcome = try bench.submit(EditChange(Selection(all: true), edit))
    #expect(outcome.alarms.map(\.number) == [1, 2])
    #expect(outcome.changed == 2)
    #expect(bench.alarm(1)?.modifiedAt != nil)
    #expect(bench.alarm(2)?.modifiedAt == nil)
  }

  @Test("What changes nothing is nothing to undo")
  func nothing() throws {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "work", color: .red)))
    try bench.submit(DaysOffChange("trip", .add([try #require(DayRange("2026-12-24"))])))
    try bench.schedule("one")
    let sequence = try bench.submit(MoveChange(one, .top)).sequence
    var edit = AlarmEdit()
    (edit.wake, edit.group) = (false, .some(nil))
    var renamed = GroupEdit()
    (renamed.name, renamed.color) = ("work", .red)
    #expect(try bench.submit(EditChange(one, edit)).alarms.map(\.number) == [1])
    #expect(try bench.submit(EditGroupChange(name: "work", renamed)).group?.group.name == "work")
    #expect(try bench.submit(DaysOffChange("trip", .rename("trip"))).daysOff?.name == "trip")
    #expect(
      bench.submitted(DaysOffChange("work", .rename("work"))).error
        == .noSuchDaysOff("work", known: ["trip"]))
    let outcome = try bench.submit(UndoChange(expected: nil))
    #expect(outcome.sequence == sequence + 1)
    #expect(outcome.undone?.kind == .move)
  }

  @Test("extend of all alarms leaves recurring ones out")
  func extended() throws {
    let bench = try StoreBench()
    try bench.every("*-*-* 07:30:00")
    try bench.schedule()
    bench.observer.heard.clear()
    let outcome = try bench.submit(ExtendChange(Selection(all: true), by: .seconds(60)))
    #expect(outcome.alarms.map(\.number) == [2])
    #expect(bench.changes.all.last?.alarms?.map { $0.new?.number } == [2])
    #expect(
      bench.submitted(ExtendChange(one, by: .seconds(60))).error == .wrongState(number: 1, .scheduled))
  }

  @Test("One that rings and is paused is listed as paused too, and cannot be paused again")
  func ringsPaused() throws {
    let bench = try StoreBench()
    let rings = try bench.rings(of: try bench.every("*:0/10"), 1)
    bench.clock.advance(.seconds(400))
    bench.recorded(rings)
    try bench.submit(PauseChange(one))
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(bench.alarm(1)?.state == .paused)
    for phase in [Alarm.Phase.paused, .ringing] {
      #expect(try bench.filtered { $0.phases = [phase] }.numbers == [1])
    }
    #expect(try bench.filtered { $0.phases = [.scheduled] }.numbers == [])
    #expect(bench.submitted(PauseChange(one)).error == .wrongState(number: 1, .paused))
  }
}
