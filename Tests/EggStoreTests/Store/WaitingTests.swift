import LinuxIO
import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("Skip, pause, resume and extend in the store")
struct WaitingTests {
  private let one = Selection(numbers: [1])

  @Test("A skipped recurring alarm waits for the next elapse, and its history shows the skip")
  func skip() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", count: 3)
    let due = try #require(alarm.due)
    bench.observer.heard.clear()
    let skipped = try #require(try bench.submit(SkipChange(one)).alarms.first)
    #expect(skipped.due == DuePoint(clock: .wall, microseconds: due.microseconds + 600_000_000))
    #expect(skipped.count == 2)
    #expect(skipped.phase == .scheduled)
    #expect(bench.observer.words == ["hold", "changed", "held"])
    let past = try bench.occurrences(1)
    #expect(past.map(\.outcome) == [.skipped])
    #expect(past.first?.dueAt == Instant(microseconds: due.microseconds))
    try bench.submit(SkipChange(one))
    let over = try #require(try bench.submit(SkipChange(one)).alarms.first)
    #expect(over.phase == .skipped)
    #expect(over.due == nil)
    #expect(bench.submitted(SkipChange(one)).error == .wrongState(number: 1, .skipped))
    #expect(Set(try bench.occurrences(1).map(\.id)).count == 3)
  }

  @Test("A skipped one-shot is over without a ring")
  func skipOnce() throws {
    let bench = try StoreBench()
    try bench.schedule()
    try bench.count(down: .seconds(60))
    let outcome = try bench.submit(SkipChange(Selection(all: true)))
    #expect(outcome.alarms.map(\.phase) == [.skipped, .skipped])
    #expect(bench.observer.moments.suffix(2).allSatisfy { $0.waiting.isEmpty })
    // No other alarm can be skipped, and none is named.
    #expect(try bench.submit(SkipChange(Selection(all: true))).alarms == [])
  }

  @Test("A ringing alarm whose next moment is skipped can still be snoozed and dismissed")
  func skipWhileRinging() throws {
    let bench = try StoreBench()
    let rings = try bench.rings(of: try bench.every("*:0/10"), 1)
    bench.clock.advance(.seconds(400))
    bench.recorded(rings)
    #expect(try bench.submit(SkipChange(one)).alarms.first?.phase == .ringing)
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 300_000_000)
    #expect(try bench.submit(SnoozeChange(one, until: until)).alarms.first?.phase == .snoozed)
    #expect(try bench.submit(SkipChange(one)).alarms.first?.phase == .snoozed)
    #expect(try bench.submit(DismissChange(one)).alarms.first?.phase == .scheduled)
  }

  @Test("A paused countdown keeps what is left, through clock steps, sleep and a restart")
  func countdown() throws {
    let bench = try StoreBench()
    try bench.count(down: .seconds(600))
    bench.clock.advance(.seconds(100))
    let paused = try #require(try bench.submit(PauseChange(one)).alarms.first)
    #expect(paused.phase == .paused)
    #expect(paused.remaining == .seconds(500))
    #expect(paused.due == nil)
    bench.clock.suspend(.seconds(86_400))
    bench.clock.step(.seconds(-3_600))
    bench.clock.reboot(wall: bench.now)
    try bench.reopen(bootID: "boot-2")
    #expect(bench.alarm(1)?.remaining == .seconds(500))
    let resumed = try #require(try bench.submit(ResumeChange(one)).alarms.first)
    #expect(
      resumed.due
        == DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 500_000_000))
    #expect(resumed.remaining == nil)
    #expect(resumed.phase == .scheduled)
    #expect(bench.observer.moments.last?.waiting.map(\.due) == [try #require(resumed.due)])
  }

  @Test("The elapses of a pause become one skipped occurrence, across a restart")
  func every() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10", count: 9)
    let due = try #require(alarm.due)
    try bench.submit(PauseChange(one))
    #expect(bench.alarm(1)?.due == nil)
    #expect(bench.alarm(1)?.remaining == nil)
    try bench.reopen(bootID: "boot-2")
    bench.clock.advance(.seconds(1_600))
    let resumed = try #require(try bench.submit(ResumeChange(one)).alarms.first)
    #expect(resumed.due == DuePoint(clock: .wall, microseconds: due.microseconds + 1_800_000_000))
    #expect(resumed.count == 6)
    let past = try bench.occurrences(1)
    #expect(past.map(\.outcome) == [.skipped])
    #expect(past.first?.missedCount == 3)
    #expect(past.first?.dueAt == Instant(microseconds: due.microseconds))
  }

  @Test("The elapses of a pause stay over if the clock is set back and the alarm paused again")
  func passedOverOnce() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10")
    let due = try #require(alarm.due)
    try bench.submit(PauseChange(one))
    bench.clock.advance(.seconds(1_600))
    let next = DuePoint(clock: .wall, microseconds: due.microseconds + 1_800_000_000)
    #expect(try bench.submit(ResumeChange(one)).alarms.first?.due == next)
    bench.clock.step(.seconds(-3_600))
    try bench.submit(PauseChange(one))
    #expect(try bench.submit(ResumeChange(one)).alarms.first?.due == next)
  }

  @Test("A pause without an elapse skips nothing; earlier skips stay")
  func inTime() throws {
    let bench = try StoreBench()
    try bench.every("*:0/10")
    let skipped = try #require(try bench.submit(SkipChange(one)).alarms.first)
    try bench.submit(PauseChange(one))
    bench.clock.advance(.seconds(400))
    #expect(try bench.submit(ResumeChange(one)).alarms.first?.due == skipped.due)
    #expect(try bench.occurrences(1).count == 1)
  }

  @Test(
    "A floating alarm resumed in another zone follows that zone's clock",
    arguments: [("Asia/Tokyo", "2026-11-20 22:30:00"), ("America/New_York", "2026-11-21 12:30:00")])
  func otherZone(zone: String, next: String) throws {
    let rig = try ZoneRig()
    var alarm = rig.bench.new()
    alarm.timing = .every(.event(try #require(CalendarEvent("07:30"))), zone: "Europe/Berlin", floats: true)
    alarm.due = .wall(try ZoneRig.utc("2026-11-21 06:30:00"))
    try rig.bench.submit(ScheduleChange(alarm))
    try rig.bench.submit(PauseChange(one))
    rig.settle()
    try rig.move(to: zone)
    let resumed = try #require(try rig.bench.submit(ResumeChange(one)).alarms.first)
    #expect(resumed.due == .wall(try ZoneRig.utc(next)))
    guard case .every(_, zone, floats: true) = resumed.timing else {
      Issue.record("\(resumed.timing)")
      return
    }
  }

  @Test("An alarm resumed after its last moment or count is over", arguments: [nil, 2 as Int64?])
  func over(count: Int64?) throws {
    let bench = try StoreBench()
    try bench.every("*:0/10", until: count == nil ? bench.now + .seconds(1_000) : nil, count: count)
    try bench.submit(PauseChange(one))
    bench.clock.advance(.seconds(7_200))
    let over = try #require(try bench.submit(ResumeChange(one)).alarms.first)
    #expect(over.phase == .skipped)
    #expect(over.state == .over)
    #expect(over.latest?.missedCount == 2)
  }

  @Test(
    "An alarm with a date and time cannot be paused, an unpaused one not resumed; --all skips them"
  )
  func wrongState() throws {
    let bench = try StoreBench()
    try bench.schedule()
    try bench.count(down: .seconds(600))
    #expect(
      bench.submitted(PauseChange(Selection(numbers: [1, 2]))).error == .wrongState(number: 1, .scheduled))
    #expect(bench.alarm(2)?.phase == .scheduled)
    #expect(
      bench.submitted(ResumeChange(Selection(numbers: [2]))).error == .wrongState(number: 2, .scheduled))
    #expect(try bench.submit(PauseChange(Selection(all: true))).alarms.map(\.number) == [2])
    #expect(bench.submitted(PauseChange(Selection(numbers: [2]))).error == .wrongState(number: 2, .paused))
    #expect(bench.submitted(SkipChange(Selection(numbers: [2]))).error == .wrongState(number: 2, .paused))
    #expect(try bench.submit(ResumeChange(Selection(ranges: [1...9]))).alarms.map(\.number) == [2])
    #expect(
      bench.submitted(PauseChange(Selection(numbers: [77]))).error == .noSuchAlarm(numbers: [77], ids: []))
  }

  @Test("A new timing ends a pause; a new label does not")
  func editPaused() throws {
    let bench = try StoreBench()
    try bench.count(down: .seconds(600))
    try bench.submit(PauseChange(one))
    var edit = AlarmEdit()
    edit.label = "eggs"
    #expect(try bench.submit(EditChange(one, edit)).alarms.first?.phase == .paused)
    let due = DuePoint.wall(bench.now + .seconds(60))
    edit.timing = AlarmEdit.NewTiming(
      timing: .instant(bench.now + .seconds(60)), expression: "x", forcedKind: nil, readingZone: "UTC",
      due: due)
    let edited = try #require(try bench.submit(EditChange(one, edit)).alarms.first)
    #expect(edited.phase == .scheduled)
    #expect(edited.remaining == nil)
    #expect(edited.due == due)
  }

  @Test("Extending a one-shot moves it by the span, either way, and keeps its kind")
  func extend() throws {
    let bench = try StoreBench()
    let at = try bench.schedule(after: .seconds(600))
    let countdown = try bench.count(down: .seconds(600))
    let both = Selection(numbers: [1, 2])
    let later = try bench.submit(ExtendChange(both, by: .seconds(120))).alarms
    #expect(
      later.map(\.due?.microseconds) == [at, countdown].map { $0.due.map { $0.microseconds + 120_000_000 } })
    #expect(later[0].timing == .instant(bench.now + .seconds(720)))
    #expect(later[1].timing == .countdown(.seconds(600)))
    #expect(later.map(\.due?.clock) == [.wall, bench.store.currentBoot])
    let sooner = try bench.submit(ExtendChange(both, by: .seconds(-700))).alarms
    #expect(
      bench.observer.moments.suffix(2).map { $0.waiting.map(\.due) }
        == sooner.map { [$0.due].compactMap { $0 } })
    let refused = bench.submitted(ExtendChange(both, by: .seconds(-20)))
    #expect(refused.error == .invalidDue(number: 1, due: bench.now))
    #expect(bench.alarm(1) == sooner[0])
  }

  @Test("An extended time of day stays in its zone and follows it")
  func extendCivil() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00")
    try rig.bench.submit(ExtendChange(Selection(numbers: [number]), by: .seconds(1_800)))
    rig.settle()
    try rig.move(to: "America/New_York")
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-21 13:00:00")))
  }

  @Test("Extending moves a snooze's end and adds to a paused countdown; neither can become past")
  func extendOthers() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule())
    #expect(bench.submitted(ExtendChange(one, by: .seconds(60))).error == .wrongState(number: 1, .ringing))
    let boot = bench.clock.read().boot
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: boot + 300_000_000)
    try bench.submit(SnoozeChange(one, until: until))
    let snoozed = try #require(try bench.submit(ExtendChange(one, by: .seconds(60))).alarms.first)
    #expect(snoozed.latest?.due?.microseconds == boot + 360_000_000)
    #expect(snoozed.latest?.snoozedUntil == bench.now + .seconds(360))
    #expect(
      bench.submitted(ExtendChange(one, by: .seconds(-360))).error == .invalidDue(number: 1, due: bench.now))

    try bench.count(down: .seconds(600))
    let two = Selection(numbers: [2])
    try bench.submit(PauseChange(two))
    #expect(try bench.submit(ExtendChange(two, by: .seconds(-30))).alarms.first?.remaining == .seconds(570))
    #expect(
      bench.submitted(ExtendChange(two, by: .seconds(-570))).error == .invalidDue(number: 2, due: bench.now))
    try bench.every("*:0/10")
    #expect(
      bench.submitted(ExtendChange(Selection(numbers: [3]), by: .seconds(1))).error
        == .wrongState(number: 3, .scheduled))
  }

  @Test("A countdown extended before it leaves an earlier boot's clock moves by the span")
  func extendEarlierBoot() throws {
    let bench = try StoreBench()
    try bench.count(down: .seconds(600))
    let due = bench.now + .seconds(600)
    bench.clock.advance(.seconds(100))
    bench.clock.reboot(wall: bench.now)
    try bench.reopen(bootID: "boot-2")
    try bench.submit(ExtendChange(one, by: .seconds(60)))
    #expect(bench.alarm(1)?.due == .wall(due + .seconds(60)))
  }
}

extension Result {
  /// The change's error.
  var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
