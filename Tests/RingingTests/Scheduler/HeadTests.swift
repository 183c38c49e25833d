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

  @Test("A head that runs low is extended, with one request at a time")
  func low() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let last = fixture.wall(9, in: .seconds(10))
    fixture.refill([last], end: last.order)
    #expect(fixture.asksBeyond == [.wall: last.order])
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [], ringing: [])]))
    #expect(fixture.asksBeyond == nil && !fixture.asksForRefill)
    let next = fixture.wall(8, in: .seconds(20))
    fixture.extend([next], from: [.wall: last.order], end: next.order)
    #expect(fixture.asksBeyond == [.wall: next.order])
    fixture.extend([fixture.wall(7, in: .seconds(30))], from: [.wall: next.order])
    #expect(fixture.asksBeyond == nil && !fixture.asksForRefill)
    for number in [9, 8, 7] as [Int64] {
      fixture.clock.advance(.seconds(10))
      #expect(fixture.wake() == [number])
    }
  }

  @Test("An extension beyond an outdated horizon is requested again")
  func horizonMoved() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let last = fixture.wall(9, in: .seconds(20))
    fixture.refill([last], end: last.order)
    let sooner = fixture.wall(8, in: .seconds(10))
    fixture.refill([sooner], end: sooner.order)
    // Read from the later horizon on: the rows between the two are missing.
    fixture.extend([fixture.wall(7, in: .seconds(30))], from: [.wall: last.order])
    #expect(fixture.asksBeyond == [.wall: sooner.order])
    fixture.extend([last, fixture.wall(7, in: .seconds(30))], from: [.wall: sooner.order])
    for number in [8, 9, 7] as [Int64] {
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
    let count = Int64(Refill.waitingLimit)
    let entries = (1...count).map { fixture.wall($0, in: .seconds(1)) }
    fixture.refill(entries, end: entries[entries.count - 1].order)
    let rest = fixture.wall(count + 1, in: .seconds(1))
    fixture.clock.advance(.seconds(1))
    // Requested once all held entries are imminent, and beyond all of them.
    let horizon = [ClockID.wall: entries[entries.count - 1].order]
    #expect(fixture.wakeUntilDone().count == entries.count)
    // No record has been answered.
    #expect(fixture.extend([rest], from: horizon) == [count + 1])
    #expect(fixture.asksBeyond == nil)
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

  @Test("A full head is extended beyond its capacity when its horizon is two seconds ahead")
  func imminent() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let count = Int64(Head.capacity)
    let entries = (1...count).map { fixture.wall($0, in: .seconds(60)) }
    fixture.refill(entries, end: entries[entries.count - 1].order)
    #expect(fixture.asksBeyond == nil)
    #expect(fixture.armed == fixture.now.wall + .seconds(60) - Head.imminence)
    fixture.clock.advance(.seconds(60) - Head.imminence)
    #expect(fixture.wake() == [])
    let horizon = [ClockID.wall: entries[entries.count - 1].order]
    #expect(fixture.asksBeyond == horizon)
    let more = (count + 1...count + 100).map { fixture.wall($0, in: Head.imminence) }
    fixture.extend(more, from: horizon)
    #expect(fixture.asksBeyond == nil && fixture.armed == fixture.now.wall + Head.imminence)
    fixture.clock.advance(Head.imminence)
    let rung = fixture.wakeUntilDone()
    #expect(rung.count == more.count + entries.count && rung.elementsEqual(1...count + 100))
  }

  @Test(
    "A recurring alarm's moment after an unrecorded ring comes with the rows beyond the horizon"
  )
  func recurringBeyond() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let row = try fixture.every(1, "*:*:0/10")
    fixture.refill([row], end: row.order)
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [1])
    #expect(fixture.armed == nil)
    let far = fixture.wall(2, in: .seconds(5))
    fixture.extend([far], from: [.wall: row.order], end: far.order)
    fixture.clock.advance(.seconds(5))
    #expect(fixture.wake() == [2])
    fixture.extend([], from: [.wall: far.order])
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

  @Test("A head that runs low by rings is extended although nothing can be recorded")
  func lowOnFullDisk() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let last = fixture.wall(1, in: .seconds(10))
    fixture.refill([last], end: last.order)
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [1])
    let records = fixture.records
    let horizon = [ClockID.wall: last.order]
    #expect(fixture.take(.recorded(records, stored: false)) == [])
    #expect(fixture.extend([fixture.wall(2, in: .seconds(10))], from: horizon) == [])
    fixture.wake()
    #expect(!fixture.asksForRefill && fixture.asksBeyond == nil)
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [2])
  }

  @Test("A clock set back makes unread overdue rows future again")
  func overdueNoMore() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let late = fixture.wall(1, in: .seconds(-100))
    fixture.refill([late], overdueEnd: late.order)
    let gap = try #require(fixture.gapAsked)
    fixture.clock.step(.seconds(-3_600))
    fixture.wake()
    fixture.take(.extended(HeadExtension(entries: [], gap: gap, ends: gap.from)))
    #expect(fixture.asksForRefill)
  }

  @Test(
    "Overdue rows are read to the end, whether or not rings can be recorded", arguments: [true, false])
  func overdueOnFullDisk(stored: Bool) throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let rows = (1...6).map { fixture.wall($0, in: .seconds(-100 + $0)) }
    #expect(fixture.refill(Array(rows[..<2]), overdueEnd: rows[1].order) == [1, 2])
    for (from, to) in [(2, 4), (4, 6)] {
      let gap = try #require(fixture.gapAsked)
      #expect(gap.isOverdue && gap.from[.wall] == rows[from - 1].order)
      fixture.take(.recorded(fixture.records, stored: stored))
      let ends = to < 6 ? [ClockID.wall: rows[to - 1].order] : [:]
      let found = HeadExtension(entries: Array(rows[from..<to]), gap: gap, ends: ends)
      #expect(fixture.take(.extended(found)) == (from..<to).map { Int64($0 + 1) })
    }
    #expect(fixture.gapAsked == nil && !fixture.asksForRefill)
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
