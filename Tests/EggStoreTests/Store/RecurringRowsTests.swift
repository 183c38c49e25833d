import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore
@testable import Ringing

extension StoreBench {
  /// A recurring alarm in UTC. The time there is 21:34:30 unless the clock was moved.
  @discardableResult
  func every(
    _ text: String, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
    ifMissed: MissedPolicy = .ring,
    zone: String = "UTC"
  ) throws -> Alarm {
    let event = RecurringTime(event: text, interval: nil)
    let counted =
      RecurringTime(event: nil, interval: text) ?? RecurringTime(event: nil, interval: nil, rule: text)
    let time = try #require(event ?? counted)
    let recurrence = Recurrence(.every(time), zone: try Zone.named(zone), from: from)
    let next = try #require(recurrence.next(after: clock.read().wall)).ring
    var alarm = new(nil)
    alarm.timing = .every(time, zone: zone, floats: false)
    (alarm.expression, alarm.due, alarm.ifMissed) = (text, .wall(next), ifMissed)
    (alarm.from, alarm.until, alarm.count) = (from, until, count)
    return try #require(try submit(ScheduleChange(alarm)).alarms.first)
  }

  /// Rings of the next `count` elapses, each on time, as a scheduler would report them.
  func rings(of alarm: Alarm, _ count: Int) throws -> [RingRecord] {
    guard case .every(let time, let zone, _) = alarm.timing else { return [] }
    let recurrence = Recurrence(
      .every(time), zone: try Zone.named(zone), from: alarm.from, until: alarm.until)
    var due = Instant(microseconds: try #require(alarm.due).microseconds)
    return (0..<count).map { _ in
      let next = recurrence.next(after: due)?.ring
      defer { due = next ?? due }
      return RingRecord(
        occurrence: due.microseconds, key: EntryKey(number: alarm.number), due: .wall(due), dueAt: due,
        firedAt: due, lateness: .zero, reason: nil, next: next.map { .wall($0) })
    }
  }

  func recorded(_ rings: [RingRecord]) {
    store.record(rings)
    queue.sync {}
    queue.sync {}
  }

  /// Latest first.
  func occurrences(_ number: Int64) throws -> [Occurrence] {
    try wait { store.alarm(.number(number), completion: $0) }.get().occurrences
  }

  var now: Instant { clock.read().wall }
}

@Suite("Recording recurring alarms")
struct RecurringRowsTests {
  @Test(
    "A snoozed alarm with a next moment is listed by due once, at the earlier of the two",
    arguments: [1, 2])
  func listed(limit: Int) throws {
    // Due at 21:40; its snooze ends at 21:36 or at 21:50, another alarm is due at 21:45.
    for (span, order) in [(90, [1, 2]), (930, [1, 2])] as [(Int64, [Int64])] {
      let bench = try StoreBench()
      let alarm = try bench.every("*:0/10")
      try bench.submit(ScheduleChange(bench.new(after: .seconds(630))))
      var ring = try #require(try bench.rings(of: alarm, 1).first)
      ring.next = .wall(bench.now + .seconds(330))
      bench.recorded([ring])
      let until = DuePoint(
        clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + span * 1_000_000)
      try bench.submit(SnoozeChange(Selection(numbers: [1]), until: until))
      var query = ListQuery(order: .due, limit: limit)
      var found: [Int64] = []
      repeat {
        let page = try bench.list(query)
        found += page.alarms.map(\.number)
        query.after = page.after
      } while query.after != nil
      #expect(found == order)
    }
  }

  @Test(
    "Consecutive rings of an alarm are recorded in one commit, and each decreases the count")
  func chain() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", count: 5)
    let rings = try bench.rings(of: alarm, 3)
    bench.clock.advance(.seconds(1_800))
    bench.recorded(rings)
    let now = try #require(bench.alarm(1))
    #expect(now.count == 2)
    #expect(now.due == rings[2].next)
    #expect(now.phase == .ringing)
    #expect(now.state == .scheduled)
    #expect(bench.changes.all.last?.sequence == 2)
    let past = try bench.occurrences(1)
    #expect(past.map(\.dueAt) == rings.reversed().map(\.dueAt))
    // Each replaced the one before.
    #expect(past.map(\.isRinging) == [true, false, false])
    #expect(bench.observer.moments.last?.ringing == [rings[2].occurrence])
    #expect(bench.observer.moments.last?.waiting.first?.recurrence?.count == 2)
    // Recording them again changes nothing.
    bench.recorded(rings)
    #expect(bench.alarm(1) == now)
  }

  @Test("The last ring ends the alarm and closes earlier unanswered ones")
  func last() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", count: 2)
    var rings = try bench.rings(of: alarm, 2)
    rings[1].next = nil
    bench.clock.advance(.seconds(1_200))
    bench.recorded([rings[0]])
    #expect(bench.observer.moments.last?.ringing == [rings[0].occurrence])
    bench.recorded([rings[1]])
    let over = try #require(bench.alarm(1))
    #expect(over.state == .over)
    #expect(over.count == 0)
    #expect(over.phase == .ringing)
    #expect(bench.observer.moments.last?.ringing == [rings[1].occurrence])
    try bench.submit(DismissChange(Selection(numbers: [1])))
    #expect(bench.alarm(1)?.phase == .rung)
  }

  @Test("A ring that stands for several says how many; a missed one neither rings nor ends a ring")
  func missed() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", ifMissed: .record)
    var rings = try bench.rings(of: alarm, 2)
    (rings[1].outcome, rings[1].elapsed, rings[1].lateness) = (.missed, 7, .seconds(4_000))
    bench.recorded(rings)
    let past = try bench.occurrences(1)
    #expect(past.map(\.outcome) == [.missed, .rung])
    #expect(past[0].missedCount == 7)
    #expect(past[0].firedAt == nil)
    #expect(past[1].isRinging)
    // The ringing occurrence is the one shown and answered.
    #expect(bench.alarm(1)?.phase == .ringing)
    try bench.submit(DismissChange(Selection(numbers: [1])))
    #expect(bench.alarm(1)?.phase == .scheduled)
    #expect(bench.observer.moments.last?.ringing == [])
  }

  @Test("A missed one-shot is over and says so")
  func missedOnce() throws {
    let bench = try StoreBench()
    var ring = try bench.ring(try bench.schedule())
    ring.outcome = .missed
    bench.recorded([ring])
    #expect(bench.alarm(1)?.phase == .missed)
    #expect(try bench.list(ListQuery(filter: ListFilter(phases: [.missed]))).alarms.map(\.number) == [1])
  }

  @Test("A ring that a deletion finds is reported as recorded before the alarm is reported as gone")
  func holdRecords() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10")
    let rings = try bench.rings(of: alarm, 2)
    bench.observer.answer { $0.contains(1) ? rings : [] }
    bench.observer.heard.clear()
    try bench.submit(PauseChange(Selection(numbers: [1])))
    #expect(bench.observer.words == ["hold", "recorded", "changed", "held"])
    #expect(bench.alarm(1)?.state == .paused)
    #expect(try bench.occurrences(1).count == 2)
  }

  @Test("A ring resumed at the start still has its number of elapses and its recurrence")
  func unfinished() throws {
    let bench = try StoreBench()
    var rings = try bench.rings(of: try bench.every("*:0/10"), 1)
    rings[0].elapsed = 3
    bench.recorded(rings)
    for read in ListTests.resumed {
      let notices = try bench.wait { bench.store.ask(read, completion: $0) }.get()
      #expect(notices.map(\.elapsed) == [3])
      #expect(notices.map(\.card.recurs) == [true])
    }
  }

  @Test("The last hundred occurrences are kept")
  func hundred() throws {
    let bench = try StoreBench()
    let rings = try bench.rings(of: try bench.every("*:*:*"), 130)
    bench.recorded(rings)
    let past = try bench.occurrences(1)
    #expect(past.count == 100)
    #expect(past.last?.dueAt == rings[30].dueAt)
  }

  @Test("A snoozed occurrence is kept, however many rings follow")
  func snoozedForLong() throws {
    let bench = try StoreBench()
    let rings = try bench.rings(of: try bench.every("*:*:*"), 130)
    bench.recorded([rings[0]])
    let end = DuePoint.wall(bench.now + .seconds(3_600))
    try bench.submit(SnoozeChange(Selection(numbers: [1]), until: end))
    bench.recorded(Array(rings[1...]))
    #expect(try bench.occurrences(1).count == 101)
    let waiting = try #require(bench.observer.moments.last?.waiting)
    let snooze = waiting.filter { $0.key == EntryKey(number: 1, occurrence: rings[0].occurrence) }
    #expect(snooze.map(\.due) == [end])
  }

  @Test("Changing the timing and changing it back leaves nothing of the old one")
  func edited() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", until: bench.now + .seconds(86_400), count: 5)
    bench.recorded(try bench.rings(of: alarm, 1))
    func timing(_ timing: Timing, _ due: DuePoint) throws {
      var edit = AlarmEdit()
      edit.timing = AlarmEdit.NewTiming(
        timing: timing, expression: "x", forcedKind: nil, readingZone: "UTC", due: due)
      try bench.submit(EditChange(Selection(numbers: [1]), edit))
    }
    try timing(.instant(bench.now + .seconds(60)), .wall(bench.now + .seconds(60)))
    let once = try #require(bench.alarm(1))
    #expect(once.timing == .instant(bench.now + .seconds(60)))
    #expect((once.until, once.count) == (nil, nil))
    #expect(once.phase == .scheduled)
    #expect(bench.observer.moments.last?.waiting.first?.recurrence == nil)
    try timing(alarm.timing, try #require(alarm.due))
    let again = try #require(bench.alarm(1))
    #expect(again.timing == alarm.timing)
    #expect(again.due == alarm.due)
    #expect(
      bench.observer.moments.last?.waiting.first?.recurrence?.timing
        == CalendarEvent("*:0/10").map { .every(.event($0)) })
  }

  @Test("A ring in progress keeps its key, whatever the store records before it")
  func keysOfRings() throws {
    let bench = try StoreBench()
    let fixture = SchedulerFixture()
    fixture.wake()
    let ringing = try bench.schedule(after: .seconds(5))
    let skipped = try bench.schedule(after: .seconds(60))
    let due = try #require(ringing.due)
    fixture.refill([fixture.entry(ringing.number, due)])
    fixture.clock.advance(.seconds(5))
    fixture.wake()
    bench.clock.advance(.seconds(5))
    // The clock is set back: both would take the next free key.
    try bench.submit(SkipChange(Selection(numbers: [skipped.number])))
    bench.store.record(fixture.records)
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.alarm(ringing.number)?.latest?.id == fixture.records.first?.occurrence)
  }

  @Test("A ring recorded twice uses up no elapse of a new timing")
  func recordedTwice() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10")
    let rings = try bench.rings(of: alarm, 1)
    let due = try #require(alarm.due)
    bench.recorded(rings)
    var edit = AlarmEdit()
    // Requested before that moment, made after it.
    edit.timing = AlarmEdit.NewTiming(
      timing: .every(.event(try #require(CalendarEvent("*:0/4"))), zone: "UTC", floats: false),
      expression: "*:0/4",
      forcedKind: nil, readingZone: "UTC", due: due)
    bench.clock.advance(.seconds(240))
    try bench.submit(EditChange(Selection(numbers: [alarm.number]), edit))
    #expect(bench.alarm(alarm.number)?.due == due)
    bench.recorded(rings)
    #expect(bench.alarm(alarm.number)?.due == due)
    #expect(try bench.occurrences(alarm.number).count == 1)
  }

  @Test("A resumed alarm waits no longer than its zone's present rules say")
  func rulesChangedWhilePaused() throws {
    let rig = try ZoneRig()
    var alarm = rig.bench.new(nil)
    alarm.timing = .every(
      .event(try #require(CalendarEvent("*-*-* 07:30"))), zone: "America/New_York", floats: false)
    alarm.due = .wall(try ZoneRig.utc("2026-11-21 12:30:00"))
    let number = try #require(try rig.bench.submit(ScheduleChange(alarm)).alarms.first?.number)
    try rig.bench.submit(PauseChange(Selection(numbers: [number])))
    try rig.folder.update("America/New_York", to: "Europe/Berlin")
    rig.look()
    try rig.bench.submit(ResumeChange(Selection(numbers: [number])))
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 06:30:00")))
  }
}
