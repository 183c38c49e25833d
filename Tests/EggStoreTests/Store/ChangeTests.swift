import Alarms
@testable import EggStore
import EggTestSupport
import EggTime
import Foundation
import Ringing
import Testing

@Suite("Changes in the store")
struct ChangeTests {
  @Test("A new alarm gets the next number, the end of the list, and all given fields")
  func schedule() throws {
    let berlin = ZoneSource(directory: "/usr/share/zoneinfo", link: "", variable: "Europe/Berlin")
    let bench = try StoreBench(zones: berlin)
    var new = bench.new("two soft ones", key: "k")
    new.timing = .civil(
      CivilDateTime(year: 2026, month: 12, day: 24, hour: 18, microsecond: 5), zone: "Europe/Berlin",
      floats: true)
    new.due = .wall(Instant(microseconds: 1_798_131_600_000_005))
    (new.summary, new.body, new.icon, new.forcedKind) = ("S", "B", "I", .at)
    new.sound = "/s/a.oga"
    (new.note, new.insist) = ("N", .seconds(60))
    let outcome = try bench.submit(ScheduleChange(new))
    let alarm = try #require(outcome.alarms.first)
    #expect(
      alarm
        == Alarm(
          number: 1, id: alarm.id, label: "two soft ones", category: .soft, eggs: 2, position: 1 << 20,
          manner: Manner(
            summary: "S", body: "B", icon: "I", note: "N", sound: "/s/a.oga", insist: .seconds(60)),
          timing: new.timing,
          expression: new.expression, forcedKind: .at,
          readingZone: "Europe/Berlin", key: "k", createdAt: bench.clock.read().wall, due: new.due))
    #expect(outcome.sequence == 1)
    let second = try bench.schedule()
    #expect(second.number == 2)
    #expect(second.position == 2 << 20)
    #expect(bench.alarm(1) == alarm)
    #expect(bench.observer.moments.map(\.number) == [1, 2])
    #expect(bench.observer.moments[0].waiting.map(\.due) == [new.due])
    #expect(bench.changes.all.map(\.sequence) == [1, 2])
    #expect(bench.changes.all[0].alarms?.first?.new == alarm)
  }

  @Test("Numbers are never reused")
  func numbers() throws {
    let bench = try StoreBench()
    for _ in 1...3 { try bench.schedule() }
    try bench.submit(DeleteChange(Selection(numbers: [3])))
    #expect(try bench.schedule().number == 4)
    try bench.submit(DeleteChange(Selection(all: true)))
    #expect(try bench.schedule().number == 5)
  }

  @Test("A deletion names the deleted and the missing alarms, in one step of the sequence")
  func delete() throws {
    let bench = try StoreBench()
    let alarms = try (1...4).map { _ in try bench.schedule() }
    bench.observer.heard.clear()
    let strange = AlarmID()
    let outcome = try bench.submit(
      DeleteChange(Selection(numbers: [3, 99], ids: [alarms[3].id, strange], ranges: [1...1, 50...60])))
    #expect(outcome.deleted == [1, 3, 4])
    #expect(outcome.rang.isEmpty)
    #expect(outcome.missing == [99])
    #expect(outcome.missingIDs == [strange])
    #expect(outcome.sequence == 5)
    #expect(bench.observer.words == ["hold", "changed", "held"])
    #expect(bench.observer.moments.map(\.number) == [1, 3, 4])
    #expect(bench.observer.moments.allSatisfy { $0.waiting.isEmpty && $0.ringing.isEmpty })
    #expect(try bench.list().alarms.map(\.number) == [2])
  }

  @Test("A change is refused only if none of the selected alarms exists, and is not counted")
  func noSuchAlarm() throws {
    let bench = try StoreBench()
    #expect(
      throws: ChangeError.noSuchAlarm(numbers: [7], ids: []),
      performing: { try bench.submit(DeleteChange(Selection(numbers: [7], ranges: [8...9]))) })
    #expect(try bench.submit(DeleteChange(Selection(all: true))).deleted.isEmpty)
    #expect(bench.store.sequence == 0)
    #expect(bench.changes.all.isEmpty)
  }

  @Test("A deletion includes the occurrences")
  func deleteOccurrences() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule())
    try bench.submit(DeleteChange(Selection(numbers: [1])))
    let left = try bench.stranger().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM occurrence") }
    #expect(left == 0)
  }

  @Test(
    "An edit changes the named fields and the time of change, and asks for unrecorded rings")
  func edit() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule("before")
    bench.observer.heard.clear()
    bench.clock.advance(.seconds(5))
    var edit = AlarmEdit()
    edit.label = .some(nil)
    edit.eggs = 7
    edit.summary = "Up!"
    let edited = try #require(try bench.submit(EditChange(Selection(numbers: [1]), edit)).alarms.first)
    var expected = alarm
    (expected.label, expected.eggs, expected.summary) = (nil, 7, "Up!")
    expected.modifiedAt = bench.clock.read().wall
    #expect(edited == expected)
    #expect(bench.observer.words == ["unrecorded", "changed"])
  }

  @Test("An edit of the timing holds the alarm, and schedules one that is over again under its number")
  func editTiming() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    try bench.fire(alarm)
    #expect(bench.alarm(1)?.phase == .ringing)
    bench.observer.heard.clear()
    let due = DuePoint.wall(bench.clock.read().wall + .seconds(90))
    var edit = AlarmEdit()
    edit.timing = AlarmEdit.NewTiming(
      timing: .countdown(.seconds(90)), expression: "90s", forcedKind: nil, readingZone: "UTC", due: due)
    let edited = try #require(try bench.submit(EditChange(Selection(numbers: [1]), edit)).alarms.first)
    #expect(edited.phase == .scheduled)
    #expect(edited.due == due)
    #expect(edited.timing == .countdown(.seconds(90)))
    #expect(edited.expression == "90s")
    #expect(bench.observer.words == ["hold", "changed", "held"])
    #expect(bench.observer.moments.last?.ringing == [])
  }

  @Test("A snooze needs a named alarm to ring, and skips others in a range")
  func snooze() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    try bench.schedule()
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 300_000_000)
    #expect(
      throws: ChangeError.wrongState(number: 1, .scheduled),
      performing: { try bench.submit(SnoozeChange(Selection(numbers: [1]), until: until)) })
    try bench.fire(alarm, occurrence: 77)
    bench.observer.heard.clear()
    let outcome = try bench.submit(SnoozeChange(Selection(ranges: [1...2]), until: until))
    #expect(outcome.alarms.map(\.number) == [1])
    let snoozed = try #require(outcome.alarms.first)
    #expect(snoozed.phase == .snoozed)
    #expect(snoozed.state == .scheduled)
    #expect(snoozed.latest?.due == until)
    #expect(snoozed.due == nil)
    #expect(snoozed.latest?.snoozedUntil == bench.clock.read().wall + .seconds(300))
    #expect(bench.observer.words == ["unrecorded", "changed"])
    #expect(bench.observer.moments[0].waiting.map(\.key) == [EntryKey(number: 1, occurrence: 77)])
    #expect(bench.observer.moments[0].ringing.isEmpty)
  }

  @Test("The end of a snooze rings the same occurrence again")
  func snoozeEnd() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(), occurrence: 77)
    let first = try bench.ring(of: 77)
    bench.store.mark([.shown([first], bubble: 3, server: ":1.5", at: bench.clock.read().wall)])
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 300_000_000)
    try bench.submit(SnoozeChange(Selection(numbers: [1]), until: until))
    bench.clock.advance(.seconds(301))
    let now = bench.clock.read().wall
    bench.store.record([
      RingRecord(
        occurrence: 77, key: EntryKey(number: 1, occurrence: 77), due: until, dueAt: now - .seconds(1),
        firedAt: now, lateness: .seconds(1), reason: .busy)
    ])
    bench.queue.sync {}
    bench.queue.sync {}
    let alarm = try #require(bench.alarm(1))
    #expect(alarm.phase == .ringing)
    #expect(alarm.state == .over)
    let latest = try #require(alarm.latest)
    #expect(latest.id == 77)
    #expect(latest.firedAt == now)
    #expect(latest.lateness == .seconds(1))
    #expect(latest.lateReason == .busy)
    #expect(latest.shownAt == nil && latest.bubble == nil && latest.bubbleServer == nil && latest.due == nil)
    // Late marks of journal and server belong to the first ring.
    bench.store.mark([.journaled(first, at: now), .shown([first], bubble: 4, server: ":1.5", at: now)])
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.alarm(1)?.latest == latest)
    bench.store.mark([.journaled(try bench.ring(of: 77), at: now)])
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.alarm(1)?.latest?.journaledAt == now)
  }

  @Test(
    "Dismissing a ringing alarm asks for unrecorded rings, dismissing a snoozed one holds it",
    arguments: [
      false, true,
    ])
  func dismiss(snoozed: Bool) throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule())
    if snoozed {
      let until = DuePoint(
        clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 300_000_000)
      try bench.submit(SnoozeChange(Selection(numbers: [1]), until: until))
    }
    bench.observer.heard.clear()
    let alarm = try #require(try bench.submit(DismissChange(Selection(all: true))).alarms.first)
    #expect(alarm.phase == .rung)
    #expect(alarm.state == .over)
    #expect(alarm.due == nil && alarm.latest?.due == nil)
    #expect(alarm.latest?.dismissedAt == bench.clock.read().wall)
    let held = ["hold", "unrecorded", "changed", "held"]
    #expect(bench.observer.words == (snoozed ? held : ["unrecorded", "changed"]))
  }

  @Test("A range without rings changes nothing; a range without alarms is refused")
  func silentRange() throws {
    let bench = try StoreBench()
    try bench.schedule()
    let silent = Selection(ranges: [1...9])
    #expect(try bench.submit(DismissChange(silent)).alarms.isEmpty)
    #expect(try bench.submit(ResumeChange(silent)).alarms.isEmpty)
    let empty = Selection(ranges: [2...9])
    let changes: [any Change] = [DismissChange(empty), ResumeChange(empty)]
    for change in changes {
      #expect(throws: ChangeError.noSuchAlarm(numbers: [], ids: []), performing: { try bench.submit(change) })
    }
  }

  @Test("A key returns its alarm to the same request until ten minutes after it is over, and is then free")
  func key() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule(key: "k", request: "6m")
    let again = try bench.submit(ScheduleChange(bench.new("other", key: "k"), keyedRequest: "6m"))
    #expect(again.existed)
    #expect(again.alarms == [alarm])
    #expect(again.sequence == 1)
    #expect(
      throws: ChangeError.keyInUse(key: "k", number: 1),
      performing: { try bench.schedule(key: "k", request: "7m") })
    bench.clock.advance(.seconds(60))
    try bench.fire(alarm)
    bench.clock.advance(.seconds(599))
    #expect(try bench.submit(ScheduleChange(bench.new(key: "k"), keyedRequest: "6m")).existed)
    bench.clock.advance(.seconds(1))
    let next = try bench.submit(ScheduleChange(bench.new(key: "k"), keyedRequest: "6m"))
    #expect(!next.existed)
    #expect(next.alarms.first?.number == 2)
    #expect(bench.alarm(1)?.key == nil)
  }

  @Test("A key of an alarm that rang by a wrong clock is free once the clock is right")
  func keyAfterStep() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(key: "k", request: "6m"))
    bench.clock.step(TimeSpan.seconds(-599))
    #expect(try bench.submit(ScheduleChange(bench.new(key: "k"), keyedRequest: "6m")).existed)
    bench.clock.step(TimeSpan.seconds(-1))
    #expect(try !bench.submit(ScheduleChange(bench.new(key: "k"), keyedRequest: "6m")).existed)
  }

  @Test("A key is free as soon as its alarm is deleted")
  func keyDeleted() throws {
    let bench = try StoreBench()
    try bench.schedule(key: "k", request: "6m")
    try bench.submit(DeleteChange(Selection(numbers: [1])))
    #expect(try bench.schedule(key: "k", request: "7m").number == 2)
  }
}
