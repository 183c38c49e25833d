import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite struct SchedulerTests {
  @Test("Nothing rings before its moment, and it rings at its moment")
  func exact() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(5)), fixture.countdown(2, in: .seconds(5))])
    #expect(fixture.armed == fixture.now.wall + .seconds(5))
    fixture.clock.advance(TimeSpan(microseconds: 4_999_999))
    #expect(fixture.wake() == [])
    fixture.clock.advance(TimeSpan(microseconds: 1))
    #expect(fixture.wake() == [1, 2])
    #expect(fixture.rings.allSatisfy { $0.record.lateness == .zero && $0.record.reason == nil })
    #expect(fixture.armed == nil)
  }

  @Test("A ring goes to the journal and the desktop before the store")
  func order() {
    let fixture = SchedulerFixture.holding([])
    let entry = fixture.countdown(1, in: .seconds(1))
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [entry], ringing: [])]))
    fixture.clock.advance(.seconds(1))
    fixture.wake()
    let kinds = fixture.effects.map { effect in
      switch effect {
      case .journal: "journal"
      case .show: "show"
      case .record: "record"
      case .arm: "arm"
      default: "other"
      }
    }
    #expect(kinds == ["journal", "show", "record", "arm"])
  }

  @Test("The first wake asks for the head once")
  func firstRefill() {
    let fixture = SchedulerFixture()
    fixture.wake()
    #expect(fixture.asksForRefill)
    fixture.wake()
    #expect(!fixture.asksForRefill)
  }

  @Test("A failed read of the head is repeated after 1 s, then 2 s, then 4 s")
  func refillFails() {
    let fixture = SchedulerFixture()
    fixture.wake()
    for pause in [Int64(1), 2, 4] {
      fixture.take(.refillFailed)
      #expect(fixture.armed == fixture.now.wall + .seconds(pause))
      #expect(!fixture.asksForRefill)
      fixture.clock.advance(.seconds(pause))
      fixture.wake()
      #expect(fixture.asksForRefill)
    }
  }

  @Test("An unrecorded ring is not repeated by its row, which still waits")
  func unrecorded() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let entry = fixture.wall(1, in: .seconds(1))
    fixture.refill([entry])
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wake() == [1])
    let records = fixture.records
    #expect(fixture.take(.recorded(records, stored: false)) == [])
    #expect(fixture.refill([entry]) == [])
    #expect(fixture.take(.changed([AlarmMoments(number: 1, waiting: [entry], ringing: [])])) == [])
    fixture.take(.recorded(records, stored: true))
    #expect(fixture.scheduler.unrecorded(.all) == [])
  }

  @Test("Occurrence keys rise even when the wall clock is set back")
  func keysRise() throws {
    let fixture = SchedulerFixture.holding([])
    var keys: [Int64] = []
    for number in 1...3 as ClosedRange<Int64> {
      let entry = fixture.countdown(number, in: .seconds(1))
      fixture.take(.changed([AlarmMoments(number: number, waiting: [entry], ringing: [])]))
      fixture.clock.advance(.seconds(1))
      fixture.wake()
      keys.append(try #require(fixture.records.first).occurrence)
      fixture.clock.step(.seconds(-3_600))
    }
    #expect(keys == keys.sorted())
    #expect(Set(keys).count == 3)
  }

  @Test("The end of a snooze rings the snoozed occurrence again")
  func snoozeEnds() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let due = DuePoint(clock: SchedulerFixture.boot, microseconds: fixture.now.boot + 300_000_000)
    fixture.refill([fixture.entry(4, due, occurrence: 99)])
    fixture.clock.advance(.seconds(300))
    #expect(fixture.wake() == [4])
    #expect(fixture.records.map(\.occurrence) == [99])
  }

  @Test("The timer is armed at most a year ahead")
  func farAhead() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(10 * 366 * 86_400))])
    #expect(fixture.armed == fixture.now.wall + .seconds(366 * 86_400))
  }

  @Test("Bubbles of ended occurrences are released, those of unrecorded rings kept")
  func retain() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    fixture.clock.advance(.seconds(1))
    fixture.wake()
    let key = fixture.records[0].occurrence
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [], ringing: [5])]))
    #expect(fixture.effects.contains(.retain(number: 1, ringing: [5, key])))
  }

  @Test("A ring is remembered as it was stored until it is recorded")
  func stored() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let soon = fixture.wall(1, in: .seconds(1))
    let snooze = fixture.entry(1, soon.due, occurrence: 4)
    let later = fixture.wall(2, in: .seconds(9))
    fixture.refill([soon, snooze, later])
    fixture.clock.advance(.seconds(1))
    fixture.wake()
    let records = fixture.records
    #expect(records.count == 2)
    func known() -> [HeadEntry] { fixture.scheduler.stored.sorted { $0.order < $1.order } }
    #expect(known() == [soon, snooze, later])
    fixture.take(.recorded(records, stored: false))
    #expect(known() == [soon, snooze, later])
    fixture.take(.recorded([records[0]], stored: true))
    #expect(known() == [records[0].key.occurrence == 0 ? snooze : soon, later])
    fixture.take(.recorded([records[1]], stored: true))
    #expect(fixture.scheduler.stored == [later])
  }

  @Test("A bubble with an unrecorded ring is not taken for an ended one")
  func doubtfulBubble() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    fixture.clock.advance(.seconds(1))
    fixture.wake()
    let records = fixture.records
    fixture.take(.ringingUnknown)
    #expect(fixture.effects.contains(.checkBubbles))
    fixture.take(.ended([5, records[0].occurrence]))
    #expect(fixture.effects.contains(.end([5])))
    // Only now does the database know whether it rings.
    fixture.take(.recorded(records, stored: true))
    #expect(fixture.effects.contains(.checkBubbles))
    fixture.take(.ended([records[0].occurrence]))
    #expect(fixture.effects.contains(.end([records[0].occurrence])))
  }
}
