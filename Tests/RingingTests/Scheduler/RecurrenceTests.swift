import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite("Recurring alarms advance from memory")
struct RecurrenceTests {
  @Test(
    "Each elapse rings on time, and the next is armed at once",
    arguments: ["*:*:0/10", "10s from 2026-11-20 21:00:00 UTC", "10s from 2026-11-20 21:34:40 UTC"])
  func each(text: String) throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([try fixture.every(1, text)])
    let start = fixture.now.wall
    let rung = fixture.run(.seconds(35))
    #expect(rung.map(\.dueAt) == [10, 20, 30].map { start + .seconds($0) })
    #expect(rung.allSatisfy { $0.lateness == .zero && $0.elapsed == 1 && $0.rang && $0.reason == nil })
    #expect(rung.map(\.next) == [20, 30, 40].map { DuePoint.wall(start + .seconds($0)) })
    #expect(Set(rung.map(\.occurrence)).count == 3)
    #expect(fixture.armed == start + .seconds(40))
  }

  @Test("An alarm with a beginning first rings then, without counting earlier elapses")
  func from() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let start = fixture.now.wall
    fixture.refill([try fixture.every(1, "*:*:0/10", from: start + .seconds(15), count: 2)])
    let rung = fixture.run(.seconds(60))
    #expect(rung.map(\.dueAt) == [20, 30].map { start + .seconds($0) })
    #expect(rung.last?.next == nil)
  }

  @Test(
    "An alarm goes on ringing while nothing can be stored, and old rows repeat no ring")
  func chain() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let row = try fixture.every(1, "*:*:0/10")
    fixture.refill([row])
    let start = fixture.now.wall
    var rung = fixture.run(.seconds(25))
    fixture.take(.recorded(rung, stored: false))
    #expect(fixture.refill([row]) == [])
    #expect(fixture.take(.changed([AlarmMoments(number: 1, waiting: [row], ringing: [])])) == [])
    #expect(fixture.armed == start + .seconds(30))
    rung += fixture.run(.seconds(10))
    #expect(rung.map(\.dueAt) == [10, 20, 30].map { start + .seconds($0) })
    #expect(fixture.scheduler.stored == [row])
    // Recorded one by one, each followed by the row's new moment.
    for (index, ring) in rung.enumerated() {
      var stored = row
      for earlier in rung[...index] { stored = try fixture.row(stored, after: earlier) }
      #expect(fixture.take(.recorded([ring], stored: true)) == [])
      #expect(fixture.scheduler.stored == [stored])
      #expect(fixture.take(.changed([AlarmMoments(number: 1, waiting: [stored], ringing: [])])) == [])
      #expect(fixture.refill([stored]) == [])
      #expect(fixture.armed == start + .seconds(40))
    }
    #expect(fixture.scheduler.unrecorded(.all) == [])
  }

  @Test("A ring stored before the scheduler learns of it uses up the count only once")
  func countedOnce() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let row = try fixture.every(1, "*:*:0/10", count: 4)
    fixture.refill([row])
    let rung = fixture.run(.seconds(20))
    #expect(rung.count == 2)
    // The database has the first of two.
    fixture.take(
      .changed([
        AlarmMoments(number: 1, waiting: [try fixture.row(row, after: rung[0])], ringing: [])
      ]))
    #expect(fixture.run(.seconds(60)).count == 2)
  }

  @Test("The count or the last moment ends an alarm", arguments: [3 as Int64?, nil])
  func ends(count: Int64?) throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let until = count == nil ? fixture.now.wall + .seconds(30) : nil
    fixture.refill([try fixture.every(1, "*:*:0/10", until: until, count: count)])
    let rung = fixture.run(.seconds(100))
    #expect(rung.count == 3)
    #expect(rung.last?.next == nil)
    #expect(fixture.armed == nil)
  }

  @Test("Elapses that were passed over ring once, late, with their number; the next is on time")
  func coalesces() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([try fixture.every(1, "*:*:0")])
    let start = fixture.now.wall
    fixture.clock.suspend(.seconds(300))
    #expect(fixture.wake() == [1])
    let record = try #require(fixture.records.first)
    #expect(record.dueAt == start + .seconds(30))
    #expect(record.lateness == .seconds(270))
    #expect(record.reason == .asleep)
    #expect(record.elapsed == 5)
    fixture.take(.recorded([record], stored: true))
    #expect(fixture.armed == start + .seconds(330))
  }

  @Test("Missed elapses use up the count and can end the alarm")
  func countWhileMissed() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([try fixture.every(1, "*:*:0", count: 3)])
    fixture.clock.suspend(.seconds(600))
    #expect(fixture.wake() == [1])
    #expect(fixture.records.first?.elapsed == 3)
    #expect(fixture.records.first?.next == nil)
    fixture.take(.recorded(fixture.records, stored: true))
    #expect(fixture.armed == nil)
  }

  @Test("A year of elapses every second is counted to a thousand, and goes on after now")
  func yearOfSeconds() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let entry = try fixture.every(1, "*:*:*")
    fixture.refill([entry])
    fixture.clock.suspend(.seconds(365 * 86_400))
    #expect(fixture.wake() == [1])
    let record = try #require(fixture.records.first)
    #expect(record.elapsed == Recurrence.mostCounted + 1)
    #expect(record.next == .wall(fixture.now.wall + .seconds(1)))
    let course = try #require(entry.recurrence).course(
      from: Instant(microseconds: entry.due.microseconds), to: fixture.now.wall)
    // A thousand steps from the first elapse, and no further.
    #expect(course.last == Instant(microseconds: entry.due.microseconds) + .seconds(1_000))
  }

  @Test(
    "Many alarms that elapse every second are caught up with in slices, and none is lost")
  func boundedSlices() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill(try (1...20).map { try fixture.every($0, "*:*:*") })
    fixture.clock.suspend(.seconds(86_400))
    var rung = fixture.wake()
    #expect(rung.count == 5)
    var slices = 1
    while rung.count < 20, slices < 20 {
      rung += fixture.take(.recorded(fixture.records, stored: true))
      slices += 1
    }
    #expect(slices == 4)
    #expect(rung.sorted() == Array(1...20))
    // All of them ring together again.
    fixture.take(.recorded(fixture.records, stored: true))
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wake().count == 20)
  }

  @Test("A clock set back repeats no elapse that has rung")
  func setBack() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let row = try fixture.every(1, "*:0/10")
    fixture.refill([row])
    let rung = fixture.run(.seconds(400))
    #expect(rung.count == 1)
    fixture.clock.step(.seconds(-600))
    #expect(fixture.wake() == [])
    #expect(fixture.armed.map { DuePoint.wall($0) } == rung.first?.next)
  }

  @Test("A clock set forward over several elapses rings them as one, with that reason")
  func setForward() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([try fixture.every(1, "*:*:0")])
    fixture.clock.step(.seconds(150))
    #expect(fixture.wake() == [1])
    #expect(fixture.records.first?.elapsed == 3)
    #expect(fixture.records.first?.reason == .clockStep)
  }

  @Test("An alarm that is snoozed and recurs rings for both")
  func snoozed() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let snooze = DuePoint(clock: SchedulerFixture.boot, microseconds: fixture.now.boot + 30_000_000)
    fixture.refill([try fixture.every(1, "*:*:0"), fixture.entry(1, snooze, occurrence: 99)])
    let rung = fixture.run(.seconds(100))
    #expect(rung.map(\.key.occurrence).sorted() == [0, 0, 99])
    #expect(rung.filter { $0.key.occurrence == 0 }.map(\.elapsed) == [1, 1])
  }

  @Test("An earlier failure to store does not delay a catch-up")
  func unstoredBefore() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([try fixture.every(1, "*:0/10")])
    fixture.clock.advance(try #require(fixture.armed) - fixture.now.wall)
    #expect(fixture.wake() == [1])
    // The store reports this once per ring, however often it tries.
    fixture.take(.recorded(fixture.records, stored: false))
    for _ in 1...3 {
      fixture.clock.suspend(.seconds(900))
      #expect(fixture.wake() == [1])
      fixture.take(.recorded(fixture.records, stored: false))
    }
  }
}
