import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

/// Entries as programs write them ring when PyPI's recurring-ical-events and icalendar say.
@Suite struct ForeignOracleTests {
  /// Prints each calendar's rings of 400 days in UTC seconds. Naive moments are in Paris, whole days without an alarm
  /// ring at 09:00, and an occurrence that was moved has the alarms of its series.
  private static let program = """
    import sys, datetime, zoneinfo
    import recurring_ical_events
    from icalendar import Calendar
    utc, paris = datetime.timezone.utc, zoneinfo.ZoneInfo("Europe/Paris")
    begin = datetime.datetime(2026, 11, 20, 21, 34, 30, tzinfo=utc)
    end, margin = begin + datetime.timedelta(days=400), datetime.timedelta(days=40)
    def on(time):
        if not isinstance(time, datetime.datetime): time = datetime.datetime.combine(time, datetime.time())
        return time if time.tzinfo else time.replace(tzinfo=paris)
    for text in open(sys.argv[1], newline="").read().split("\\f"):
        calendar = Calendar.from_ical(text)
        entries = [c for c in calendar.walk() if c.name in ("VEVENT", "VTODO")]
        main = next(c for c in entries if "RECURRENCE-ID" not in c)
        recurs = "RRULE" in main or "RDATE" in main
        alarms = [a for a in main.walk("VALARM") if a["ACTION"] in ("DISPLAY", "AUDIO")
            and not (recurs and isinstance(a["TRIGGER"].dt, datetime.datetime))]
        rings = set()
        for one in recurring_ical_events.of(calendar, components=["VEVENT", "VTODO"]).between(begin - margin, end + margin):
            if one.get("STATUS") == "CANCELLED": continue
            one.subcomponents = list(alarms)
            start = one["DUE" if "DUE" in one else "DTSTART"].dt
            if not isinstance(start, datetime.datetime): start = datetime.datetime.combine(start, datetime.time(9))
            rings |= {on(t.trigger) for t in one.alarms.times} or {on(start)}
        print("=", *sorted(int(t.timestamp()) for t in rings if begin < t <= end))
    """

  private static let series = [
    ForeignEntry(
      name: "iOS, twice a week until a day, with a moved occurrence",
      lines: """
        BEGIN:VEVENT
        UID:B2D2F1C4-22B7-4C7B-9B53-8F5B5AD0E411
        DTSTART;TZID=America/New_York:20261006T183000
        DTEND;TZID=America/New_York:20261006T193000
        RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270602T035959Z
        EXDATE;TZID=America/New_York:20261224T183000
        EXDATE;TZID=America/New_York:20261231T183000
        SUMMARY:Swimming
        DTSTAMP:20261001T080000Z
        SEQUENCE:4
        BEGIN:VALARM
        UID:1
        TRIGGER:-PT30M
        ATTACH;VALUE=URI:Chord
        ACTION:AUDIO
        END:VALARM
        BEGIN:VALARM
        UID:2
        TRIGGER:PT0S
        DESCRIPTION:Event reminder
        ACTION:DISPLAY
        END:VALARM
        END:VEVENT
        BEGIN:VEVENT
        UID:B2D2F1C4-22B7-4C7B-9B53-8F5B5AD0E411
        RECURRENCE-ID;TZID=America/New_York:20270316T183000
        DTSTART;TZID=America/New_York:20270317T190000
        DTEND;TZID=America/New_York:20270317T200000
        SUMMARY:Swimming
        DTSTAMP:20261001T080000Z
        SEQUENCE:5
        END:VEVENT
        """),
    ForeignEntry(
      name: "Google, the second Tuesday of a month, one of them cancelled",
      lines: """
        BEGIN:VEVENT
        DTSTART;TZID=Asia/Seoul:20261110T093000
        DTEND;TZID=Asia/Seoul:20261110T103000
        RRULE:FREQ=MONTHLY;BYDAY=2TU
        DTSTAMP:20261120T100000Z
        UID:0a1b2c3d4e5f6g7h8i9j@google.com
        SUMMARY:Board
        TRANSP:OPAQUE
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:This is an event reminder
        TRIGGER:-P1DT0H0M0S
        END:VALARM
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:This is an event reminder
        TRIGGER:-P0DT0H10M0S
        END:VALARM
        END:VEVENT
        BEGIN:VEVENT
        UID:0a1b2c3d4e5f6g7h8i9j@google.com
        RECURRENCE-ID;TZID=Asia/Seoul:20270112T093000
        DTSTART;TZID=Asia/Seoul:20270112T093000
        DTEND;TZID=Asia/Seoul:20270112T103000
        DTSTAMP:20261120T100000Z
        SUMMARY:Board
        STATUS:CANCELLED
        END:VEVENT
        """),
    ForeignEntry(
      name: "Outlook, a whole day once a year",
      lines: """
        BEGIN:VEVENT
        UID:040000008200E00074C5B7101A82E008000000007777
        SUMMARY;LANGUAGE=en-US:Labour Day
        DTSTART;VALUE=DATE:20260907
        DTEND;VALUE=DATE:20260908
        RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=1MO;BYMONTH=9
        DTSTAMP:20260801T080000Z
        X-MICROSOFT-CDO-ALLDAYEVENT:TRUE
        BEGIN:VALARM
        DESCRIPTION:REMINDER
        TRIGGER;RELATED=START:-PT15H
        ACTION:DISPLAY
        END:VALARM
        END:VEVENT
        """),
    ForeignEntry(
      name: "Thunderbird, ten days across a change of the clock",
      lines: """
        BEGIN:VEVENT
        DTSTAMP:20270101T070000Z
        UID:0f7c8a1e-3333-4444-8555-666677778888
        SUMMARY:Eye drops
        RRULE:FREQ=DAILY;COUNT=10
        EXDATE;TZID=Europe/Paris:20270326T220000
        DTSTART;TZID=Europe/Paris:20270324T220000
        DURATION:PT5M
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER;RELATED=END:-PT5M
        DESCRIPTION:Default Mozilla Description
        END:VALARM
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER:-P1D
        DESCRIPTION:Default Mozilla Description
        END:VALARM
        END:VEVENT
        """),
    ForeignEntry(
      name: "Tasks.org, a day every third day",
      lines: """
        BEGIN:VTODO
        DTSTAMP:20261115T200000Z
        UID:8877665544332211
        SUMMARY:Water the cactus
        DTSTART;VALUE=DATE:20261201
        DUE;VALUE=DATE:20261202
        RRULE:FREQ=DAILY;INTERVAL=3;COUNT=20
        END:VTODO
        """),
  ]

  @Test("Entries of other programs ring when recurring-ical-events and icalendar say")
  func agrees() throws {
    let entries = ForeignEntry.all + Self.series
    let context = try CalendarFixture.context()
    let answers = try Python.lines(Self.program, input: entries.map(\.text).joined(separator: "\u{c}"))
    try #require(answers.count == entries.count)
    for (entry, answer) in zip(entries, answers) {
      let read = try #require(try CalendarItem(entry.bytes, in: context).entry)
      let rings = try Self.rings(of: read, in: context)
      #expect("= " + rings.map(String.init).joined(separator: " ") == answer, "\(entry.name)")
    }
  }

  /// Those of 400 days, in UTC seconds.
  private static func rings(of entry: CalendarEntry, in context: ReadingContext) throws -> [Int64] {
    let day = TimeSpan.seconds(86_400)
    let end = context.now + .seconds(400 * 86_400)
    var zone = context.zone
    var moments: [Instant] = []
    switch entry.timing {
    case .instant(let moment): (moments, zone) = ([moment], .utc)
    case .civil(let civil, let name):
      if let name { zone = try .named(name) }
      moments = [zone.resolve(civil).instant]
    case .every(let time, let name):
      if let name { zone = try .named(name) }
      var left = entry.count ?? .max
      var base = context.now
      while left > 0, let next = time.next(after: base, in: zone),
        next <= min(end + day, entry.until ?? end + day)
      {
        if next >= entry.from ?? next {
          moments.append(next)
          left -= 1
        }
        base = next
      }
    }
    let leads = entry.rules.leads.isEmpty ? [.zero] : entry.rules.leads
    let rings = Set(moments.flatMap { moment in leads.map { $0.ring(before: moment, in: zone) } })
    return rings.filter { $0 > context.now && $0 <= end }.map { $0.microseconds / 1_000_000 }.sorted()
  }
}
