import Alarms
import EggTime
import Testing

@testable import ICalendar

/// Alarms of an eggd in Paris on 2026-11-20 at 21:34:30 UTC.
enum WrittenCalendar {
  enum Timing {
    /// nil for an alarm without a moment.
    case once(Instant?)
    case civil(CivilDateTime)
    case every(RecurringTime)
  }

  static func alarm(
    _ timing: Timing, zone: String? = "Europe/Paris", floats: Bool = false,
    label: String? = "two soft ones", _ change: (inout CalendarAlarm) -> Void = { _ in }
  ) -> CalendarAlarm {
    let name = floats ? nil : zone
    let read: CalendarEntry.Timing =
      switch timing {
      case .once(let moment): .instant(moment ?? CalendarFixture.now)
      case .civil(let civil): .civil(civil, zone: name)
      case .every(let time): .every(time, zone: name)
      }
    let content = CalendarContent(CalendarContent.Time(read))
    var alarm = CalendarAlarm(content, uid: "9f0b3c1e-7d54-4e0b-8c4b-0a2b5e5e8f10")
    if case .once(nil) = timing { alarm.isUntimed = true }
    (alarm.zone, alarm.content.label) = (zone, label)
    alarm.createdAt = Instant(microseconds: 1_795_000_000_000_000)
    change(&alarm)
    return alarm
  }

  /// An alarm in Paris with that calendar event or interval.
  static func every(
    _ text: String, floats: Bool = false, _ change: (inout CalendarAlarm) -> Void = { _ in }
  ) throws -> CalendarAlarm {
    let interval = RecurringInterval(text).map { RecurringTime.interval($0) }
    let time = try #require(interval ?? CalendarEvent(text).map { .event($0) })
    return alarm(.every(time), floats: floats, change)
  }

  static func entry(_ alarm: CalendarAlarm) throws -> ICalendarWriter.Entry {
    var writer = ICalendarWriter(context: try CalendarFixture.context())
    return writer.entry(alarm)
  }

  /// The entry's lines that begin with one of these names.
  static func lines(_ alarm: CalendarAlarm, _ names: String...) throws -> [String] {
    let lines = try entry(alarm).text.split(separator: "\r\n").map(String.init)
    let own = lines.firstIndex { ["BEGIN:VEVENT", "BEGIN:VTODO"].contains($0) } ?? 0
    return lines[own...].filter { line in names.contains { line.hasPrefix($0) } }
  }
}

@Suite struct ICalendarWriterTests {
  @Test(
    "An interval becomes a rule from its next moment on, and a property with its beginning",
    arguments: [
      ("20min from 2026-11-20 20:30:00 UTC", "DTSTART:20261120T215000Z", "FREQ=MINUTELY;INTERVAL=20"),
      ("1h from 2026-11-20 20:30:00 UTC", "DTSTART:20261120T223000Z", "FREQ=HOURLY"),
      ("1min 30s from 2026-11-20 20:30:00 UTC", "DTSTART:20261120T213600Z", "FREQ=SECONDLY;INTERVAL=90"),
      (
        "3d 08:00:00 from 2026-11-16", "DTSTART;TZID=Europe/Paris:20261122T080000", "FREQ=DAILY;INTERVAL=3"
      ),
      (
        "2w Mon,Thu 07:30:00 from 2026-11-10", "DTSTART;TZID=Europe/Paris:20261123T073000",
        "FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=MO,TH"
      ),
      (
        "2month 31 07:30:00 from 2026-11-10", "DTSTART;TZID=Europe/Paris:20270131T073000",
        "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31"
      ),
      (
        "1month -1Fri 07:30:00 from 2026-11-10", "DTSTART;TZID=Europe/Paris:20261127T073000",
        "FREQ=MONTHLY;BYDAY=-1FR"
      ),
      (
        "1month -1workday 07:30:00 from 2026-11-10", "DTSTART;TZID=Europe/Paris:20261130T073000",
        "FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR"
      ),
      (
        "24month 15 07:30:00 from 2025-01-15", "DTSTART;TZID=Europe/Paris:20270115T073000",
        "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYMONTHDAY=15"
      ),
    ])
  func intervals(text: String, start: String, rule: String) throws {
    let alarm = try WrittenCalendar.every(text)
    #expect(
      try WrittenCalendar.lines(alarm, "DTSTART", "RRULE", "RDATE", "X-EGGD-INTERVAL") == [
        start, "X-EGGD-INTERVAL:" + text.split(separator: ",").joined(separator: "\\,"), "RRULE:" + rule,
      ])
    #expect(try WrittenCalendar.entry(alarm).message == nil)
  }

  @Test("An interval that no rule expresses is written as its next moments")
  func uneven() throws {
    let alarm = try WrittenCalendar.every("20min 500ms from 2026-11-20 21:30:00 UTC") {
      $0.content.time.count = 2
    }
    #expect(
      try WrittenCalendar.lines(alarm, "DTSTART", "RRULE", "RDATE", "X-EGGD-INTERVAL") == [
        "DTSTART:20261120T215000Z", "RDATE:20261120T221001Z",
        "X-EGGD-INTERVAL;X-COUNT=2:20min 500ms from 2026-11-20 21:30:00 UTC",
      ])
  }

  @Test("An alarm that begins later starts later, with its beginning in a property")
  func from() throws {
    let alarm = try WrittenCalendar.every("Mon..Fri 07:30") {
      $0.content.time.from = Instant(microseconds: 1_799_017_200_000_000)
    }
    #expect(
      try WrittenCalendar.lines(alarm, "DTSTART", "RRULE", "X-EGGD-FROM") == [
        "DTSTART;TZID=Europe/Paris:20270104T073000", "X-EGGD-FROM:20270103T230000Z",
        "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
      ])
  }

  @Test("What was skipped with its leads does not ring where it is read") func skipped() throws {
    let alarm = try WrittenCalendar.every("Mon..Fri 07:30") {
      $0.content.time.from = Instant(microseconds: 1_799_017_200_000_001)
      $0.content.time.rules.leads = [Lead("15min")].compactMap(\.self)
    }
    #expect(try WrittenCalendar.lines(alarm, "X-EGGD-FROM") == ["X-EGGD-FROM:20270103T230001Z"])
  }

  @Test("An occurrence whose leads are over is shown until it begins, and not counted") func leadsAreOver()
    throws
  {
    let alarm = try WrittenCalendar.every("Fri 23:00") {
      $0.content.time.count = 3
      $0.content.time.rules.leads = [Lead("1h")].compactMap(\.self)
    }
    #expect(
      try WrittenCalendar.lines(alarm, "DTSTART", "RRULE") == [
        "DTSTART;TZID=Europe/Paris:20261120T230000", "RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=4",
      ])
    let context = try CalendarFixture.context()
    let text = try #require(CalendarItem.text(of: alarm, in: context))
    let entry = try #require(try CalendarItem(Array(text.utf8), in: context).entry)
    #expect(entry.count == 3 && entry.from == nil)
  }

  @Test("A file is the header, the entries and the end")
  func file() throws {
    var writer = ICalendarWriter(context: try CalendarFixture.context())
    let alarm = WrittenCalendar.alarm(.once(Instant(microseconds: 1_798_131_600_500_000))) {
      ($0.content.eggs, $0.content.category, $0.content.group, $0.content.body) = (
        2, .soft, "Sunday, brunch", "one\ntwo"
      )
    }
    let entry = writer.entry(alarm)
    #expect(entry.message == nil)
    #expect(
      (writer.header() + entry.text + writer.end()).split(separator: "\r\n").joined(separator: "\n") == """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//eggd//eggctl//EN
        CALSCALE:GREGORIAN
        BEGIN:VEVENT
        UID:9f0b3c1e-7d54-4e0b-8c4b-0a2b5e5e8f10
        DTSTAMP:20261120T213430Z
        CREATED:20261118T110640Z
        DTSTART:20261224T170000Z
        SUMMARY:two soft ones
        DESCRIPTION:one\\ntwo
        CATEGORIES:soft,Sunday\\, brunch
        X-EGGD-EGGS:2
        X-EGGD-GROUP:Sunday\\, brunch
        TRANSP:TRANSPARENT
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:PT0S
        DESCRIPTION:two soft ones
        END:VALARM
        END:VEVENT
        END:VCALENDAR
        """)
  }

  @Test("A zone is written once, before the first entry that uses it, with its yearly changes as rules")
  func zone() throws {
    var writer = ICalendarWriter(context: try CalendarFixture.context())
    let alarm = WrittenCalendar.alarm(.civil(CivilDateTime(year: 2026, month: 12, day: 24, hour: 18)))
    let text = writer.entry(alarm).text
    #expect(
      text.split(separator: "\r\n").prefix(25).joined(separator: "\n") == """
        BEGIN:VTIMEZONE
        TZID:Europe/Paris
        X-LIC-LOCATION:Europe/Paris
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0100
        TZNAME:CET
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:20160327T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        TZNAME:CEST
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
        END:DAYLIGHT
        BEGIN:STANDARD
        DTSTART:20161030T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        TZNAME:CET
        RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
        END:STANDARD
        END:VTIMEZONE
        BEGIN:VEVENT
        """)
    #expect(text.contains("DTSTART;TZID=Europe/Paris:20261224T180000\r\n"))
    #expect(!writer.entry(alarm).text.contains("VTIMEZONE"))
  }

  @Test(
    "A calendar event becomes a rule that other calendars show",
    arguments: [
      ("daily", "FREQ=DAILY"), ("Mon..Fri 07:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
      ("*-*-1 8:00", "FREQ=MONTHLY;BYMONTHDAY=1"), ("*-*~1 8:00", "FREQ=MONTHLY;BYMONTHDAY=-1"),
      ("Tue *-*-8..14 8:00", "FREQ=MONTHLY;BYDAY=2TU"),
      ("Mon *-05~07/1 8:00", "FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO"),
      ("Mon,Tue *-*-1..7,15..21 8:00", "FREQ=MONTHLY;BYDAY=1MO,1TU,3MO,3TU"),
      ("Fri *-*-13 8:00", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR"),
      ("*-12-25 8:00", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25"),
      ("8,20:30", "FREQ=DAILY;BYHOUR=8,20"), ("*:0/20", "FREQ=HOURLY;BYMINUTE=0,20,40"),
      ("Sat *:15", "FREQ=HOURLY;BYDAY=SA"), ("9:*", "FREQ=MINUTELY;BYHOUR=9"),
      ("*:*:0/30", "FREQ=MINUTELY;BYSECOND=0,30"),
      ("2026/2-11-23 8:00", "FREQ=YEARLY;INTERVAL=2;BYMONTH=11;BYMONTHDAY=23"),
      ("2026..2027-*-* 8:00", "FREQ=DAILY;UNTIL=20271231T225959Z"),
      ("*-6..8-* 8:00", "FREQ=DAILY;BYMONTH=6,7,8"),
    ])
  func rules(event: String, rule: String) throws {
    #expect(try WrittenCalendar.lines(try WrittenCalendar.every(event), "RRULE") == ["RRULE:\(rule)"])
  }

  @Test("A recurring alarm starts with its next moment; of count and end the earlier one is written")
  func ends() throws {
    let until = Instant(microseconds: 1_796_106_000_000_000)
    #expect(
      try WrittenCalendar.lines(
        try WrittenCalendar.every("7:30") { ($0.content.time.until, $0.content.time.count) = (until, 3) },
        "DTSTART", "RRULE")
        == ["DTSTART;TZID=Europe/Paris:20261121T073000", "RRULE:FREQ=DAILY;COUNT=3"])
    #expect(
      try WrittenCalendar.lines(
        try WrittenCalendar.every("7:30", floats: true) {
          ($0.content.time.until, $0.content.time.count) = (until, 30)
        }, "DTSTART",
        "RRULE")
        == ["DTSTART:20261121T073000", "RRULE:FREQ=DAILY;UNTIL=20261201T072000"])
  }

  @Test("A calendar event that no rule expresses is written as its next moments, and says so")
  func dates() throws {
    let alarm = try WrittenCalendar.every("2027,2029-*-1 8:00") { $0.content.time.count = 3 }
    #expect(
      try WrittenCalendar.lines(alarm, "DTSTART", "RDATE", "X-EGGD-EVENT") == [
        "DTSTART;TZID=Europe/Paris:20270101T080000",
        "RDATE;TZID=Europe/Paris:20270201T080000,20270301T080000",
        "X-EGGD-EVENT;X-COUNT=3:2027\\,2029-*-01 08:00:00",
      ])
    #expect(
      try WrittenCalendar.entry(alarm).message
        == "iCalendar has no rule for '2027,2029-*-01 08:00:00'; its next 3 moments are written")
  }

  @Test(
    "A done one-shot becomes a completed to-do whose alarm does nothing; a recurring alarm stays an event")
  func done() throws {
    let doneAt = Instant(microseconds: 1_795_161_600_000_000)
    let once = WrittenCalendar.alarm(
      .civil(CivilDateTime(year: 2026, month: 12, day: 24, hour: 18)), zone: "UTC", floats: true
    ) { ($0.content.isDone, $0.doneAt) = (true, doneAt) }
    #expect(
      try WrittenCalendar.lines(once, "BEGIN", "DTSTART", "DUE", "STATUS", "COMPLETED", "ACTION") == [
        "BEGIN:VTODO", "DUE:20261224T180000", "STATUS:COMPLETED", "COMPLETED:20261120T080000Z",
        "BEGIN:VALARM", "ACTION;X-EGGD-ACTION=DISPLAY:NONE",
      ])
    let every = try WrittenCalendar.every("7:30") { ($0.content.isDone, $0.doneAt) = (true, doneAt) }
    #expect(
      try WrittenCalendar.lines(every, "BEGIN", "X-EGGD-DONE")
        == ["BEGIN:VEVENT", "X-EGGD-DONE:20261120T080000Z", "BEGIN:VALARM"])
  }

  @Test("An alarm without a moment is not written")
  func noMoment() throws {
    let paused = WrittenCalendar.alarm(.once(nil)) { $0.state = .paused }
    #expect(
      try WrittenCalendar.entry(paused)
        == .init(text: "", message: "it is paused and has no moment to show"))
  }

  @Test(
    "A rule is written with its first time as DTSTART, where that means the same",
    arguments: [
      ("DTSTART:20260105T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU", "20260127T073000"),
      ("DTSTART:20260101T073000 RRULE:FREQ=YEARLY;COUNT=9;BYYEARDAY=-1,100", "20260410T073000"),
      ("DTSTART:20260127T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU", "20260127T073000"),
    ])
  func begun(text: String, start: String) throws {
    let set = try #require(RecurrenceSet(text))
    let alarm = WrittenCalendar.alarm(.every(.rule(set)))
    #expect(try WrittenCalendar.lines(alarm, "DTSTART") == ["DTSTART;TZID=Europe/Paris:\(start)"])
  }

  @Test("An interval that began within a second reads back without a note")
  func fractions() throws {
    let begin = CalendarFixture.now + TimeSpan(microseconds: 250_000)
    let interval: RecurringInterval? = RecurringInterval(every: .seconds(35 * 3_600), from: begin)
    let alarm = WrittenCalendar.alarm(.every(.interval(try #require(interval))))
    let text = try #require(CalendarItem.text(of: alarm, in: CalendarFixture.context()))
    let item = try CalendarItem(Array(text.utf8), in: CalendarFixture.context())
    #expect(item.entry?.notes == [])
  }
}
