import EggTime
import Testing

@testable import ICalendar

@Suite struct RecurrenceRuleTests {
  // 2026-03-23 is a Monday.
  @Test(
    "A rule becomes the calendar event with the same moments",
    arguments: [
      ("FREQ=DAILY", "*-*-* 07:30:00"), ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "Mon..Fri *-*-* 07:30:00"),
      ("FREQ=DAILY;INTERVAL=7", "Mon *-*-* 07:30:00"), ("FREQ=DAILY;BYHOUR=8,20", "*-*-* 08,20:30:00"),
      ("FREQ=WEEKLY", "Mon *-*-* 07:30:00"), ("FREQ=WEEKLY;WKST=SU;BYDAY=SA,SU", "Sat,Sun *-*-* 07:30:00"),
      ("FREQ=MONTHLY", "*-*-23 07:30:00"), ("FREQ=MONTHLY;BYMONTHDAY=-1", "*-*~01 07:30:00"),
      ("FREQ=MONTHLY;BYMONTHDAY=1,15", "*-*-01,15 07:30:00"),
      ("FREQ=MONTHLY;BYDAY=2TU", "Tue *-*-08..14 07:30:00"),
      ("FREQ=MONTHLY;BYDAY=-1FR", "Fri *-*~01..07 07:30:00"),
      ("FREQ=MONTHLY;BYDAY=1MO,3MO", "Mon *-*-01..07,15..21 07:30:00"),
      ("FREQ=MONTHLY;BYDAY=5SU", "Sun *-*-29..31 07:30:00"),
      ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "Fri *-*-13 07:30:00"),
      ("FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2", "Tue *-*-08..14 07:30:00"),
      ("FREQ=MONTHLY;INTERVAL=3", "*-03/3-23 07:30:00"), ("FREQ=MONTHLY;INTERVAL=12", "*-03-23 07:30:00"),
      ("FREQ=YEARLY", "*-03-23 07:30:00"), ("FREQ=YEARLY;INTERVAL=2", "2026/2-03-23 07:30:00"),
      ("FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO", "Mon *-05~01..07 07:30:00"),
      ("FREQ=YEARLY;BYMONTH=2,8", "*-02,08-23 07:30:00"),
      ("FREQ=YEARLY;BYDAY=1MO", "Mon *-01-01..07 07:30:00"),
      ("FREQ=YEARLY;BYDAY=-1FR", "Fri *-12~01..07 07:30:00"), ("FREQ=YEARLY;BYMONTHDAY=1", "*-*-01 07:30:00"),
      ("FREQ=HOURLY", "*-*-* *:30:00"), ("FREQ=HOURLY;INTERVAL=4", "*-*-* 03/4:30:00"),
      ("FREQ=HOURLY;INTERVAL=24", "*-*-* 07:30:00"),
      ("FREQ=HOURLY;BYHOUR=9,10,11,12;BYDAY=MO", "Mon *-*-* 09..12:30:00"),
      ("FREQ=MINUTELY;INTERVAL=15", "*-*-* *:00/15:00"), ("FREQ=MINUTELY;INTERVAL=120", "*-*-* 01/2:30:00"),
      ("FREQ=MINUTELY;INTERVAL=60", "*-*-* *:30:00"), ("FREQ=SECONDLY;INTERVAL=20", "*-*-* *:*:00/20"),
      ("FREQ=DAILY;BYMONTH=6,7,8", "*-06..08-* 07:30:00"),
    ])
  func events(rule: String, event: String) throws {
    let entry = try CalendarFixture.entry("DTSTART:20260323T073000\nRRULE:\(rule)")
    #expect(entry.expression == event)
  }

  @Test(
    "A rule that no event and no interval expresses is kept as it is",
    arguments: [
      "FREQ=DAILY;INTERVAL=2;BYMONTH=6", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU",
      "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=1,2", "FREQ=MINUTELY;INTERVAL=45;BYHOUR=9",
      "FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH", "FREQ=YEARLY;BYWEEKNO=20", "FREQ=YEARLY;BYYEARDAY=100",
      "FREQ=MONTHLY;BYDAY=1MO,2TU", "FREQ=MONTHLY;BYMONTHDAY=-1,1",
      "FREQ=MONTHLY;COUNT=9;BYMONTHDAY=-1,1",
    ])
  func kept(rule: String) throws {
    let entry = try CalendarFixture.entry("DTSTART;TZID=Asia/Seoul:20261123T073000\nRRULE:\(rule)")
    #expect(entry.expression == "DTSTART;TZID=Asia/Seoul:20261123T073000 RRULE:\(rule)")
    let set = try #require(RecurrenceSet(entry.expression))
    #expect(entry.timing == .every(.rule(set.named(nil)), zone: "Asia/Seoul"))
    #expect(entry.due == set.next(after: CalendarFixture.now, in: try Zone.named("Asia/Seoul")))
    let context = try CalendarFixture.context()
    #expect(try TimeExpression.read(entry.expression, in: context).reading == .recurring(.rule(set)))
  }

  @Test(
    "A rule that RFC 5545 does not allow is refused with the reason",
    arguments: [
      ("RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101", "5: its RRULE has both COUNT and UNTIL"),
      ("RRULE:FREQ=SOMETIMES", "5: its RRULE is not understood at 'FREQ=SOMETIMES'"),
      ("RRULE:COUNT=3", "5: its RRULE has no FREQ"),
      ("RRULE:FREQ=DAILY;BYMOON=1", "5: its RRULE has the unknown part 'BYMOON'"),
      ("RRULE:FREQ=DAILY;UNTIL=soon", "5: its RRULE is not understood at 'UNTIL=SOON'"),
      ("RRULE:FREQ=DAILY;BYYEARDAY=1", "5: FREQ=DAILY does not allow BYYEARDAY"),
      ("RRULE:FREQ=MONTHLY;BYWEEKNO=1", "5: FREQ=MONTHLY does not allow BYWEEKNO"),
      ("RRULE:FREQ=WEEKLY;BYMONTHDAY=1", "5: FREQ=WEEKLY does not allow BYMONTHDAY"),
      ("RRULE:FREQ=WEEKLY;BYDAY=1MO", "5: FREQ=WEEKLY does not allow numbers in BYDAY"),
      ("RRULE:FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", "5: BYWEEKNO does not allow numbers in BYDAY"),
      ("RRULE:FREQ=MONTHLY;BYMONTHDAY=30,-1;BYMONTH=2;BYDAY=1WE", "5: its rule never occurs"),
      (
        "RRULE:FREQ=MINUTELY;INTERVAL=7;BYHOUR=9;COUNT=10001", "5: COUNT is above 10000: use UNTIL instead"
      ),
      ("RRULE:FREQ=DAILY\nRRULE:FREQ=MONTHLY", "6: it has more than one RRULE"),
      (
        "RRULE:FREQ=DAILY\nEXRULE:FREQ=MONTHLY",
        "6: EXRULE is no longer part of iCalendar; leave dates out with EXDATE"
      ),
      ("RRULE:FREQ=DAILY\nEXDATE:20261301", "6: EXDATE is not a date and time: '20261301'"),
    ])
  func refusals(lines: String, message: String) throws {
    #expect(try CalendarFixture.problem("DTSTART:20261123T073000\n\(lines)") == message)
  }

  @Test(
    "A rule that no calendar event expresses becomes an interval from its start",
    arguments: [
      ("FREQ=DAILY;INTERVAL=2", "2d 07:30:00 from 2026-03-23"),
      ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "2w Mon,Thu 07:30:00 from 2026-03-23"),
      ("FREQ=WEEKLY;INTERVAL=3", "3w Mon 07:30:00 from 2026-03-23"),
      // The Saturday after this Monday is in the same week, whether weeks begin on Sunday or Monday.
      ("FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SA", "2w Mon,Sat 07:30:00 from 2026-03-23"),
      ("FREQ=MONTHLY;INTERVAL=5", "5month 23 07:30:00 from 2026-03-23"),
      ("FREQ=MONTHLY;INTERVAL=5;BYDAY=-1FR", "5month -1Fri 07:30:00 from 2026-03-23"),
      ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "1month -1workday 07:30:00 from 2026-03-23"),
      ("FREQ=MONTHLY;BYMONTHDAY=-31", "1month -31 07:30:00 from 2026-03-23"),
      ("FREQ=MINUTELY;INTERVAL=45", "45min from 2026-03-23 06:30:00 UTC"),
      ("FREQ=HOURLY;INTERVAL=5", "5h from 2026-03-23 06:30:00 UTC"),
      ("FREQ=SECONDLY;INTERVAL=90", "1min 30s from 2026-03-23 06:30:00 UTC"),
    ])
  func intervals(rule: String, form: String) throws {
    let entry = try CalendarFixture.entry("DTSTART:20260323T073000\nRRULE:\(rule)")
    let interval = try #require(RecurringInterval(form))
    #expect(entry.timing == .every(.interval(interval), zone: nil))
    #expect(entry.expression == "every \(form)")
    let context = try CalendarFixture.context()
    #expect(try TimeExpression.read(entry.expression, in: context).reading == .recurring(.interval(interval)))
    #expect(entry.from == nil)
    guard !interval.isElapsed else { return }
    // With a zone, the expression names it.
    let named = try CalendarFixture.entry("DTSTART;TZID=Asia/Seoul:20260323T073000\nRRULE:\(rule)")
    #expect(named.expression == "every \(form) Asia/Seoul")
    let reading = try TimeExpression.read(named.expression, in: context).reading
    #expect(reading == RecurringInterval("\(form) Asia/Seoul").map { .recurring(.interval($0)) })
  }

  @Test("COUNT is what is left; UNTIL belongs to the moment, not to its leads")
  func ends() throws {
    let start = "DTSTART;TZID=Europe/Paris:20261116T073000\n"
    #expect(try CalendarFixture.entry(start + "RRULE:FREQ=DAILY;COUNT=7").count == 2)
    #expect(try CalendarFixture.entry(start + "RRULE:FREQ=DAILY;COUNT=5").due == nil)
    #expect(
      try CalendarFixture.problem("DTSTART:19800101T000000\nRRULE:FREQ=HOURLY;COUNT=9999999")
        == "5: it has occurred more than 10000 times: use UNTIL instead of COUNT")
    let until = try CalendarFixture.entry(
      start + "RRULE:FREQ=DAILY;UNTIL=20261201T063000Z\n" + ICalendarReaderTests.alarm("TRIGGER:-PT10M")
    ).until
    #expect(until == Instant(microseconds: 1_796_106_600_000_000))
    #expect(
      try CalendarFixture.entry("DTSTART;VALUE=DATE:20261116\nRRULE:FREQ=DAILY;UNTIL=20261201").until
        == Instant(microseconds: 1_796_112_000_000_000))
    #expect(
      try CalendarFixture.entry("DTSTART:20261224T180000Z\nRRULE:FREQ=DAILY;INTERVAL=3;COUNT=1").expression
        == "2026-12-24T18:00:00Z")
  }

  @Test("A rule that begins later becomes an alarm that begins later")
  func later() throws {
    let daily = try CalendarFixture.entry("DTSTART:20280501T090000Z\nRRULE:FREQ=DAILY")
    let begin = try #require(CivilDateTime("2028-05-01 09:00:00"))
    #expect(daily.expression == "*-*-* 09:00:00 UTC")
    #expect(daily.from == Zone.utc.resolve(begin).instant)
    #expect(daily.due == daily.from)
    // The first moment is the start.
    let weekly = try CalendarFixture.entry("DTSTART:20261122T090000\nRRULE:FREQ=WEEKLY")
    #expect(weekly.expression == "Sun *-*-* 09:00:00")
    #expect(weekly.from == nil)
  }
}
