import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite("The races of the hold") struct HoldTests {
  @Test("a deletion that comes before the moment keeps the alarm from ringing while it is being committed")
  func holdFirst() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1)), fixture.wall(2, in: .seconds(1))])
    #expect(fixture.hold([1]) == [])
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wake() == [2])
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [], ringing: [])]))
    #expect(fixture.endHold() == [])
    fixture.clock.advance(.seconds(60))
    #expect(fixture.wake() == [])
  }

  @Test("what was held in vain rings late once the change is made, and says why")
  func untouched() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1)), fixture.wall(2, in: .seconds(1))])
    #expect(fixture.hold([1, 2]) == [])
    fixture.clock.advance(.seconds(6))
    #expect(fixture.wake() == [])
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [], ringing: [])]))
    #expect(fixture.endHold() == [2])
    #expect(fixture.records.map(\.reason) == [.store])
  }

  @Test("rings of one alarm are named in the order in which it rang, not in that of their keys")
  func order() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let snooze = fixture.entry(1, .wall(fixture.now.wall + .seconds(12)), occurrence: 99)
    fixture.refill([try fixture.every(1, "*:*:0/10"), snooze])
    fixture.clock.suspend(.seconds(20))
    #expect(fixture.wake() == [1, 1])
    #expect(fixture.scheduler.unrecorded(NumberSet([1])).map(\.key.occurrence) == [0, 99])
  }

  @Test("a ring that comes before the deletion is named to it")
  func ringFirst() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wake() == [1])
    #expect(fixture.hold([1]).map(\.key.number) == [1])
  }

  @Test("a ring that is recorded already is not named again")
  func recorded() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    fixture.clock.advance(.seconds(1))
    fixture.wake()
    fixture.take(.recorded(fixture.records, stored: true))
    #expect(fixture.hold([1]) == [])
  }

  @Test("a deletion whose commit fails lets the alarm ring, late, with the reason store")
  func commitFails() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.countdown(1, in: .seconds(1))])
    _ = fixture.hold([1])
    fixture.clock.advance(.seconds(6))
    #expect(fixture.wake() == [])
    #expect(fixture.armed == nil)
    #expect(fixture.endHold() == [1])
    #expect(fixture.rings[0].record.reason == .store)
    #expect(fixture.rings[0].record.lateness == .seconds(5))
  }

  @Test("a deletion whose commit fails before the moment changes nothing")
  func commitFailsInTime() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.countdown(1, in: .seconds(10))])
    _ = fixture.hold([1])
    #expect(fixture.endHold() == [])
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [1])
    #expect(fixture.rings[0].record.reason == nil)
  }

  @Test("two holds on one alarm: the end of one does not end the other")
  func twoHolds() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    _ = fixture.hold([1], 1)
    _ = fixture.hold([1], 2)
    fixture.clock.advance(.seconds(1))
    #expect(fixture.endHold(1) == [])
    #expect(fixture.endHold(2) == [1])
  }

  @Test("a hold on all alarms is as good as one on each")
  func holdOnAll() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill((1...50).map { fixture.wall($0, in: .seconds(1)) })
    _ = fixture.scheduler.hold(.all, as: HoldID(rawValue: 3))
    fixture.clock.advance(.seconds(2))
    #expect(fixture.wake() == [])
    fixture.refill([])
    #expect(fixture.endHold(3) == [])
  }

  @Test("an alarm moved by an edit rings at its new moment only")
  func moved() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    _ = fixture.hold([1])
    let later = fixture.wall(1, in: .seconds(20))
    fixture.clock.advance(.seconds(2))
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [later], ringing: [])]))
    #expect(fixture.endHold() == [])
    fixture.clock.advance(.seconds(18))
    #expect(fixture.wake() == [1])
    #expect(fixture.rings[0].record.lateness == .zero)
  }
}
