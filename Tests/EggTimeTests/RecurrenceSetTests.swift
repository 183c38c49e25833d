import EggTestSupport
import EggTime
import Gettext
import Testing

@Suite struct RecurrenceSetTests {
  private static let now = Instant(microseconds: 1_795_210_470_000_000)

  private static func set(_ text: String) throws -> RecurrenceSet {
    try #require(RecurrenceSet(text), "\(text)")
  }

  /// The first elapses after a civil time, as civil times of the zone.
  private static func elapses(
    _ text: String, after base: String, in zone: Zone = .utc, count: Int = 4
  ) throws -> [String] {
    let set = try set(text)
    var elapses: [Instant] = []
    let begin = zone.resolve(try #require(CivilDateTime(base))).instant
    while elapses.count < count, let next = set.next(after: elapses.last ?? begin, in: zone) {
      elapses.append(next)
    }
    return elapses.map { zone.civil(at: $0).description }
  }

  @Test(
    "The canonical form of a set reads back",
    arguments: [
      "DTSTART:20260105T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR",
      "DTSTART;TZID=Europe/Paris:19600105T073000 RRULE:FREQ=YEARLY;INTERVAL=2;BYWEEKNO=-1,53;BYDAY=SU;WKST=SU",
      "DTSTART:20260105T073000 RRULE:FREQ=DAILY;UNTIL=20270101 EXDATE:20260106,20260107T073000",
      "DTSTART:20260105T073000 RRULE:FREQ=DAILY;UNTIL=20270101T120000Z TRIGGER:-P1DT2H",
      "DTSTART:20260105T073000 RDATE:20270105T073000,20280105T080000 TRIGGER:PT15M",
      "DTSTART;TZID=UTC:20260105T073000 RRULE:FREQ=YEARLY;COUNT=9;BYYEARDAY=-1,100",
    ])
  func form(text: String) throws { #expect(try Self.set(text).description == text) }

  @Test(
    "A text in another form is not a set",
    arguments: [
      "", "DTSTART:20260105T073000", "RRULE:FREQ=DAILY", "DTSTART:20260105 RRULE:FREQ=DAILY",
      "RRULE:FREQ=DAILY DTSTART:20260105T073000", "DTSTART:20260105T073000 RRULE:FREQ=DAILY;INTERVAL=1",
      "DTSTART:20260105T073000  RRULE:FREQ=DAILY",
      "DTSTART:20260105T073000 RRULE:FREQ=DAILY RRULE:FREQ=DAILY",
      "DTSTART;TZID=../x:20260105T073000 RRULE:FREQ=DAILY",
      "DTSTART:20260105T073000 RRULE:FREQ=DAILY;COUNT=1 EXDATE:20260105T073000",
      "DTSTART:20260105T073000 RRULE:FREQ=DAILY SUMMARY:x",
    ])
  func refused(text: String) { #expect(RecurrenceSet(text) == nil) }

  @Test("A rule that never occurs is found out at once")
  func never() throws {
    let start = try #require(CivilDateTime("2026-01-05 07:30:00"))
    let texts = [
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "FREQ=SECONDLY;INTERVAL=60;BYSECOND=5",
      "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1", "FREQ=HOURLY;INTERVAL=24;BYHOUR=8", "FREQ=SECONDLY;BYSETPOS=2",
      "FREQ=YEARLY;INTERVAL=1000000", "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1",
      "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=0;BYMINUTE=0;BYSECOND=0;BYMONTHDAY=31",
    ]
    for text in texts.dropFirst(5).prefix(1) {
      // Its start elapses, and nothing after it.
      let set = try RecurrenceSet(start: start, rule: RecurrenceRule(text))
      #expect(set.next(after: Zone.utc.resolve(start).instant, in: .utc) == nil)
    }
    for text in texts where !text.contains("1000000") {
      #expect(throws: RuleProblem.never, "\(text)") {
        try RecurrenceSet(start: start, rule: RecurrenceRule(text))
      }
    }
  }

  @Test("A time in a gap does not elapse and does not count; one in an overlap elapses the first time")
  func clockChanges() throws {
    let paris = try Zone.named("Europe/Paris")
    #expect(
      try Self.elapses(
        "DTSTART:20270327T023000 RRULE:FREQ=DAILY;COUNT=3", after: "2027-03-01 00:00:00", in: paris)
        == ["2027-03-27 02:30:00", "2027-03-29 02:30:00", "2027-03-30 02:30:00"])
    #expect(
      try Self.elapses(
        "DTSTART:20271031T023000 RRULE:FREQ=DAILY;COUNT=2", after: "2027-10-01 00:00:00", in: paris)
        == ["2027-10-31 02:30:00", "2027-11-01 02:30:00"])
    let set = try Self.set("DTSTART:20270320T023000 RRULE:FREQ=DAILY")
    let skipped = RecurringTime.rule(set)
      .firstSkipped(after: Self.now, before: Self.now + .seconds(200 * 86_400), in: paris)
    #expect(skipped?.time == CivilDateTime("2027-03-28 02:30:00"))
  }

  @Test("UNTIL in UTC ends on the zone's clock; a date means its whole day")
  func until() throws {
    let tokyo = try Zone.named("Asia/Tokyo")
    #expect(
      try Self.elapses(
        "DTSTART:20261201T080000 RRULE:FREQ=DAILY;UNTIL=20261202T230000Z", after: "2026-11-01 00:00:00",
        in: tokyo)
        == ["2026-12-01 08:00:00", "2026-12-02 08:00:00", "2026-12-03 08:00:00"])
    #expect(
      try Self.elapses(
        "DTSTART:20261201T080000 RRULE:FREQ=HOURLY;UNTIL=20261202;INTERVAL=12", after: "2026-12-01 09:00:00")
        == ["2026-12-01 20:00:00", "2026-12-02 08:00:00", "2026-12-02 20:00:00"])
  }

  @Test("Dates are added and left out, by the day too; a lead moves all of them")
  func dates() throws {
    #expect(
      try Self.elapses(
        """
        DTSTART:20261201T003000 RRULE:FREQ=DAILY RDATE:20261202T120000 EXDATE:20261202T003000,20261203 TRIGGER:-PT1H
        """, after: "2026-11-01 00:00:00")
        == ["2026-11-30 23:30:00", "2026-12-02 11:00:00", "2026-12-03 23:30:00", "2026-12-04 23:30:00"])
  }

  @Test("Weeks 53 and -53, of this year and its neighbours")
  func weeks() throws {
    // 2026 has 53 weeks; 3 January 2027 is the last day of the last.
    #expect(
      try Self.elapses(
        "DTSTART:20260101T080000 RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU", after: "2026-01-05 00:00:00",
        count: 2)
        == ["2027-01-03 08:00:00", "2033-01-02 08:00:00"])
    #expect(
      try Self.elapses(
        "DTSTART:20260101T080000 RRULE:FREQ=YEARLY;BYWEEKNO=-53;BYDAY=TH", after: "2025-01-05 00:00:00",
        count: 2)
        == ["2026-01-01 08:00:00", "2032-01-01 08:00:00"])
    // dateutil misses the last week of 2077.
    #expect(
      try Self.elapses(
        "DTSTART:20180101T080000 RRULE:FREQ=YEARLY;INTERVAL=12;BYWEEKNO=52;BYMONTH=1;BYDAY=SU",
        after: "2070-01-05 00:00:00", count: 1) == ["2078-01-02 08:00:00"])
    // Without BYDAY the weekday is that of the start, a Thursday.
    #expect(
      try Self.elapses(
        "DTSTART:20260101T080000 RRULE:FREQ=YEARLY;BYWEEKNO=20", after: "2026-01-05 00:00:00", count: 2)
        == ["2026-05-14 08:00:00", "2027-05-20 08:00:00"])
    // BYDAY with and without numbers.
    #expect(
      try Self.elapses(
        "DTSTART:20261101T080000 RRULE:FREQ=MONTHLY;BYDAY=SU,1MO", after: "2026-11-01 09:00:00", count: 3)
        == ["2026-11-02 08:00:00", "2026-11-08 08:00:00", "2026-11-15 08:00:00"])
  }

  @Test(
    "A set is said in words as far as there are any",
    arguments: [
      (
        "DTSTART:20261123T073000 RRULE:FREQ=DAILY EXDATE:20261124T073000",
        "every day 07:30, except on one date"
      ),
      (
        "DTSTART:20261123T073000 RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU",
        "every 2 weeks on Mon, Sun 07:30"
      ),
      ("DTSTART:20261123T073000 RRULE:FREQ=MONTHLY;COUNT=5;BYDAY=-1FR", "the last Fri of every month 07:30"),
      (
        "DTSTART:20261123T073000 RRULE:FREQ=MONTHLY;BYMONTHDAY=15 RDATE:20261124T073000 TRIGGER:-PT15M",
        "every month on the 15th 07:15, and on one more date"
      ),
      ("DTSTART:20261123T073000 RDATE:20261124T073000", "on 2 dates"),
      ("DTSTART:20261123T073000 RDATE:20261124T073000,20261125T073000 EXDATE:20261124T073000", "on 2 dates"),
      (
        "DTSTART:20261123T073000 RDATE:20261124T073000 EXDATE:20261123T073000", "once, on 2026-11-24 07:30:00"
      ),
      (
        "DTSTART;TZID=Asia/Tokyo:20261123T073000 RRULE:FREQ=YEARLY;BYYEARDAY=100",
        "by the rule FREQ=YEARLY;BYYEARDAY=100 Asia/Tokyo"
      ),
      (
        "DTSTART:20261202T000000 RRULE:FREQ=MONTHLY;BYMINUTE=0;BYHOUR=9,21;BYMONTHDAY=-1,15",
        "every month on the 15th, the last day 09:00, 21:00"
      ),
      (
        "DTSTART:20261202T000000 RRULE:FREQ=DAILY;BYMINUTE=0,30;BYHOUR=9,10,12,13,15,16;BYSETPOS=1,4,5,8,9,12",
        "every day 09:00, 10:30, …, 16:30"
      ),
      (
        "DTSTART;TZID=Asia/Tokyo:20261202T000000 RRULE:FREQ=DAILY;BYMINUTE=0,30;BYHOUR=9,10;BYSETPOS=1,4;BYDAY=MO,TU,WE",
        "every Mon–Wed 09:00, 10:30 Asia/Tokyo"
      ),
      // At the second of the start.
      (
        "DTSTART:20261202T000030 RRULE:FREQ=DAILY;BYMINUTE=0;BYHOUR=9,21",
        "by the rule FREQ=DAILY;BYMINUTE=0;BYHOUR=9,21"
      ),
    ])
  func words(text: String, words: String) throws {
    #expect(RecurringTime.rule(try Self.set(text)).words(in: Phrase.english) == words)
  }

  @Test("The zone follows the time, before what is added or left out")
  func zone() throws {
    let set = try Self.set("DTSTART:20261124T090000 RRULE:FREQ=WEEKLY EXDATE:20261201T090000")
    #expect(
      RecurringTime.rule(set).words(in: Phrase.english, zone: "Europe/Berlin")
        == "every Tue 09:00 Europe/Berlin, except on one date")
  }

  @Test("A typed rule begins now, at a full hour or minute where it names some")
  func typed() throws {
    let context = ReadingContext(now: Self.now, zone: .utc)
    func canonical(_ text: String) throws -> String { try TimeExpression.read(text, in: context).canonical }
    #expect(try canonical("FREQ=DAILY") == "DTSTART:20261120T213430 RRULE:FREQ=DAILY")
    #expect(try canonical("every freq=daily;byhour=7") == "DTSTART:20261120T210000 RRULE:FREQ=DAILY;BYHOUR=7")
    #expect(
      try canonical("RRULE:FREQ=MONTHLY;BYMINUTE=5")
        == "DTSTART:20261120T213400 RRULE:FREQ=MONTHLY;BYMINUTE=5")
    let paris = "DTSTART;TZID=Europe/Paris:20261123T073000 RRULE:FREQ=WEEKLY;INTERVAL=3"
    #expect(try canonical(paris) == paris)
    #expect(try TimeExpression.read(paris, in: context).kind == .calendar)
    func failure(_ text: String) -> ExpressionError? {
      do throws(ExpressionError) {
        _ = try TimeExpression.read(text, in: context)
        return nil
      } catch {
        return error
      }
    }
    #expect(
      failure("FREQ=DAILY;BYMOON=1")
        == .unreadable(offset: 0, reason: .rule(.unknownPart("BYMOON")), readings: []))
    #expect(
      failure("every FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30")
        == .unreadable(offset: 6, reason: .rule(.never), readings: []))
  }
}
