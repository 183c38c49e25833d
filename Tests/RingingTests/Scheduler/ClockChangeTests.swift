import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite("Clock steps, suspend, and what comes due meanwhile") struct ClockChangeTests {
  @Test("A countdown is not moved by a clock step", arguments: [Int64(-7_200), -1, 1, 7_200])
  func countdown(step: Int64) {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.countdown(1, in: .seconds(60))])
    fixture.clock.step(.seconds(step))
    #expect(fixture.wake() == [])
    #expect(fixture.armed == fixture.now.wall + .seconds(60))
    fixture.clock.advance(.seconds(60))
    #expect(fixture.wake() == [1])
    #expect(fixture.rings[0].record.lateness == .zero)
  }

  @Test("A clock set past the moment rings a wall-clock alarm at once, with the reason")
  func steppedOver() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(60))])
    fixture.clock.step(.seconds(3_600))
    #expect(fixture.wake() == [1])
    #expect(fixture.rings[0].record.reason == .clockStep)
    #expect(fixture.rings[0].record.lateness == .seconds(3_540))
    #expect(fixture.effects.contains(.clockStepped(by: .seconds(3_600))))
  }

  @Test("After a clock is set back a wall-clock alarm waits again, and rung ones stay rung")
  func steppedBack() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let first = fixture.wall(1, in: .seconds(1))
    let second = fixture.wall(2, in: .seconds(60))
    fixture.refill([first, second])
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wake() == [1])
    fixture.clock.step(.seconds(-3_600))
    #expect(fixture.wake() == [])
    #expect(fixture.armed == fixture.now.wall + .seconds(3_659))
    fixture.clock.advance(.seconds(3_659))
    #expect(fixture.wake() == [2])
  }

  @Test("Microseconds between two readings are no clock step")
  func wobble() {
    let fixture = SchedulerFixture.holding([])
    fixture.clock.step(TimeSpan(microseconds: 2))
    fixture.wake()
    #expect(fixture.effects == [.arm(nil)])
  }

  @Test("An alarm due during suspend rings on resume and says that the machine was asleep")
  func asleep() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.countdown(1, in: .seconds(60)), fixture.wall(2, in: .seconds(120))])
    fixture.clock.suspend(.seconds(600))
    #expect(fixture.wake() == [1, 2])
    #expect(fixture.rings.map(\.record.reason) == [.asleep, .asleep])
    #expect(fixture.rings.map(\.record.lateness) == [.seconds(540), .seconds(480)])
  }

  @Test("A countdown that was not due during suspend rings on time after it")
  func afterSleep() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.countdown(1, in: .seconds(900))])
    fixture.clock.suspend(.seconds(600))
    #expect(fixture.wake() == [])
    fixture.clock.advance(.seconds(300))
    #expect(fixture.wake() == [1])
    #expect(fixture.rings[0].record.lateness == .zero)
  }

  @Test("An alarm on time after the clock was set back has no reason for lateness")
  func onTimeAfterStepBack() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.clock.step(.seconds(-7_200))
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(3_600))])
    fixture.clock.advance(.seconds(3_600))
    fixture.clock.advance(TimeSpan(microseconds: 30))
    #expect(fixture.wake() == [1])
    #expect(fixture.rings[0].record.reason == nil)
  }

  @Test("A step that was reverted explains no later ring")
  func stepTakenBack() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([])
    fixture.clock.step(.seconds(3_600))
    fixture.wake()
    fixture.clock.step(.seconds(-3_600))
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(600))])
    fixture.clock.advance(TimeSpan(microseconds: 600_000_030))
    #expect(fixture.wake() == [1])
    #expect(fixture.rings[0].record.reason == nil)
  }

  @Test("An alarm due before the start keeps that reason after a clock step")
  func downAndStepped() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.clock.step(.seconds(-7_200))
    fixture.wake()
    fixture.clock.advance(.seconds(1))
    #expect(fixture.refill([fixture.wall(1, in: .seconds(-30))]) == [1])
    #expect(fixture.rings[0].record.reason == .down)
  }

  @Test("An alarm due before eggd started says that eggd was down")
  func down() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let rung = fixture.refill([fixture.wall(1, in: .seconds(-30)), fixture.countdown(2, in: .seconds(-10))])
    #expect(rung == [1, 2])
    #expect(fixture.rings.map(\.record.reason) == [.down, .down])
  }

  @Test("Alarms due now ring before those that are caught up with")
  func freshFirst() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let overdue = (1...10).map { fixture.wall($0, in: .seconds(-100 + $0)) }
    let fresh = fixture.wall(11, in: .milliseconds(-1))
    #expect(fixture.refill(overdue + [fresh]) == [11] + Array(1...10))
  }

  @Test("A catch-up goes in slices, each after the store has answered for the last")
  func slices() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let size = Scheduler.sliceSize
    let rung = fixture.refill((1...Int64(size * 2)).map { fixture.wall($0, in: .seconds(-1_000 + $0)) })
    #expect(rung == Array(1...Int64(size)))
    #expect(fixture.effects.contains { if case .show(_, joining: false) = $0 { true } else { false } })
    let records = fixture.records
    #expect(fixture.wake() == [])
    #expect(fixture.take(.recorded(Array(records.dropLast()), stored: true)) == [])
    let next = fixture.take(.recorded(records.suffix(1), stored: false))
    #expect(next == Array(Int64(size + 1)...Int64(size * 2)))
    #expect(fixture.effects.contains { if case .show(_, joining: true) = $0 { true } else { false } })
  }

  @Test("A store that does not answer delays the next slice by one second")
  func silentStore() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill((1...Int64(Scheduler.sliceSize + 1)).map { fixture.wall($0, in: .seconds(-1_000 + $0)) })
    #expect(fixture.armed == fixture.now.wall + Scheduler.slicePatience)
    fixture.clock.advance(Scheduler.slicePatience)
    #expect(fixture.wake() == [Int64(Scheduler.sliceSize + 1)])
  }

  @Test("An alarm due during a catch-up does not wait for it")
  func dueDuringCatchUp() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let overdue = (1...Int64(Scheduler.sliceSize + 1)).map { fixture.wall($0, in: .seconds(-1_000 + $0)) }
    fixture.refill(overdue + [fixture.wall(900, in: .milliseconds(10))])
    fixture.clock.advance(.milliseconds(10))
    #expect(fixture.wake() == [900])
  }
}
