import Alarms
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Testing

@testable import EggStore

/// An alarm is made while the clock is ahead, and five minutes later the clock is set right. The true time is
/// 2026-11-20 21:34:30 UTC.
@Suite("Alarms made while the clock was ahead")
struct WrongClockTests {
  private static let day: Int64 = 86_400
  private let one = Selection(numbers: [1])

  /// How the clock is set right.
  enum Way: CaseIterable {
    case running
    case down
    case reboot
  }

  struct Ahead: CustomTestStringConvertible {
    var seconds: Int64
    var way: Way

    var testDescription: String { "\(seconds / 3_600) h ahead, set right: \(way)" }

    static let spans: [Int64] = [9 * 3_600, 2 * day, 731 * day]
    static let all = spans.flatMap { seconds in Way.allCases.map { Ahead(seconds: seconds, way: $0) } }
  }

  struct Asked: CustomTestStringConvertible {
    var text: String
    var zone: String?
    var from: String?
    var until: String?
    var count: Int64?
    var kind: ExpressionKind?

    var testDescription: String {
      ([text] + [zone, from, until].compactMap { $0 } + [count].compactMap { $0.map(String.init) })
        .joined(separator: ", ")
    }

    static let all = [
      Asked(text: "90min", kind: .span), Asked(text: "@1999999999"), Asked(text: "2029-01-01 12:00:00Z"),
      Asked(text: "now + 3 hours"), Asked(text: "07:30"), Asked(text: "07:30", zone: "Asia/Tokyo"),
      Asked(text: "tomorrow 08:00"), Asked(text: "tomorrow"), Asked(text: "2029-01-01 08:00"),
      Asked(text: "*:*:0/30"),
      Asked(text: "*:0/20"),
      Asked(text: "07:30", kind: .calendar), Asked(text: "Mon *-*-* 07:30:00", zone: "America/New_York"),
      Asked(text: "*-02-29"), Asked(text: "every 20min"), Asked(text: "every 3h"), Asked(text: "every 35h"),
      Asked(text: "every 2 days"), Asked(text: "every 2 days at 08:00"), Asked(text: "every other tuesday"),
      Asked(text: "every 2 weeks at 09:00", zone: "Asia/Tokyo"), Asked(text: "every 2 months on the 15th"),
      Asked(text: "FREQ=DAILY;INTERVAL=3;BYHOUR=9,20"), Asked(text: "FREQ=MINUTELY;INTERVAL=7"),
      Asked(text: "DTSTART:20261101T080000 RRULE:FREQ=DAILY;INTERVAL=2"),
      Asked(text: "DTSTART:20291101T080000 RRULE:FREQ=DAILY;INTERVAL=2"),
      Asked(text: "every 20min", from: "2026-11-01 10:07:00"),
      Asked(text: "every 20min", from: "2029-12-01 10:07:00"),
      Asked(text: "every 2 days", from: "2026-11-01 10:07:00"),
      Asked(text: "FREQ=DAILY;INTERVAL=3", from: "2026-11-01 10:07:00"),
      Asked(text: "every 20min", count: 100),
      Asked(text: "every 20min", until: "2030-01-01 00:00:00"),
      Asked(text: "07:30", until: "2030-01-01 00:00:00", kind: .calendar),
    ]
  }

  /// Each with each way and each span; a third of all, as the pairs matter.
  private static let pairs = Asked.all.enumerated().flatMap { index, asked in
    Way.allCases.enumerated().map { place, way in
      (asked, Ahead(seconds: Ahead.spans[(index + place) % Ahead.spans.count], way: way))
    }
  }

  /// Makes it as eggd does from a call that it reads now.
  private func make(_ asked: Asked, _ rig: ZoneRig) throws {
    let now = rig.bench.clock.read()
    let zone = try asked.zone.map { try rig.folder.source.zone(named: $0) } ?? rig.folder.source.local()
    let source = rig.folder.source
    let from = try asked.from.map(ZoneRig.utc)
    // config.toml may have another day-at at the correction.
    let dayAt = TimeOfDay(hour: 7, minute: 15)
    let context = ReadingContext(now: now.wall, zone: zone, from: from, dayAt: dayAt) {
      name throws(ZoneError) in
      try source.zone(named: name)
    }
    let read = try TimeExpression.read(asked.text, in: context, as: asked.kind)
    var alarm = rig.bench.new()
    (alarm.expression, alarm.readingZone) = (asked.text, zone.identifier)
    alarm.forcedKind = asked.kind.flatMap { kind in Timing.Kind.allCases.first { $0.expressionKind == kind } }
    (alarm.from, alarm.count, alarm.until) = (from, asked.count, try asked.until.map(ZoneRig.utc))
    alarm.due = .wall(try read.instant(in: context))
    switch read.reading {
    case .span(let span):
      alarm.timing = .countdown(span)
      alarm.due = DuePoint(clock: rig.bench.store.currentBoot, microseconds: now.boot + span.microseconds)
    case .instant(let instant): alarm.timing = .instant(instant)
    case .civil(let civil, _): alarm.timing = .civil(civil, zone: zone.identifier, floats: asked.zone == nil)
    case .recurring(let time): alarm.timing = .every(time, zone: zone.identifier, floats: asked.zone == nil)
    }
    try rig.bench.submit(ScheduleChange(alarm))
    rig.settle()
  }

  private func step(_ rig: ZoneRig, _ seconds: Int64) {
    rig.bench.clock.step(.seconds(seconds))
    rig.wake()
  }

  private func setRight(_ rig: ZoneRig, _ ahead: Ahead) throws {
    switch ahead.way {
    case .running: step(rig, -ahead.seconds)
    case .down:
      rig.stop()
      rig.bench.clock.step(.seconds(-ahead.seconds))
      try rig.restart()
    case .reboot:
      rig.stop()
      rig.bench.clock.reboot(wall: rig.bench.now - .seconds(ahead.seconds))
      try rig.restart(bootID: "boot-2")
      rig.bench.store.moveEarlierBoots()
      rig.settle()
    }
  }

  /// On the wall clock, on whichever clock it waits.
  private func wall(_ rig: ZoneRig, _ number: Int64 = 1) throws -> Instant {
    let due = try #require(rig.bench.alarm(number)?.due)
    let offset = due.clock == .wall ? 0 : rig.bench.clock.read().bootOffset
    return Instant(microseconds: due.microseconds + offset)
  }

  @Test(
    "They ring as if they had been made at the true moment, or where that is unknown, now",
    arguments: pairs)
  func asIfMadeRight(asked: Asked, ahead: Ahead) throws {
    let reference = try ZoneRig()
    if ahead.way == .reboot { reference.advance(.seconds(300)) }
    try make(asked, reference)
    if ahead.way != .reboot { reference.advance(.seconds(300)) }

    let rig = try ZoneRig()
    step(rig, ahead.seconds)
    try make(asked, rig)
    rig.advance(.seconds(300))
    let rung = rig.rung.count
    try setRight(rig, ahead)
    #expect(rig.bench.now == reference.bench.now)
    let due = try wall(reference)
    #expect(try wall(rig) == due)
    #expect(rig.rung.count == rung)
    // The timer waits for a year at most.
    #expect(rig.loop.nextWake == reference.loop.nextWake)
    rig.advance(due - rig.bench.now)
    #expect(rig.rung.count == rung + 1)
    #expect(rig.rings.all.last?.lateness == .zero)
    reference.advance(due - reference.bench.now)
    #expect(rig.due(1) == reference.due(1))
    #expect(rig.bench.alarm(1)?.createdAt == reference.bench.alarm(1)?.createdAt)
  }

  @Test(
    "One that is paused meanwhile goes on as if it had been made at the true moment", arguments: Ahead.all)
  func paused(ahead: Ahead) throws {
    for text in ["*:0/20", "every 20min", "every other tuesday"] {
      let rig = try ZoneRig()
      step(rig, ahead.seconds)
      try make(Asked(text: text), rig)
      try rig.bench.submit(PauseChange(one))
      rig.advance(.seconds(300))
      try setRight(rig, ahead)
      try rig.bench.submit(ResumeChange(one))
      rig.settle()
      let reference = try ZoneRig()
      if ahead.way == .reboot { reference.advance(.seconds(300)) }
      try make(Asked(text: text), reference)
      #expect(rig.due(1) == reference.due(1))
    }
  }

  @Test("A snooze ends after its time", arguments: Ahead.all)
  func snoozed(ahead: Ahead) throws {
    let rig = try ZoneRig()
    try rig.at("2026-11-20 22:35:00")
    step(rig, ahead.seconds)
    #expect(rig.rung == [1])
    let end = rig.bench.clock.read().boot + 600_000_000
    try rig.bench.submit(
      SnoozeChange(one, until: DuePoint(clock: rig.bench.store.currentBoot, microseconds: end)))
    rig.advance(.seconds(300))
    try setRight(rig, ahead)
    #expect(rig.rung == [1])
    rig.advance(.seconds(600))
    #expect(rig.rung == [1, 1])
  }

  @Test("A skipped elapse of a span stays skipped")
  func skipped() throws {
    let rig = try ZoneRig()
    step(rig, 9 * 3_600)
    try make(Asked(text: "every 20min"), rig)
    try rig.bench.submit(SkipChange(one))
    rig.settle()
    step(rig, -9 * 3_600)
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-20 22:14:30")))
  }

  @Test("A correction in steps moves them by each", arguments: ["every 35h", "every other tuesday", "07:30"])
  func inSteps(text: String) throws {
    let reference = try ZoneRig()
    try make(Asked(text: text), reference)
    let rig = try ZoneRig()
    step(rig, 9 * 3_600)
    try make(Asked(text: text), rig)
    step(rig, -5 * 3_600)
    step(rig, -4 * 3_600)
    #expect(rig.due(1) == reference.due(1))
    #expect(rig.bench.alarm(1)?.timing == reference.bench.alarm(1)?.timing)
  }

  @Test("Spans that were made before a clock went wrong go on in elapsed time when it is set right")
  func madeBefore() throws {
    let rig = try ZoneRig()
    try make(Asked(text: "every 20min"), rig)
    step(rig, 9 * 3_600)
    #expect(rig.rung == [1])
    rig.advance(.seconds(60))
    step(rig, -9 * 3_600)
    let due = try #require(rig.due(1))
    #expect(due - rig.bench.now <= .seconds(1_200))
    rig.advance(due - rig.bench.now)
    rig.advance(.seconds(1_200))
    #expect(rig.rung == [1, 1, 1])
    #expect(rig.rings.all.last?.lateness == .zero)
  }

  @Test("A zone change after the correction neither silences them nor lets them ring at once")
  func zoneChange() throws {
    for asked in [Asked(text: "*:0/20"), Asked(text: "07:30", kind: .calendar), Asked(text: "every 20min")] {
      let rig = try ZoneRig()
      step(rig, 9 * 3_600)
      try make(asked, rig)
      rig.advance(.seconds(1_500))
      let rung = rig.rung.count
      step(rig, -9 * 3_600)
      try rig.move(to: "Asia/Tokyo")
      let reference = try ZoneRig("Asia/Tokyo")
      try make(asked, reference)
      reference.advance(.seconds(1_500))
      #expect(rig.rung.count == rung)
      #expect(rig.due(1) == reference.due(1))
    }
  }

  @Test("A correction of less than a minute moves nothing")
  func small() throws {
    for text in ["*:0/20", "every 20min", "every 2 days"] {
      let rig = try ZoneRig()
      step(rig, 59)
      try make(Asked(text: text), rig)
      let before = try #require(rig.bench.alarm(1))
      step(rig, -59)
      #expect(rig.bench.alarm(1) == before)
    }
  }

  @Test("A new timing counts from its own call")
  func edited() throws {
    let rig = try ZoneRig()
    try make(Asked(text: "*-*-* 07:30:00"), rig)
    rig.advance(.seconds(7_200))
    step(rig, 2 * Self.day)
    let now = rig.bench.now
    let time = try #require(RecurringInterval(every: .seconds(1_200), from: now))
    var edit = AlarmEdit()
    edit.timing = AlarmEdit.NewTiming(
      timing: .every(.interval(time), zone: "Europe/Berlin", floats: true), expression: "every 20min",
      forcedKind: nil,
      readingZone: "Europe/Berlin", due: .wall(now + .seconds(1_200)))
    try rig.bench.submit(EditChange(one, edit))
    rig.settle()
    step(rig, -2 * Self.day)
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-20 23:54:30")))
    #expect(rig.bench.alarm(1)?.modifiedAt == rig.bench.now)
    #expect(rig.bench.alarm(1)?.createdAt == (try ZoneRig.utc("2026-11-20 21:34:30")))
  }

  @Test("One that an undo brings back after the correction is set right, too", arguments: [false, true])
  func undone(isPaused: Bool) throws {
    let rig = try ZoneRig()
    step(rig, 731 * Self.day)
    try make(Asked(text: "every other tuesday"), rig)
    if isPaused { try rig.bench.submit(PauseChange(one)) }
    try rig.bench.submit(DeleteChange(one))
    step(rig, -731 * Self.day)
    try rig.bench.submit(UndoChange(expected: nil))
    if isPaused { try rig.bench.submit(ResumeChange(one)) }
    rig.settle()
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-24 06:15:00")))
  }

  @Test("So is one whose call was read before the correction, and carried out after it")
  func overtaken() throws {
    let rig = try ZoneRig()
    step(rig, 2 * Self.day)
    let before = rig.bench.clock.read()
    step(rig, -2 * Self.day)
    let time = try #require(RecurringInterval(every: .seconds(1_200), from: before.wall))
    var alarm = rig.bench.new()
    alarm.timing = .every(.interval(time), zone: "Europe/Berlin", floats: true)
    alarm.due = .wall(before.wall + .seconds(1_200))
    let change = ScheduleChange(alarm)
    _ = rig.bench.wait { rig.bench.store.submit(ChangeRequest(change, readAt: before), completion: $0) }
    rig.settle()
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-20 21:54:30")))
  }

  @Test("What a kill before the correction was stored left undone follows at the next start")
  func killed() throws {
    let rig = try ZoneRig()
    step(rig, 2 * Self.day)
    try make(Asked(text: "every 20min"), rig)
    rig.stop()
    rig.bench.clock.step(.seconds(-2 * Self.day))
    // It has opened the file, and no more.
    try rig.bench.reopen(startsNow: false)
    try rig.restart()
    #expect(rig.due(1) == (try ZoneRig.utc("2026-11-20 21:54:30")))
  }
}
