import EggTime
import Testing

@testable import ICalendar

/// 2026-11-23 is a Monday.
@Suite struct MovedOccurrenceTests {
  private static func event(_ lines: String) -> String { "BEGIN:VEVENT\nUID:a\n\(lines)\nEND:VEVENT" }

  private static let series = event(
    "SUMMARY:swim\nDTSTART;TZID=Asia/Seoul:20261123T073000\nRRULE:FREQ=WEEKLY")

  private static func read(_ events: String...) throws -> [Result<CalendarEntry, CalendarProblem>] {
    try CalendarFixture.read(events.joined(separator: "\n"))
  }

  private static func expression(_ results: [Result<CalendarEntry, CalendarProblem>]) throws -> String {
    guard case .success(let entry) = results.first else { return "\(results)" }
    return entry.expression
  }

  private static let set = "DTSTART;TZID=Asia/Seoul:20261123T073000 RRULE:FREQ=WEEKLY"

  @Test(
    "A moved occurrence is left out and added where it went, wherever it stands in the file",
    arguments: [
      "RECURRENCE-ID;TZID=Asia/Seoul:20261130T073000\nDTSTART;TZID=Asia/Seoul:20261201T080000",
      "RECURRENCE-ID:20261129T223000Z\nDTSTART:20261130T230000Z",
    ])
  func moved(lines: String) throws {
    let change = Self.event("SUMMARY:swim\n" + lines)
    let expected = Self.set + " RDATE:20261201T080000 EXDATE:20261130T073000"
    for results in [try Self.read(Self.series, change), try Self.read(change, Self.series)] {
      #expect(results.count == 1)
      #expect(try Self.expression(results) == expected)
    }
  }

  @Test("A cancelled occurrence is left out; two can change places")
  func cancelled() throws {
    let off = Self.event("RECURRENCE-ID:20261129T223000Z\nDTSTART:20261129T223000Z\nSTATUS:CANCELLED")
    #expect(try Self.expression(try Self.read(Self.series, off)) == Self.set + " EXDATE:20261130T073000")
    let there = Self.event("SUMMARY:swim\nRECURRENCE-ID:20261129T223000Z\nDTSTART:20261206T223000Z")
    let back = Self.event("SUMMARY:swim\nRECURRENCE-ID:20261206T223000Z\nDTSTART:20261129T223000Z")
    guard case .success(let entry) = try Self.read(Self.series, there, back).first,
      case .every(let time, _) = entry.timing
    else {
      Issue.record("no entry")
      return
    }
    let first = try #require(entry.due)
    let zone = try Zone.named("Asia/Seoul")
    #expect(time.next(after: first, in: zone) == first + .seconds(7 * 86_400))
  }

  @Test(
    "Its own text and alarms are lost, and that is said",
    arguments: [
      ("SUMMARY:swim far", "one occurrence has a text of its own; it rings with that of the others"),
      (
        "SUMMARY:swim\n" + ICalendarReaderTests.alarm("TRIGGER:-PT30M"),
        "one occurrence has alarms of its own; it rings with those of the others"
      ),
    ])
  func own(lines: String, note: String) throws {
    for start in ["20261130T230000Z", "20261129T223000Z"] {
      let change = Self.event("RECURRENCE-ID:20261129T223000Z\nDTSTART:\(start)\n" + lines)
      guard case .success(let entry) = try Self.read(Self.series, change).first else {
        Issue.record("no entry")
        return
      }
      #expect(entry.notes == [note])
    }
  }

  @Test("One without the alarms of its series rings with them, and that is said") func withoutAlarms() throws
  {
    let series = Self.event(
      "SUMMARY:swim\nDTSTART:20261123T073000Z\nRRULE:FREQ=WEEKLY\n"
        + ICalendarReaderTests.alarm("TRIGGER:-PT30M"))
    let change = Self.event("SUMMARY:swim\nRECURRENCE-ID:20261130T073000Z\nDTSTART:20261130T073000Z")
    guard case .success(let entry) = try Self.read(series, change).first else {
      Issue.record("no entry")
      return
    }
    #expect(entry.notes == ["one occurrence has alarms of its own; it rings with those of the others"])
  }

  @Test("A change of all later occurrences is refused; the series stays")
  func range() throws {
    let change = Self.event("RECURRENCE-ID;RANGE=THISANDFUTURE:20261129T223000Z\nDTSTART:20261130T230000Z")
    let results = try Self.read(Self.series, change)
    #expect(results.count == 2)
    guard case .failure(let problem) = results.last else {
      Issue.record("\(results)")
      return
    }
    #expect(problem.line == 11)
    #expect(problem.message == "it changes all later occurrences (RANGE); alarms can only move one of them")
  }

  @Test("An occurrence whose series is not in the file is an alarm of its own")
  func alone() throws {
    let id = "5f7c3a52-7c1e-4b53-9d1f-111111111111"
    let entry = try CalendarFixture.entry(
      "UID:\(id)\nRECURRENCE-ID:20261129T223000Z\nDTSTART:20261130T230000Z")
    #expect(entry.expression == "2026-11-30T23:00:00Z")
    #expect(entry.uid == "\(id) 20261129T223000Z")
    #expect(entry.notes == ["its series is not in this file; it is an alarm of its own"])
  }

  @Test(
    "EXDATE and RDATE are read in each of their forms",
    arguments: [
      ("EXDATE;TZID=Asia/Seoul:20261130T073000,20261207T073000", "EXDATE:20261130T073000,20261207T073000"),
      ("EXDATE:20261129T223000Z\nEXDATE:20261206T223000Z", "EXDATE:20261130T073000,20261207T073000"),
      ("EXDATE;VALUE=DATE:20261130", "EXDATE:20261130"),
      ("RDATE;VALUE=PERIOD:20261130T230000Z/PT1H", "RDATE:20261201T080000"),
      ("RDATE;VALUE=DATE:20261201", "RDATE:20261201T073000"),
    ])
  func lists(lines: String, text: String) throws {
    let entry = try CalendarFixture.entry(
      "DTSTART;TZID=Asia/Seoul:20261123T073000\nRRULE:FREQ=WEEKLY\n" + lines)
    #expect(entry.expression == Self.set + " " + text)
  }

  @Test("Without a rule, the start and the dates ring")
  func datesOnly() throws {
    let entry = try CalendarFixture.entry("DTSTART;VALUE=DATE:20261123\nRDATE;VALUE=DATE:20261224,20270101")
    #expect(entry.expression == "DTSTART:20261123T000000 RDATE:20261224T000000,20270101T000000 TRIGGER:PT9H")
  }

  @Test("What is over is left out of a list that is too long")
  func long() throws {
    func list(_ year: Int) -> String {
      (0..<150).map {
        "\(BasicDateTime(CivilDateTime(year: year, month: 1, day: 1 + $0, hour: 7).adding(days: 0)))"
      }
      .joined(separator: ",")
    }
    let lines = "DTSTART:20200101T070000\nRRULE:FREQ=DAILY\nEXDATE:\(list(2025))\nEXDATE:"
    let entry = try CalendarFixture.entry(lines + list(2027))
    #expect(entry.expression == "DTSTART:20200101T070000 RRULE:FREQ=DAILY EXDATE:\(list(2027))")
    #expect(try CalendarFixture.problem(lines + list(2027) + "," + list(2028)) == "5: its RRULE is too long")
  }

  @Test("What was read is written as it came, from its first time on, and read again as the same")
  func written() throws {
    let texts = [
      Self.set + " RDATE:20261201T080000 EXDATE:20261130T073000,20261207 TRIGGER:-PT15M",
      "DTSTART;TZID=UTC:20260101T073000 RRULE:FREQ=YEARLY;COUNT=9;BYYEARDAY=-1,100 EXDATE:20261231T073000",
      "DTSTART:20261123T073000 RRULE:FREQ=MONTHLY;UNTIL=20280101T000000Z;BYSETPOS=-1;BYDAY=MO,TU,WE",
      "DTSTART:20261123T073000 RDATE:20261124T073000",
    ]
    for text in texts {
      let set = try #require(RecurrenceSet(text))
      let zone = set.zoneName
      var alarm = WrittenCalendar.alarm(
        .every(.rule(set.named(nil))), zone: zone ?? "Europe/Paris", floats: zone == nil)
      alarm.content.time.until = Instant(microseconds: 1_900_000_000_000_000)
      alarm.content.time.count = 5
      let results = try CalendarFixture.read(try WrittenCalendar.entry(alarm).text)
      guard case .success(let entry) = results.first else {
        Issue.record("\(results)")
        continue
      }
      #expect(entry.expression == set.begun.description && entry.rules.leads.isEmpty)
      #expect(entry.until == alarm.content.time.until)
      #expect(entry.count == 5)
    }
  }
}
