import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite("Races of the head") struct HeadTests {
  @Test("An alarm beyond the horizon is left to the next refill")
  func beyond() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let last = fixture.wall(9, in: .seconds(10))
    fixture.refill([last], end: last.order)
    let far = fixture.wall(10, in: .seconds(20))
    fixture.take(.changed([AlarmMoments(number: 10, waiting: [far], ringing: [])]))
    #expect(fixture.armed == last.instant)
  }

  @Test("A head that runs low is read again, with one request at a time")
  func low() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let last = fixture.wall(9, in: .seconds(10))
    fixture.refill([last], end: last.order)
    #expect(fixture.refillAsked == .usual)
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [], ringing: [])]))
    #expect(!fixture.asksForRefill)
    let next = fixture.wall(8, in: .seconds(20))
    fixture.refill([last, next], end: next.order)
    #expect(fixture.refillAsked == .usual)
    fixture.refill([last, next, fixture.wall(7, in: .seconds(30))])
    #expect(!fixture.asksForRefill)
    for number in [9, 8, 7] as [Int64] {
      fixture.clock.advance(.seconds(10))
      #expect(fixture.wake() == [number])
    }
  }

  @Test("A full head drops the entry furthest ahead and gets it back by a refill")
  func full() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill((1...Int64(Head.capacity)).map { fixture.wall($0, in: .seconds($0)) })
    let number = Int64(Head.capacity + 1)
    let soon = fixture.wall(number, in: .milliseconds(500))
    fixture.take(.changed([AlarmMoments(number: number, waiting: [soon], ringing: [])]))
    fixture.clock.advance(.milliseconds(500))
    #expect(fixture.wake() == [number])
    let evicted = fixture.entry(
      Int64(Head.capacity), DuePoint.wall(fixture.now.wall + .seconds(Int64(Head.capacity))))
    fixture.take(.changed([AlarmMoments(number: evicted.key.number, waiting: [evicted], ringing: [])]))
    for number in 1..<Int64(Head.capacity) {
      fixture.take(.changed([AlarmMoments(number: number, waiting: [], ringing: [])]))
    }
    #expect(fixture.armed == nil)
  }

  @Test("If more alarms are due at one instant than the head holds, the rest rings when read")
  func manyAtOnce() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let count = Int64(Refill.Size.usual.waiting)
    let entries = (1...count).map { fixture.wall($0, in: .seconds(1)) }
    fixture.refill(entries, end: entries[entries.count - 1].order)
    #expect(fixture.refillAsked == .wide)
    let rest = fixture.wall(count + 1, in: .seconds(1))
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wakeUntilDone().count == entries.count)
    // No record has been answered.
    #expect(fixture.refill(entries + [rest]) == [count + 1])
    #expect(!fixture.asksForRefill)
  }

  @Test("Thousands due at once go to the journal in portions, and on as one when all have rung")
  func portions() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let count = Scheduler.portion * 2 + 1
    fixture.refill((1...Int64(count)).map { fixture.wall($0, in: .seconds(1)) })
    fixture.clock.advance(.seconds(1))
    var rung: [Int64] = []
    for left in [true, true, false] {
      rung += fixture.wake()
      #expect(fixture.scheduler.isRinging == left && fixture.armed == (left ? fixture.now.wall : nil))
      #expect(fixture.records.count == (left ? 0 : count))
    }
    #expect(rung == Array(1...Int64(count)))
    guard case .show(let shown, joining: false)? = fixture.effects.dropFirst().first else {
      Issue.record("nothing is shown")
      return
    }
    #expect(shown.count == count)
  }

  @Test("A full head grows beyond its capacity when its horizon is two seconds ahead")
  func imminent() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let count = Int64(Head.capacity)
    let entries = (1...count).map { fixture.wall($0, in: .seconds(60)) }
    fixture.refill(entries, end: entries[entries.count - 1].order)
    #expect(!fixture.asksForRefill)
    #expect(fixture.armed == fixture.now.wall + .seconds(60) - Head.imminence)
    fixture.clock.advance(.seconds(60) - Head.imminence)
    #expect(fixture.wake() == [])
    #expect(fixture.refillAsked == .wide)
    let more = (count + 1...count + 100).map { fixture.wall($0, in: Head.imminence) }
    let later = fixture.wall(count + 101, in: .seconds(60))
    fixture.refill(entries + more + [later])
    #expect(!fixture.asksForRefill && fixture.armed == fixture.now.wall + Head.imminence)
    // The one that does not ring with them is left to the next refill.
    #expect(fixture.scheduler.stored.count == entries.count + more.count)
    fixture.clock.advance(Head.imminence)
    let rung = fixture.wakeUntilDone()
    #expect(rung.count == more.count + entries.count && rung.elementsEqual(1...count + 100))
    #expect(fixture.refillAsked == .usual.beside(rung.count))
  }

  @Test("A recurring alarm's moment beyond the horizon, after an unrecorded ring, comes with a refill")
  func recurringBeyond() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let row = try fixture.every(1, "*:*:0/10")
    fixture.refill([row], end: row.order)
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [1])
    #expect(fixture.armed == nil)
    let far = fixture.wall(2, in: .seconds(5))
    // The database still has the moment that rang.
    fixture.refill([row, far], end: far.order)
    fixture.clock.advance(.seconds(5))
    #expect(fixture.wake() == [2])
    fixture.refill([row, far])
    fixture.clock.advance(.seconds(5))
    #expect(fixture.wake() == [1])
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [1])
  }

  @Test("A row deleted by another program does not ring after the next read")
  func removed() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([fixture.wall(1, in: .seconds(1))])
    fixture.refill([])
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wake() == [])
  }

  @Test("Alarms of an earlier boot ring at the wall-clock time given by that boot's last offset")
  func earlierBoot() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let earlier = ClockID(rawValue: 3)
    let offset = fixture.now.wall.microseconds - 50_000_000
    let entry = fixture.entry(1, DuePoint(clock: earlier, microseconds: 60_000_000))
    fixture.take(
      .refilled(
        Refill(
          entries: [entry], windows: [earlier: .init(origin: 0, overdueEnd: nil, end: nil)],
          earlierBoots: [earlier: offset])))
    #expect(fixture.armed == fixture.now.wall + .seconds(10))
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [1])
  }

  @Test("A countdown of an earlier boot that rang does not ring again when its row is moved")
  func movedAfterItRang() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let earlier = ClockID(rawValue: 3)
    let offset = fixture.now.wall.microseconds - 90_000_000
    let entry = fixture.entry(1, DuePoint(clock: earlier, microseconds: 60_000_000))
    let windows = [ClockID.wall, earlier].map {
      ($0, Refill.Window(origin: $0 == .wall ? fixture.now.wall.microseconds : 0, overdueEnd: nil, end: nil))
    }
    let refill = Refill(
      entries: [entry], windows: Dictionary(uniqueKeysWithValues: windows), earlierBoots: [earlier: offset])
    #expect(fixture.take(.refilled(refill)) == [1])
    let record = fixture.records
    let moved = fixture.entry(1, DuePoint(clock: .wall, microseconds: 60_000_000 + offset))
    let moments = AlarmMoments(number: 1, waiting: [moved], ringing: [])
    #expect(fixture.take(.changed([moments])) == [])
    #expect(fixture.refill([moved]) == [])
    #expect(fixture.take(.changed([moments])) == [])
    #expect(fixture.take(.recorded(record, stored: true)) == [])
    #expect(fixture.scheduler.unrecorded(.all) == [])
  }

  @Test("A head that runs low by rings is read again although nothing can be recorded")
  func lowOnFullDisk() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let rows = (1...3).map { fixture.wall($0, in: .seconds(10 * $0)) }
    fixture.refill([rows[0]], end: rows[0].order)
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [1])
    #expect(fixture.take(.recorded(fixture.records, stored: false)) == [])
    #expect(fixture.refill(Array(rows[..<2]), end: rows[1].order) == [])
    // What has rung takes no room from the others.
    #expect(fixture.refillAsked == .usual.beside(1))
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [2])
    fixture.refill(rows)
    #expect(!fixture.asksForRefill)
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [3])
  }

  @Test("A clock set back makes unread overdue rows future again")
  func overdueNoMore() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let late = fixture.wall(1, in: .seconds(-100))
    fixture.refill([late], overdueEnd: late.order)
    #expect(fixture.asksForRefill)
    fixture.clock.step(.seconds(-3_600))
    fixture.wake()
    // That was asked for before the step.
    fixture.refill([])
    #expect(fixture.asksForRefill)
  }

  @Test(
    "Overdue rows are read to the end, whether or not rings can be recorded", arguments: [true, false])
  func overdueOnFullDisk(stored: Bool) {
    let fixture = SchedulerFixture()
    fixture.wake()
    let rows = (1...6).map { fixture.wall($0, in: .seconds(-100 + $0)) }
    #expect(fixture.refill(Array(rows[..<2]), overdueEnd: rows[1].order) == [1, 2])
    for (from, to) in [(2, 4), (4, 6)] {
      #expect(fixture.refillAsked == .usual.beside(stored ? 2 : from))
      fixture.take(.recorded(fixture.records, stored: stored))
      let found = Array(rows[(stored ? from : 0)..<to])
      let rung = fixture.refill(found, overdueEnd: to < 6 ? rows[to - 1].order : nil)
      #expect(rung == (from..<to).map { Int64($0 + 1) })
    }
    #expect(!fixture.asksForRefill)
  }

  @Test(
    "Any number from another program is accepted, however great or small",
    arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
  func extremes(number: Int64) {
    let fixture = SchedulerFixture()
    fixture.wake()
    let clocks = [ClockID.wall, SchedulerFixture.boot, ClockID(rawValue: 3), ClockID(rawValue: number)]
    for occurrence in [number, .min, .max] {
      let entries = clocks.flatMap { clock in
        [Int64.min, number, .max].map { due in
          fixture.entry(number, DuePoint(clock: clock, microseconds: due), occurrence: occurrence)
        }
      }
      let windows = clocks.map { ($0, Refill.Window(origin: number, overdueEnd: nil, end: nil)) }
      fixture.take(
        .refilled(
          Refill(
            entries: entries, windows: Dictionary(windows) { first, _ in first },
            earlierBoots: [ClockID(rawValue: 3): number])))
      fixture.take(.changed([AlarmMoments(number: number, waiting: entries, ringing: [number])]))
      fixture.take(.recorded(fixture.records, stored: true))
      fixture.clock.step(.seconds(1))
      fixture.wake()
    }
    let far = (1...Int64(Head.capacity)).map {
      fixture.entry($0, DuePoint(clock: .wall, microseconds: .max - $0), occurrence: .min)
    }
    fixture.refill(far)
    let soon = fixture.wall(1, in: .seconds(1))
    fixture.take(.changed([AlarmMoments(number: 9_999, waiting: [soon], ringing: [])]))
    fixture.clock.advance(.seconds(1))
    #expect(fixture.wake() == [1])
  }
}

extension HeadEntry {
  fileprivate var instant: Instant { Instant(microseconds: due.microseconds) }
}
