import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

/// The time is 2026-11-20 21:34:30 in UTC, a Friday.
@Suite("Stored intervals and beginnings")
struct IntervalRowsTests {
  private static func utc(_ text: String) throws -> Instant {
    Zone.utc.resolve(try #require(CivilDateTime(text))).instant
  }

  private static let intervals = [
    ("20min from 2026-11-20 20:30:00 UTC", "2026-11-20 21:50:00"),
    ("3d 08:00:00 from 2026-11-16", "2026-11-22 08:00:00"),
    ("2w Mon,Thu 07:30:00 from 2026-11-10", "2026-11-23 07:30:00"),
    ("2month 15 09:00:00 from 2026-12-15", "2026-12-15 09:00:00"),
    ("1month -1Fri 17:00:00 from 2026-11-01", "2026-11-27 17:00:00"),
  ]

  @Test("An interval is stored and read back by the next eggd", arguments: intervals)
  func stored(text: String, due: String) throws {
    let bench = try StoreBench()
    let made = try bench.every(text, until: .latest, count: 9)
    #expect(made.due == .wall(try Self.utc(due)))
    let interval = try #require(RecurringInterval(text))
    #expect(made.timing == .every(.interval(interval), zone: "UTC", floats: false))
    #expect(bench.alarm(1) == made)
    try bench.reopen()
    #expect(try bench.list().alarms == [made])
    let row = try bench.stranger().read { try Row.fetchOne($0, sql: "SELECT * FROM alarm") }
    #expect(row?["interval"] == text && row?["calendarEvent"] == nil && row?["beginsAt"] == nil)
  }

  @Test("A rule is stored and read back by the next eggd, and goes on from memory")
  func rule() throws {
    let text = "DTSTART:20261120T213500 RRULE:FREQ=MINUTELY;INTERVAL=7;BYHOUR=21,22 EXDATE:20261120T214200"
    let bench = try StoreBench()
    let set = try #require(RecurrenceSet(text))
    let made = try bench.every(text)
    #expect(made.due == .wall(try Self.utc("2026-11-20 21:35:00")))
    #expect(made.timing == .every(.rule(set), zone: "UTC", floats: false))
    let rings = try bench.rings(of: made, 2)
    #expect(rings.map(\.dueAt) == [try Self.utc("2026-11-20 21:35:00"), try Self.utc("2026-11-20 21:49:00")])
    bench.clock.advance(rings[1].dueAt - bench.now)
    bench.recorded(rings)
    try bench.reopen()
    #expect(bench.alarm(1)?.due == .wall(try Self.utc("2026-11-20 21:56:00")))
    let row = try bench.stranger().read { try Row.fetchOne($0, sql: "SELECT * FROM alarm") }
    #expect(row?["rule"] == text && row?["calendarEvent"] == nil && row?["interval"] == nil)
  }

  @Test("An interval counts from its start, whenever it rings", arguments: intervals)
  func rings(text: String, due: String) throws {
    let bench = try StoreBench()
    let alarm = try bench.every(text, count: 3)
    let rings = try bench.rings(of: alarm, 2)
    bench.clock.advance(rings[1].dueAt - bench.now)
    bench.recorded(rings)
    let now = try #require(bench.alarm(1))
    #expect((now.count, now.due, now.phase) == (1, rings[1].next, .ringing))
    #expect(
      bench.observer.moments.last?.waiting.first?.recurrence?.timing
        == RecurringTime(event: nil, interval: text).map { .every($0) })
  }

  @Test("Nothing elapses before the beginning, whether created, skipped, paused or edited")
  func from() throws {
    let bench = try StoreBench()
    let from = try Self.utc("2026-12-01 12:00:00")
    let made = try bench.every("daily", from: from)
    #expect(made.due == .wall(try Self.utc("2026-12-02 00:00:00")))
    #expect(made.from == from)
    #expect(bench.alarm(1) == made)
    try bench.submit(PauseChange(Selection(numbers: [1])))
    bench.clock.advance(.seconds(86_400))
    try bench.submit(ResumeChange(Selection(numbers: [1])))
    #expect(bench.alarm(1)?.due == made.due)
    #expect(try bench.occurrences(1) == [])
    try bench.submit(SkipChange(Selection(numbers: [1])))
    #expect(bench.alarm(1)?.due == .wall(try Self.utc("2026-12-03 00:00:00")))
    var edit = AlarmEdit()
    edit.timing = AlarmEdit.NewTiming(
      timing: made.timing, expression: "daily", forcedKind: nil, readingZone: "UTC", due: .wall(bench.now))
    edit.from = try Self.utc("2027-01-01 00:00:00")
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    #expect(bench.alarm(1)?.due == .wall(try Self.utc("2027-01-01 00:00:00")))
    edit.from = nil
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    #expect(bench.alarm(1)?.due == .wall(try Self.utc("2026-11-22 00:00:00")))
    #expect(bench.alarm(1)?.from == nil)
    for _ in 1...2 { try bench.submit(UndoChange(expected: nil)) }
    #expect(bench.alarm(1)?.due == .wall(try Self.utc("2026-12-03 00:00:00")))
    #expect(bench.alarm(1)?.from == from)
  }

  @Test("Undo reverts an edit from an event to an interval and to a one-shot completely")
  func edited() throws {
    let bench = try StoreBench()
    let made = try bench.every("daily")
    let interval = try #require(RecurringInterval("3d 08:00:00 from 2026-11-25"))
    for timing in [
      Timing.every(.interval(interval), zone: "UTC", floats: false), .instant(bench.now + .seconds(60)),
    ] {
      var edit = AlarmEdit()
      edit.timing = AlarmEdit.NewTiming(
        timing: timing, expression: "then", forcedKind: nil, readingZone: "UTC",
        due: .wall(bench.now + .seconds(60)))
      try bench.submit(EditChange(Selection(numbers: [1]), edit))
      #expect(bench.alarm(1)?.timing == timing)
    }
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.timing == .every(.interval(interval), zone: "UTC", floats: false))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.timing == made.timing)
  }

  @Test(
    "A span beyond its bounds, as another program may write it, is none", arguments: [0, -1, 1, Int64.max])
  func spans(span: Int64) throws {
    let bench = try StoreBench()
    _ = try bench.every("3d 08:00:00 from 2026-11-16")
    bench.close()
    try bench.stranger().write {
      try $0.execute(sql: "UPDATE alarm SET insist = ?1, unansweredAfter = ?1", arguments: [span])
    }
    try bench.reopen()
    let alarm = try #require(bench.alarm(1))
    #expect(alarm.insist == nil && alarm.unansweredAfter == nil)
  }

  @Test(
    "An unreadable interval rings once, at its moment", arguments: ["", "every 3 days"])
  func unreadable(text: String) throws {
    let bench = try StoreBench()
    let made = try bench.every("3d 08:00:00 from 2026-11-16")
    bench.close()
    try bench.stranger().write { try $0.execute(sql: "UPDATE alarm SET interval = ?", arguments: [text]) }
    try bench.reopen()
    let alarm = try #require(bench.alarm(1))
    #expect(alarm.due == made.due)
    #expect(alarm.timing == .instant(try Self.utc("2026-11-22 08:00:00")))
  }
}
