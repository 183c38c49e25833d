import Alarms
import EggTime
import Testing

@testable import ICalendar

@Suite struct ICalendarReaderTests {
  @Test("An event becomes an alarm with all its properties")
  func properties() throws {
    let entry = try CalendarFixture.entry(
      """
      UID:9F0B3C1E-7D54-4E0B-8C4B-0A2B5E5E8F10
      DTSTART;TZID="Europe/Paris":20261224T180000
      SUMMARY;LANGUAGE=en:Six eggs\\, two
        of them soft
      DESCRIPTION:one\\ntwo\\;three\\\\four
      CATEGORIES:Sunday\\, brunch,SOFT
      X-EGGD-EGGS:6
      """)
    let moment = CivilDateTime(year: 2026, month: 12, day: 24, hour: 18)
    var content = CalendarContent(CalendarContent.Time(.civil(moment, zone: "Europe/Paris")))
    (content.label, content.body) = ("Six eggs, two of them soft", "one\ntwo;three\\four")
    (content.category, content.eggs, content.group) = (.soft, 6, "Sunday, brunch")
    #expect(
      entry
        == CalendarEntry(
          line: 3, uid: "9F0B3C1E-7D54-4E0B-8C4B-0A2B5E5E8F10", content: content,
          moment: Instant(microseconds: 1_798_131_600_000_000),
          last: Instant(microseconds: 1_798_131_600_000_000),
          due: Instant(microseconds: 1_798_131_600_000_000), keepsOwn: true))
  }

  @Test(
    "DTSTART is the moment, and the TRIGGER of its alarm a lead",
    arguments: [
      ("DTSTART:20261224T180000Z", "2026-12-24T18:00:00Z"),
      ("DTSTART:20261224t180000z", "2026-12-24T18:00:00Z"),
      ("DTSTART;TZID=Asia/Seoul:20261224t180000z", "2026-12-24T18:00:00Z"),
      ("DTSTART:20261224T180000", "2026-12-24 18:00:00"),
      ("DTSTART;TZID=Asia/Seoul:20261224T180000", "2026-12-24 18:00:00 Asia/Seoul"),
      ("DTSTART;TZID=UTC:20261224T180000", "2026-12-24T18:00:00Z"),
      (
        "DTSTART;TZID=/citadel.org/20210210_1/America/Argentina/Salta:20261224T180000",
        "2026-12-24 18:00:00 America/Argentina/Salta"
      ),
      ("DTSTART;TZID=/Europe/Paris:20261224T180000", "2026-12-24 18:00:00 Europe/Paris"),
      ("DTSTART;TZID=W. Europe Standard Time:20261224T180000", "2026-12-24 18:00:00 Europe/Berlin"),
      ("DTSTART;VALUE=DATE:20261224", "2026-12-24 09:00:00"),
      (
        "DTSTART;VALUE=DATE:20261224\n\(alarm("TRIGGER:-PT15H"))", "2026-12-24 00:00:00 15h: 20261223T080000Z"
      ),
      (
        "DTSTART;VALUE=DATE:20261224\n\(alarm("TRIGGER;RELATED=END:-PT1H"))",
        "2026-12-24 00:00:00 -23h: 20261224T220000Z"
      ),
      (
        "DTSTART:20261224T180000Z\n\(alarm("TRIGGER:-PT10M"))", "2026-12-24T18:00:00Z 10min: 20261224T175000Z"
      ),
      (
        "DTSTART:20261224T180000\n\(alarm("TRIGGER:-P1DT2H"))",
        "2026-12-24 18:00:00 1d 2h: 20261223T150000Z"
      ),
      (
        "DTSTART:20261224T180000\nDTEND:20261224T200000\n\(alarm("TRIGGER;RELATED=END:-PT5M"))",
        "2026-12-24 18:00:00 -1h 55min: 20261224T185500Z"
      ),
      (
        "DTSTART:20261224T180000\nDURATION:P1W\n\(alarm("TRIGGER;RELATED=END:PT0S"))",
        "2026-12-24 18:00:00 -7d: 20261231T170000Z"
      ),
      (
        "DTSTART:20261224T180000\n\(alarm("TRIGGER;VALUE=DATE-TIME:20261223T070000Z"))",
        "2026-12-24 18:00:00 34h: 20261223T070000Z"
      ),
      // 90 minutes earlier; the clock jumps an hour in between.
      (
        "DTSTART;TZID=Europe/Paris:20270328T033000\n\(alarm("TRIGGER:-PT90M"))",
        "2027-03-28 03:30:00 Europe/Paris 1h 30min: 20270328T000000Z"
      ),
      // A day earlier means the same time of day.
      (
        "DTSTART;TZID=Europe/Paris:20270328T120000\n\(alarm("TRIGGER:-P1D"))",
        "2027-03-28 12:00:00 Europe/Paris 1d: 20270327T110000Z"
      ),
      // 02:30 occurs twice that night; this is the second.
      (
        "DTSTART;TZID=Europe/Paris:20271031T033000\n\(alarm("TRIGGER:-PT1H"))",
        "2027-10-31 03:30:00 Europe/Paris 1h: 20271031T013000Z"
      ),
    ])
  func moments(lines: String, expression: String) throws {
    let entry = try CalendarFixture.entry(lines)
    let leads = entry.rules.leads.map(\.description).joined(separator: ", ")
    let ring = try ContentWriter.utc(#require(entry.due))
    #expect(entry.expression + (leads.isEmpty ? "" : " \(leads): \(ring)") == expression)
  }

  @Test("Only DISPLAY and AUDIO alarms are leads; without one it rings at the start")
  func ringing() throws {
    let mail = "BEGIN:VALARM\nACTION:EMAIL\nTRIGGER:-P1D\nEND:VALARM\n"
    let start = "DTSTART:20261224T180000Z\n"
    #expect(try CalendarFixture.entry(start + mail).rules.leads.isEmpty)
    let alarms = mail + Self.alarm("TRIGGER:-PT5M") + "\n" + Self.alarm("TRIGGER:-PT30M")
    #expect(try CalendarFixture.entry(start + alarms).rules.leads.map(\.description) == ["5min", "30min"])
  }

  @Test("A whole-day entry without an alarm rings at 09:00 and says so")
  func day() throws {
    #expect(
      try CalendarFixture.entry("DTSTART;VALUE=DATE:20261224").notes
        == ["it has no time of day; it rings at 09:00"])
  }

  @Test(
    "A whole day whose alarms are all left out rings at 09:00; one with a lead does not",
    arguments: [
      (["TRIGGER:-P30D"], "09:00:00"), (["TRIGGER;VALUE=DATE-TIME:20260101T080000Z"], "09:00:00"),
      (["TRIGGER;VALUE=DATE-TIME:19760401T005545Z\nX-APPLE-PROXIMITY:ARRIVE"], "09:00:00"),
      (["TRIGGER:-PT15M\nPROXIMITY:DEPART"], "09:00:00"), (["TRIGGER:-P30D", "TRIGGER:-PT15H"], "00:00:00"),
      (["TRIGGER:PT0S"], "00:00:00"),
    ])
  func dayWithAlarms(triggers: [String], time: String) throws {
    let alarms = triggers.map { Self.alarm($0) }.joined(separator: "\n")
    let entry = try CalendarFixture.entry("DTSTART;VALUE=DATE:20261224\n" + alarms)
    #expect(entry.expression == "2026-12-24 \(time)")
    #expect(entry.notes.contains("it has no time of day; it rings at 09:00") == (time == "09:00:00"))
    let series = try CalendarFixture.entry("DTSTART;VALUE=DATE:20261224\nRRULE:FREQ=DAILY\n" + alarms)
    #expect(series.expression.contains(time), "\(series.expression)")
  }

  @Test("A to-do without a date that has an alarm at a fixed moment rings then") func fixedMoment() throws {
    let fixed = Self.alarm("TRIGGER;VALUE=DATE-TIME:20261224T170000Z")
    let entry = try CalendarFixture.entry("SUMMARY:x\n" + fixed, of: "VTODO")
    #expect(try ContentWriter.utc(#require(entry.due)) == "20261224T170000Z" && entry.rules.leads.isEmpty)
    let missing = "3: it has neither DTSTART nor DUE, so nothing says when to ring"
    #expect(try CalendarFixture.problem("SUMMARY:x\n" + Self.alarm("TRIGGER:-PT5M"), of: "VTODO") == missing)
    #expect(try CalendarFixture.problem("RRULE:FREQ=DAILY\n" + fixed, of: "VTODO") == missing)
  }

  @Test(
    "A line of another name is skipped, whatever it is called",
    arguments: [
      "X-Foo_bar:1", "X-FOO.BAR;A=b:1", "a b: c", ":", "X-\u{FC}:1", "SUMMARY_2:x", "DTSTART_:20261225",
    ])
  func otherNames(line: String) throws {
    let entry = try CalendarFixture.entry("SUMMARY:x\n\(line)\nDTSTART:20261224T180000Z")
    #expect(entry.label == "x" && entry.expression == "2026-12-24T18:00:00Z")
  }

  @Test("A to-do without a start rings when it is due; a completed one is done")
  func toDos() throws {
    let entry = try CalendarFixture.entry("DUE:20261224T180000\nSTATUS:COMPLETED", of: "VTODO")
    #expect(entry.expression == "2026-12-24 18:00:00")
    #expect(entry.isDone && entry.doneAt == nil)
    let both = try CalendarFixture.entry(
      "DTSTART:20261224T180000\nDUE:20261225T180000\nCOMPLETED:20261120T080000Z\n"
        + Self.alarm("TRIGGER;RELATED=END:-PT1H"), of: "VTODO")
    #expect(both.expression == "2026-12-25 18:00:00")
    #expect(both.rules.leads.map(\.description) == ["1h"])
    #expect(both.isDone && both.doneAt == Instant(microseconds: 1_795_161_600_000_000))
  }

  @Test("A past entry has no due moment")
  func over() throws {
    let past = try CalendarFixture.entry("DTSTART;TZID=Asia/Seoul:20261121T063430")
    #expect(past.due == nil && past.moment == CalendarFixture.now)
    #expect(try CalendarFixture.entry("DTSTART:20261120T213431Z").due != nil)
    #expect(try CalendarFixture.entry("DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY;COUNT=9").due == nil)
    #expect(
      try CalendarFixture.entry("DTSTART:20250101T080000Z\nRRULE:FREQ=DAILY;UNTIL=20261120T213429Z").due
        == nil)
  }

  @Test("A long summary is cut to a label, and the body begins with all of it")
  func longSummary() throws {
    let summary = String(repeating: "한글 ", count: 12) + "end"
    let entry = try CalendarFixture.entry("DTSTART:20261224T180000\nSUMMARY:\(summary)\nDESCRIPTION:more")
    #expect(entry.label == String(repeating: "한글 ", count: 9) + "한글…")
    #expect(entry.label?.count == 30)
    #expect(entry.body == "\(summary)\n\nmore")
    #expect(entry.notes.count == 1)
  }

  @Test("A zone is found by the location in its VTIMEZONE")
  func location() throws {
    let results = try CalendarFixture.read(
      """
      BEGIN:VTIMEZONE
      TZID:Office
      X-LIC-LOCATION:Asia/Seoul
      BEGIN:STANDARD
      DTSTART:19700101T000000
      TZOFFSETFROM:+0900
      TZOFFSETTO:+0900
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      DTSTART;TZID=Office:20261224T180000
      END:VEVENT
      """)
    guard case .success(let entry) = results.first else { return #expect(Bool(false), "\(results)") }
    #expect(entry.expression == "2026-12-24 18:00:00 Asia/Seoul")
  }

  static func alarm(_ lead: String) -> String {
    "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\n\(lead)\nEND:VALARM"
  }
}
