import Alarms
import EggTime
import Testing

@testable import EggCommands

/// Leads, skips and pauses of entries that others made.
extension SyncPlannerTests {
  @Test("An event of which one alarm lies ahead rings then") func oneAhead() throws {
    let alarms = ["-P1D", "-PT15M"].map { "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:\($0)\nEND:VALARM" }
    let lines = "BEGIN:VEVENT\nUID:a\nDTSTART:20261121T003430Z\n\(alarms.joined(separator: "\n"))\nEND:VEVENT"
    let (alarm, _) = try foreign(lines)
    #expect(alarm.due == Run.now + .seconds(165 * 60))
  }

  @Test("A new lead here and a new time there are both kept") func leadAndTime() throws {
    let (old, known) = try foreign("BEGIN:VEVENT\nUID:a\nDTSTART:20270115T080000Z\nSUMMARY:tea\nEND:VEVENT")
    try rewrite(known[0]) { $0.replacing("DTSTART:20270115", with: "DTSTART:20270116") }
    var new = old
    (new.leads, new.modifiedAt) = ([Lead("15min")].compactMap(\.self), Run.now + .seconds(5))
    let plan = try plan(known, [new])
    let text = try #require(plan.writes.first).text
    #expect(text.contains("DTSTART:20270116T080000Z\r\n") && text.contains("TRIGGER:-PT15M\r\n"))
    #expect(plan.replaced.map(\.leads) == [new.leads] && plan.notices.isEmpty)
    #expect(plan.replaced.map(\.moment) == [Instant(microseconds: 1_800_086_400_000_000)])
    #expect(plan.replaced.map(\.due) == [Instant(microseconds: 1_800_085_500_000_000)])
  }

  @Test("The rest of an occurrence that has begun rings, too") func lateLead() throws {
    let (alarm, _) = try foreign(
      """
      BEGIN:VEVENT
      UID:a
      DTSTART:20261106T203430Z
      RRULE:FREQ=WEEKLY
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:PT2H
      END:VALARM
      END:VEVENT
      """)
    #expect(alarm.due == Run.now + .seconds(3_600))
  }

  @Test(
    "The skip of a ring and a pause stay on this machine",
    arguments: ["", "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15M\nEND:VALARM\n"])
  func skips(lead: String) throws {
    let event = "BEGIN:VEVENT\nUID:a\nDTSTART:20261113T070000Z\nRRULE:FREQ=WEEKLY;COUNT=8\nSUMMARY:tea\n"
    let (old, known) = try foreign(event + lead + "END:VEVENT")
    let week = TimeSpan.seconds(7 * 86_400)
    try #require(old.count == 6)
    var skipped = old
    (skipped.due, skipped.moment) = (old.due.map { $0 + week }, old.moment.map { $0 + week })
    skipped.from = old.moment.map { $0 + TimeSpan(microseconds: 1) }
    (skipped.count, skipped.modifiedAt) = (5, Run.now + .seconds(5))
    let first = try plan(known, [skipped])
    #expect(!first.changesList && !first.changesFolder && first.notices.isEmpty)
    // A change of another field leaves them alone, too.
    (skipped.label, skipped.modifiedAt) = ("green tea", Run.now + .seconds(6))
    let text = try #require(try plan(first.entries, [skipped]).writes.first).text
    #expect(text.contains("DTSTART:20261113T070000Z\r\n") && !text.contains("X-EGGD-FROM"))
    #expect(text.contains("RRULE:FREQ=WEEKLY;COUNT=8\r\n"))
    var paused = old
    (paused.state, paused.due, paused.moment) = (.paused, nil, nil)
    paused.modifiedAt = Run.now + .seconds(5)
    let later = try plan(known, [paused], now: Run.now + week + week)
    #expect(!later.changesList && !later.changesFolder && later.notices.isEmpty)
  }
}
