import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggStore

/// The time is 2026-11-20 21:34:30 UTC.
@Suite("Recurring alarms after the clock was days ahead")
struct SetBackTests {
  private static let day: Int64 = 86_400
  private let one = Selection(numbers: [1])

  private func step(_ rig: ZoneRig, _ seconds: Int64) {
    rig.bench.clock.step(.seconds(seconds))
    rig.wake()
  }

  @Test(
    "After a correction, alarms wait for their next elapse after now, even one that already rang",
    arguments: [3 * day, 36 * 3_600, 400 * day] as [Int64])
  func running(ahead: Int64) throws {
    let rig = try ZoneRig()
    try rig.bench.every("07:30")
    rig.settle()
    step(rig, ahead)
    #expect(rig.rung == [1])
    #expect(rig.rings.all.first?.reason == .clockStep)
    step(rig, -ahead)
    let next = try ZoneRig.utc("2026-11-21 07:30:00")
    #expect(rig.due(1) == next)
    #expect(rig.loop.nextWake == next)
    #expect(rig.rung == [1])
    rig.advance(next - rig.bench.now)
    #expect(rig.rung == [1, 1])
    #expect(rig.rings.all.last?.lateness == .zero)
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-22 07:30:00")))
  }

  @Test("A correction while eggd is down has the same effect")
  func down() throws {
    let rig = try ZoneRig()
    try rig.bench.every("07:30")
    rig.settle()
    step(rig, 30 * Self.day)
    #expect(rig.rung == [1])
    rig.stop()
    rig.bench.clock.reboot(wall: try ZoneRig.utc("2026-11-20 22:00:00"))
    try rig.restart(bootID: "boot-2")
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-21 07:30:00")))
    #expect(rig.loop.nextWake == (try ZoneRig.utc("2026-11-21 07:30:00")))
  }

  @Test("Corrections in steps below a day take effect once they add up to more")
  func steps() throws {
    let rig = try ZoneRig()
    try rig.bench.every("07:30")
    rig.settle()
    step(rig, 40 * 3_600)
    step(rig, -20 * 3_600)
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-23 07:30:00")))
    step(rig, -20 * 3_600)
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-21 07:30:00")))
  }

  @Test("An alarm created or skipped by the wrong clock waits for its next elapse after now")
  func madeWhileWrong() throws {
    let rig = try ZoneRig()
    try rig.bench.every("06:00")
    rig.settle()
    step(rig, 5 * Self.day)
    try rig.bench.every("07:30")
    try rig.bench.submit(SkipChange(one))
    rig.settle()
    step(rig, -5 * Self.day)
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-21 06:00:00")))
    #expect(rig.due(2) == (try ZoneRig.utc("2026-11-21 07:30:00")))
  }

  @Test("A skipped elapse stays skipped")
  func skipped() throws {
    let rig = try ZoneRig()
    try rig.bench.every("*-03-01")
    try rig.bench.submit(SkipChange(one))
    rig.settle()
    step(rig, -2 * Self.day)
    #expect(rig.due(1) == (try ZoneRig.utc("2028-03-01 00:00:00")))
    rig.stop()
    rig.bench.clock.advance(.seconds(3 * Self.day))
    try rig.restart()
    #expect(rig.due(1) == (try ZoneRig.utc("2028-03-01 00:00:00")))
  }

  @Test("One resumed by the wrong clock waits for an elapse after now, also when other days are skipped then")
  func resumed() throws {
    let rig = try ZoneRig()
    try rig.bench.every("07:30")
    try rig.bench.submit(PauseChange(one))
    step(rig, 30 * Self.day)
    try rig.bench.submit(ResumeChange(one))
    rig.settle()
    step(rig, -30 * Self.day)
    // The first that passed during the pause is left out.
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-22 07:30:00")))
    let (from, until) = (CivilDate("2026-12-01"), try #require(CivilDate("2026-12-02")))
    try rig.bench.submit(SkipDaysChange(one, .range(from: from, until: until)))
    rig.settle()
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-21 07:30:00")))
  }

  @Test("What was missed while eggd was down stays recorded")
  func missed() throws {
    let rig = try ZoneRig()
    try rig.bench.every("07:30")
    rig.settle()
    step(rig, 3 * Self.day)
    step(rig, -3 * Self.day)
    rig.stop()
    rig.bench.clock.advance(.seconds(3 * Self.day))
    try rig.restart()
    #expect(rig.rung == [1, 1])
    #expect(rig.rings.all.last?.elapsed == 3)
    #expect(rig.rings.all.last?.reason == .down)
  }

  @Test("A correction within a day repeats no ring")
  func withinADay() throws {
    let rig = try ZoneRig()
    try rig.bench.every("07:30")
    rig.settle()
    step(rig, 12 * 3_600)
    #expect(rig.rung == [1])
    step(rig, -12 * 3_600)
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-22 07:30:00")))
  }

  @Test("One that was snoozed by the wrong clock waits for its next elapse after now, too")
  func snoozed() throws {
    let rig = try ZoneRig()
    try rig.bench.every("07:30")
    rig.settle()
    step(rig, 3 * Self.day)
    let end = rig.bench.clock.read().boot + 60_000_000
    try rig.bench.submit(
      SnoozeChange(one, until: DuePoint(clock: rig.bench.store.currentBoot, microseconds: end)))
    rig.advance(.seconds(60))
    #expect(rig.rung == [1, 1])
    step(rig, -3 * Self.day)
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-21 07:30:00")))
  }

  @Test("Hundreds of alarms follow in one step of the sequence")
  func many() throws {
    let rig = try ZoneRig()
    for _ in 0..<300 { try rig.bench.every("07:30") }
    rig.settle()
    step(rig, 3 * Self.day)
    for _ in 0..<5 { rig.wake() }
    #expect(rig.rung.count == 300)
    let sequence = rig.bench.store.sequence
    step(rig, -3 * Self.day)
    #expect(rig.bench.store.sequence == sequence + 1)
    let next = try ZoneRig.utc("2026-11-21 07:30:00")
    #expect(rig.loop.nextWake == next)
    rig.advance(next - rig.bench.now)
    #expect(rig.rung.count == 600)
  }
}
