import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Glibc
import Testing

@Suite("what recurs, is missed or paused, with the real eggd")
struct RecurrenceTests {
  @Test("an event each second rings each time, on time, and its count ends it")
  func eachSecond() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    _ = try client.call(ScheduleCall(expression: "*:*:*", manner: Manner(summary: "Tick!"), count: 4))
    let over = try #require(
      eventually { () -> ShowReply? in
        guard let shown = try? client.call(ShowCall(number: 1)), shown.alarm.due == nil else { return nil }
        return shown.occurrences.count == 4 ? shown : nil
      }, "\(daemon.process.errors)")
    let first = try #require(over.occurrences.last).dueAt
    #expect(over.occurrences.map(\.dueAt) == [3, 2, 1, 0].map { first + .seconds($0) })
    #expect(first.microseconds % 1_000_000 == 0)
    #expect(over.occurrences.allSatisfy { $0.outcome == .rung && $0.missedCount == nil })
    #expect(over.occurrences.allSatisfy { ($0.lateness ?? .seconds(9)) < .seconds(1) })
    #expect(over.alarm.count == 0)
    _ = try client.call(ScheduleCall(expression: "1500ms", manner: Manner(summary: "Last!")))
    _ = try #require(daemon.process.waitForError(containing: "Last!"))
    #expect(rung("Tick!", daemon).count == 4)
  }

  @Test("a series with a moved occurrence is imported, rings by its rule, and is exported as it came")
  func series() throws {
    let daemon = try PrivateDaemon()
    let begin = Zone.utc.civil(at: Instant(microseconds: now() / 1_000_000 * 1_000_000 + 4_000_000))
    func time(_ seconds: Int) -> BasicDateTime {
      BasicDateTime(CivilDateTime(secondsOnClock: begin.secondsOnClock + seconds), isUTC: true)
    }
    // Every second time of three a second apart; the second of these is moved by a second.
    let file = daemon.directory + "/series.ics"
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      BEGIN:VEVENT
      UID:series@example.org
      SUMMARY:Tick
      DTSTART:\(time(0))
      RRULE:FREQ=SECONDLY;INTERVAL=2;COUNT=3
      EXDATE:\(time(4))
      END:VEVENT
      BEGIN:VEVENT
      UID:series@example.org
      SUMMARY:Tick
      RECURRENCE-ID:\(time(2))
      DTSTART:\(time(3))
      END:VEVENT
      END:VCALENDAR

      """
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let imported = try daemon.eggctl("import", file)
    #expect(imported.output == "imported 1 alarm\n", "\(imported)")
    let exported = try daemon.eggctl("export", "--format", "ics")
    for line in [
      "DTSTART:\(time(0))", "RRULE:FREQ=SECONDLY;COUNT=3;INTERVAL=2", "RDATE:\(time(3))",
      "EXDATE:\(time(2)),\(time(4))",
    ] { #expect(exported.output.contains(line + "\r\n"), "\(exported)") }
    let client = try daemon.client()
    let over = try #require(
      eventually { () -> ShowReply? in
        guard let shown = try? client.call(ShowCall(number: 1)), shown.alarm.due == nil else { return nil }
        return shown
      }, "\(daemon.process.errors)")
    let first = Zone.utc.resolve(begin).instant
    #expect(over.occurrences.map(\.dueAt) == [first + .seconds(3), first])
  }

  @Test(
    "what elapsed while eggd was down rings once and says how many; no elapse is lost, none counted twice")
  func missedWhileDown() throws {
    let daemon = try PrivateDaemon()
    _ = try daemon.client().call(ScheduleCall(expression: "*:*:*", manner: Manner(summary: "Tick!")))
    _ = try #require(daemon.process.waitForError(containing: "Tick!"))
    try daemon.kill()
    let down = now()
    _ = eventually { now() > down + 3_200_000 ? true : nil }
    try daemon.restart()
    let client = try daemon.client()
    let past = try #require(
      eventually { () -> [WireOccurrence]? in
        let past = try? client.call(ShowCall(number: 1)).occurrences
        guard let past, past.count >= 3, past.first?.missedCount == nil else { return nil }
        return past.reversed()
      })
    let late = try #require(past.first { $0.missedCount != nil }, "\(past)")
    #expect(late.outcome == .rung)
    #expect(late.lateReason == .down)
    #expect((late.missedCount ?? 0) >= 3)
    let first = try #require(past.first).dueAt
    let last = try #require(past.last).dueAt
    let counted = past.reduce(0) { $0 + ($1.missedCount ?? 1) }
    #expect(counted == (last - first).microseconds / 1_000_000 + 1)
    #expect(past.filter { $0.missedCount != nil }.count == 1)
  }

  @Test("what is only to be recorded is journaled and listed as missed, and does not ring")
  func recorded() throws {
    let daemon = try PrivateDaemon()
    let made = try daemon.eggctl("schedule", "1s", "--title", "Quiet!", "--if-missed", "record")
    #expect(made.status == 0, "\(made)")
    try daemon.kill()
    let down = now()
    _ = eventually { now() > down + 2_300_000 ? true : nil }
    try daemon.restart()
    #expect(daemon.process.waitForError(containing: "Missed #1, due ") != nil)
    let alarm = try #require(
      eventually { try? daemon.client().call(ListCall()).alarms.first { $0.state == .missed } })
    #expect(alarm.latest?.outcome == .missed)
    #expect(alarm.latest?.lateReason == .down)
    #expect(alarm.latest?.firedAt == nil)
    #expect(rung("Quiet!", daemon).isEmpty)
    let history = try daemon.eggctl("history")
    #expect(history.output.contains("missed"), "\(history)")
  }

  @Test("a pause outlasts eggd: a countdown keeps what is left, what recurs passes over what comes")
  func paused() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    _ = try client.call(ScheduleCall(expression: "1h"))
    _ = try client.call(ScheduleCall(expression: "*:*:*", manner: Manner(summary: "Tick!")))
    let paused = try client.call(PauseCall(WireSelection(all: true))).alarms
    #expect(paused.map(\.state.rawValue) == ["paused", "paused"])
    let before = rung("Tick!", daemon).count
    #expect(before <= 1)
    try daemon.kill()
    let down = now()
    _ = eventually { now() > down + 2_200_000 ? true : nil }
    try daemon.restart()
    let again = try daemon.client()
    let left = try #require(try again.call(ShowCall(number: 1)).alarm.remaining)
    #expect(left == paused[0].remaining)
    #expect(rung("Tick!", daemon).isEmpty)
    let asked = Instant(microseconds: now())
    let resumed = try again.call(ResumeCall(WireSelection(all: true))).alarms
    let due = try #require(resumed.first?.due)
    #expect((asked...Instant(microseconds: now())).contains(due - left))
    let passed = try #require(try again.call(ShowCall(number: 2)).occurrences.last { $0.outcome == .skipped })
    #expect((passed.missedCount ?? 1) >= 2)
    #expect(daemon.process.waitForError(containing: "Tick!") != nil)
  }

  private func rung(_ summary: String, _ daemon: PrivateDaemon) -> [String] {
    daemon.process.errors.map(\.text).filter { $0.hasPrefix("<5>\(summary)") }
  }
}
