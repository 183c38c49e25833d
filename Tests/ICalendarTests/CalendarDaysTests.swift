import EggTime
import Testing

@testable import ICalendar

@Suite struct CalendarDaysTests {
  private static func read(_ events: String..., from first: String = "2026-01-01") throws
    -> CalendarDays
  {
    let entries = events.map { "BEGIN:VEVENT\nUID:1\n\($0)\nEND:VEVENT\n" }.joined()
    return CalendarDays.read(
      Array("BEGIN:VCALENDAR\nVERSION:2.0\n\(entries)END:VCALENDAR\n".utf8),
      from: try #require(CivilDate(first)), in: try CalendarFixture.context())
  }

  private static func text(_ days: CalendarDays) -> String { "\(DaySet(days.ranges))" }

  @Test(
    "An event takes up its days",
    arguments: [
      ("DTSTART;VALUE=DATE:20261225", "2026-12-25"),
      ("DTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261226", "2026-12-25"),
      ("DTSTART;VALUE=DATE:20261225\nDTEND;VALUE=DATE:20261225", "2026-12-25"),
      ("DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20270102", "2026-12-24..2027-01-01"),
      ("DTSTART;VALUE=DATE:20261224\nDURATION:P3D", "2026-12-24..2026-12-26"),
      ("DTSTART:20261225\nTRANSP:TRANSPARENT", "2026-12-25"),
      ("DTSTART;VALUE=DATE:20251230\nDTEND;VALUE=DATE:20260103", "2026-01-01..2026-01-02"),
      ("DTSTART;VALUE=DATE:20251225", ""),
      ("DTSTART;VALUE=DATE:20261225\nSTATUS:CANCELLED", ""),
      ("DTSTART;VALUE=DATE:20260921\nRDATE;VALUE=DATE:20270922,20280923", "2026-09-21 2027-09-22 2028-09-23"),
      (
        "DTSTART;VALUE=DATE:20260105\nRRULE:FREQ=WEEKLY;COUNT=4\nEXDATE;VALUE=DATE:20260112",
        "2026-01-05 2026-01-19 2026-01-26"
      ),
      (
        "DTSTART;VALUE=DATE:20200229\nDTEND;VALUE=DATE:20200302\nRRULE:FREQ=YEARLY;UNTIL=20320301",
        "2028-02-29..2028-03-01 2032-02-29..2032-03-01"
      ),
    ])
  func takesUp(event: String, expected: String) throws {
    let days = try Self.read(event)
    #expect(Self.text(days) == expected)
    #expect(days.problems.isEmpty)
  }

  @Test(
    "An event with times takes up the days that it fills, on its own clock",
    arguments: [
      ("DTSTART:20261225T000000\nDTEND:20261226T000000", "2026-12-25"),
      ("DTSTART;TZID=Asia/Seoul:20261225T000000\nDTEND;TZID=Asia/Seoul:20261226T000000", "2026-12-25"),
      ("DTSTART:20261225T000000Z\nDTEND:20261225T235900Z", "2026-12-25"),
      ("DTSTART;TZID=Europe/Paris:20260329T000000\nDTEND;TZID=Europe/Paris:20260330T000000", "2026-03-29"),
      ("DTSTART:20261224T120000\nDTEND:20261227T120000", "2026-12-25..2026-12-26"),
      (
        "DTSTART;TZID=Asia/Seoul:20241225T000000\nDURATION:P1D\nRRULE:FREQ=YEARLY;UNTIL=20271224T150000Z",
        "2026-12-25 2027-12-25"
      ),
    ])
  func fills(event: String, expected: String) throws {
    #expect(Self.text(try Self.read(event)) == expected)
  }

  @Test(
    "An event that fills no day is named",
    arguments: ["DTSTART:20261225T140000\nDTEND:20261225T150000", "DTSTART:20261225T140000\nDURATION:PT1H"])
  func appointment(event: String) throws {
    let days = try Self.read("SUMMARY:dentist\n" + event, "SUMMARY:trip\nDTSTART;VALUE=DATE:20261224")
    #expect(Self.text(days) == "2026-12-24")
    #expect(days.problems.map(\.summary) == ["dentist"])
    #expect(days.problems.map(\.message) == ["it takes up no whole day"])
  }

  @Test("An event that recurs without an end is read for 30 years")
  func yearly() throws {
    let days = try Self.read("DTSTART;VALUE=DATE:19700815\nRRULE:FREQ=YEARLY", from: "2026-08-15")
    #expect(days.ranges.count == 30)
    #expect(days.ranges.first?.description == "2026-08-15")
    #expect(days.ranges.last?.description == "2055-08-15")
  }

  @Test("An occurrence can be moved, made longer, and cancelled")
  func changes() throws {
    let days = try Self.read(
      "DTSTART;VALUE=DATE:20260501\nRRULE:FREQ=YEARLY;COUNT=4",
      "RECURRENCE-ID;VALUE=DATE:20270501\nDTSTART;VALUE=DATE:20270503\nDTEND;VALUE=DATE:20270505",
      "RECURRENCE-ID;VALUE=DATE:20280501\nDTSTART;VALUE=DATE:20280501\nSTATUS:CANCELLED")
    #expect(Self.text(days) == "2026-05-01 2027-05-03..2027-05-04 2029-05-01")
    #expect(days.problems.isEmpty)
  }

  @Test("A file that is no calendar is named")
  func noCalendar() throws {
    let days = CalendarDays.read(
      Array("holidays".utf8), from: CivilDate(dayNumber: 20_000), in: try CalendarFixture.context())
    #expect(days.ranges.isEmpty)
    #expect(days.problems.count == 1)
  }
}
