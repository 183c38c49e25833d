import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite("Races of the hold") struct HoldTests {
  @Test("A deletion before the moment keeps the alarm from ringing during its commit")
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

  @Test("An alarm held by a change that keeps it rings late, with the reason")
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

  @Test("Rings of one alarm are returned in ringing order, not in key order")
  func order() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let snooze = fixture.entry(1, .wall(fixture.now.wall + .seconds(12)), occurrence: 99)
    fixture.refill([try fixture.every(1, "*:*:0/10"), snooze])
    fixture.clock.suspend(.seconds(20))
    #expect(fixture.wake() == [1, 1])
    #expect(fixture.scheduler.unrecorded(NumberSet([1])).map(\.key.occurrence) == [0, 99])
  }

  @Test("A hold returns a ring that came before the deletion")
  func ringFirst() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wake() == [1])
    #expect(fixture.hold([1]).map(\.key.number) == [1])
  }

  @Test("A hold does not return recorded rings")
  func recorded() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    fixture.clock.advance(.seconds(1))
    fixture.wake()
    fixture.take(.recorded(fixture.records, stored: true))
    #expect(fixture.hold([1]) == [])
  }

  @Test("After a failed deletion the alarm rings late, with the reason store")
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

  @Test("A deletion that fails before the moment changes nothing")
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

  @Test("Of two holds on one alarm, the end of one leaves the other")
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

  @Test("A hold on all alarms holds each")
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

  @Test("An alarm moved by an edit rings only at its new moment")
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
