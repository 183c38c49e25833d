import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite("How late an alarm may still ring")
struct MissedTests {
  private static let within = MissedPolicy.ringWithin(.seconds(600))

  @Test(
    "A one-shot rings up to its limit of lateness, and not a microsecond later",
    arguments: [
      (MissedPolicy.ring, 86_400_000_000, true),
      (within, 600_000_000, true), (within, 600_000_001, false),
      (.ringWithin(.milliseconds(1)), 1_000_000, true), (.ringWithin(.milliseconds(1)), 1_000_001, false),
      (.record, 0, true), (.record, 1_000_000, true), (.record, 1_000_001, false),
    ] as [(MissedPolicy, Int64, Bool)])
  func oneShot(policy: MissedPolicy, late: Int64, rings: Bool) throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    var entry = fixture.wall(1, in: .seconds(5))
    entry.ifMissed = policy
    fixture.refill([entry])
    fixture.clock.suspend(TimeSpan(microseconds: 5_000_000 + late))
    #expect(fixture.wake() == (rings ? [1] : []))
    #expect(fixture.missed.map(\.key.number) == (rings ? [] : [1]))
    let record = try #require(fixture.records.first)
    #expect(record.rang == rings)
    #expect(record.lateness == TimeSpan(microseconds: late))
    #expect(fixture.records.count == 1)
  }

  @Test("A missed alarm is journaled and recorded, without a bubble")
  func silent() {
    let fixture = SchedulerFixture()
    fixture.wake()
    var entry = fixture.countdown(1, in: .seconds(5))
    entry.ifMissed = .record
    fixture.refill([entry])
    fixture.clock.suspend(.seconds(60))
    fixture.wake()
    for effect in fixture.effects {
      switch effect {
      case .show, .journal: Issue.record("\(effect)")
      default: break
      }
    }
    #expect(fixture.missed.map(\.reason) == [.asleep])
    #expect(fixture.missed == fixture.records)
  }

  @Test(
    "A recurring alarm rings if one of its elapses is within the limit",
    arguments: [
      // Elapses at 21:40, 21:50, …: seconds after 21:34:30.
      (within, 330 + 600, true, 2), (within, 330 + 3_600, true, 7),
      (.ringWithin(.seconds(60)), 330 + 60, true, 1),
      (.ringWithin(.seconds(60)), 330 + 61, false, 1), (.ringWithin(.seconds(60)), 330 + 661, false, 2),
      (.record, 330 + 1_201, true, 3), (.record, 330 + 1_202, false, 3), (.ring, 330 + 1_799, true, 3),
    ] as [(MissedPolicy, Int64, Bool, Int64)])
  func recurring(policy: MissedPolicy, after seconds: Int64, rings: Bool, elapsed: Int64) throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([try fixture.every(1, "*:0/10", ifMissed: policy)])
    fixture.clock.suspend(.seconds(seconds))
    #expect(fixture.wake() == (rings ? [1] : []))
    let record = try #require(fixture.records.first)
    #expect(record.rang == rings)
    #expect(record.elapsed == elapsed)
    #expect(record.next != nil)
    // The next one rings on time.
    fixture.take(.recorded([record], stored: true))
    let next = try #require(fixture.armed)
    fixture.clock.advance(next - fixture.now.wall)
    #expect(fixture.wake() == [1])
  }

  @Test("An alarm with more elapses than are counted still rings for the last")
  func uncounted() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([
      try fixture.every(1, "*:*:*", ifMissed: .record),
      try fixture.every(2, "*:*:*", until: fixture.now.wall + .seconds(5_000), ifMissed: .record),
    ])
    fixture.clock.suspend(.seconds(6_000))
    #expect(fixture.wake() == [1])
    #expect(fixture.missed.map(\.key.number) == [2])
    #expect(fixture.records.map(\.elapsed) == [1_001, 1_001])
    #expect(fixture.records.last?.next == nil)
  }

  @Test("The end of a snooze rings however late")
  func snooze() {
    let fixture = SchedulerFixture()
    fixture.wake()
    let due = DuePoint(clock: SchedulerFixture.boot, microseconds: fixture.now.boot + 300_000_000)
    var entry = fixture.entry(4, due, occurrence: 99)
    entry.ifMissed = .record
    fixture.refill([entry])
    fixture.clock.suspend(.seconds(86_400))
    #expect(fixture.wake() == [4])
    #expect(fixture.records.map(\.occurrence) == [99])
  }
}

@Suite("Recurring alarms under holds and skips")
struct RecurrenceHoldTests {
  @Test("A held occurrence does not ring; after the commit it never does")
  func taken() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let row = try fixture.every(1, "*:*:0/10")
    fixture.refill([row])
    let first = fixture.run(.seconds(10))
    // The deletion sees the unrecorded ring.
    #expect(fixture.hold([1]) == first)
    fixture.clock.advance(.seconds(10))
    #expect(fixture.wake() == [])
    fixture.take(.recorded(first, stored: true))
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [], ringing: [])]))
    #expect(fixture.endHold() == [])
    #expect(fixture.run(.seconds(60)) == [])
  }

  @Test("After a failed change the held occurrence rings late, with the reason")
  func failed() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([try fixture.every(1, "*:*:0/10")])
    _ = fixture.run(.seconds(10))
    _ = fixture.hold([1])
    fixture.clock.advance(.seconds(12))
    #expect(fixture.wake() == [])
    #expect(fixture.endHold() == [1])
    #expect(fixture.records.first?.reason == .store)
    #expect(fixture.records.first?.lateness == .seconds(2))
    #expect(fixture.run(.seconds(8)).map(\.lateness) == [.zero])
  }

  @Test("A skipped alarm waits for the next elapse; the skipped one does not return")
  func skipped() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let row = try fixture.every(1, "*:*:0/10")
    fixture.refill([row])
    let start = fixture.now.wall
    _ = fixture.hold([1])
    fixture.clock.advance(.seconds(11))
    #expect(fixture.wake() == [])
    let next = row.next(at: .wall(start + .seconds(20)), after: 1)
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [next], ringing: [])]))
    #expect(fixture.endHold() == [])
    #expect(fixture.run(.seconds(20)).map(\.dueAt) == [start + .seconds(20), start + .seconds(30)])
  }

  @Test("The key of a skipped occurrence is not reused, although the clock was set back")
  func keys() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let row = try fixture.every(1, "*:*:0/10")
    let key = fixture.now.wall.microseconds + 1_000_000_000
    fixture.take(.changed([AlarmMoments(number: 2, waiting: [], ringing: [], lastOccurrence: key)]))
    fixture.refill([row])
    // Keys of rings are even.
    #expect(fixture.run(.seconds(10)).map(\.occurrence) == [key + 2])
  }

  @Test("Keys of another file or an import that are ahead of the clock are not reused")
  func keysOfOthers() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    let key = fixture.now.wall.microseconds + 1_000_000_000
    fixture.take(
      .refilled(
        Refill(
          entries: [try fixture.every(1, "*:*:0/10")],
          windows: [.wall: Refill.Window(origin: fixture.now.wall.microseconds, overdueEnd: nil, end: nil)],
          earlierBoots: [:], lastOccurrence: key)))
    #expect(fixture.run(.seconds(10)).map(\.occurrence) == [key + 2])
  }
}
