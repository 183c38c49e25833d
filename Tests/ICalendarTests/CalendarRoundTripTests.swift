import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

/// Written calendars read back unchanged, and PyPI's icalendar finds the same moments in them.
@Suite struct CalendarRoundTripTests {
  private static func alarms() -> [CalendarAlarm] {
    let civil = CivilDateTime(year: 2026, month: 12, day: 24, hour: 18, minute: 5, second: 7)
    let moment = Instant(microseconds: 1_800_000_000_000_000)
    let long = String(repeating: "한글, 🥚; \\ ", count: 30)
    return [
      WrittenCalendar.alarm(.once(moment)) {
        $0.content.eggs = 12
        $0.content.category = .hard
        ($0.content.group, $0.content.body) = ("Soft", long + "\nend")
      },
      WrittenCalendar.alarm(.once(moment), label: nil) {
        $0.content.summary = "Ready; now"
      },
      WrittenCalendar.alarm(.civil(civil), zone: "Asia/Seoul", label: nil),
      WrittenCalendar.alarm(.civil(civil), zone: "Europe/Paris", floats: true) {
        $0.content.group = "Sunday, brunch"
      },
      WrittenCalendar.alarm(.civil(civil), zone: "America/New_York") {
        ($0.content.isDone, $0.doneAt) = (true, Instant(microseconds: 1_795_161_600_000_000))
      },
    ]
  }

  private static let events = [
    "daily", "Mon..Fri 07:30", "*-*-1,15 8:00", "*-*~1,3 8:00", "Tue *-*-8..14 8:00", "Mon *-05~1..7 8:00",
    "Fri *-*-13 8:00", "*-2-29 8:00", "8,20:30", "*:0/20", "Sat *:15", "9:*", "2026/2-11-23 8:00",
    "*-6..8-* 8:00",
    "2027,2029-*-1 8:00", "Sun *-*-29..31 2:30", "*-*-31 23:59:59", "Sat,Sun *-7,8-* 10,22:15:30",
  ]

  private static let counted = [
    "20min from 2026-11-20 20:30:00 UTC", "5h from 2026-11-20 20:30:00 UTC", "3d 08:00:00 from 2026-11-16",
    "1d 08:00:00 from 2026-11-16", "2w Mon,Thu 07:30:00 from 2026-11-10",
    "2month 31 07:30:00 from 2026-11-10",
    "5month -1Fri 07:30:00 from 2026-11-10", "24month 15 07:30:00 from 2025-01-15",
    "1month -31 07:30:00 from 2026-11-10", "2month 2workday 07:30:00 from 2026-11-10",
  ]

  private static func text(_ alarms: [CalendarAlarm]) throws -> String {
    var writer = ICalendarWriter(context: try CalendarFixture.context())
    return writer.header() + alarms.map { writer.entry($0).text }.joined() + writer.end()
  }

  @Test("One-shots read back unchanged")
  func oneShots() throws {
    let alarms = Self.alarms()
    let results = ICalendarReader.read(Array(try Self.text(alarms).utf8), in: try CalendarFixture.context())
    try #require(results.count == alarms.count)
    for (result, alarm) in zip(results, alarms) {
      guard case .success(let entry) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(entry.uid == alarm.identity && entry.doneAt == alarm.doneAt && entry.notes.isEmpty)
      #expect(CalendarContent(entry, at: CalendarFixture.now) == alarm.content)
    }
  }

  @Test(
    "Intervals read back unchanged, with beginning and end",
    arguments: counted + ["1s 500ms from 2026-11-20 20:30:00 UTC"])
  func intervals(text: String) throws {
    let interval = try #require(RecurringInterval(text))
    let from = Instant(microseconds: 1_796_000_000_000_000)
    for floats in [false, true] {
      for (from, count) in [(nil, nil), (from, Int64(7))] {
        let alarm = try WrittenCalendar.every(text, floats: floats) {
          ($0.content.time.from, $0.content.time.count) = (from, count)
        }
        let results = ICalendarReader.read(
          Array(try Self.text([alarm]).utf8), in: try CalendarFixture.context())
        guard case .success(let entry) = results.first, case .every(let time, let zone) = entry.timing else {
          Issue.record("\(results)")
          return
        }
        #expect(time == .interval(interval))
        #expect(zone == (interval.isElapsed ? "UTC" : floats ? nil : "Europe/Paris"))
        #expect(entry.count == count && entry.from == from)
      }
    }
  }

  @Test("Calendar events that begin later read back unchanged")
  func later() throws {
    let from = Instant(microseconds: 1_799_017_200_000_000)
    let alarm = try WrittenCalendar.every("Mon..Fri 07:30") { $0.content.time.from = from }
    let results = ICalendarReader.read(
      Array(try Self.text([alarm]).utf8), in: try CalendarFixture.context())
    guard case .success(let entry) = results.first else {
      Issue.record("\(results)")
      return
    }
    #expect(entry.from == from && entry.expression == "Mon..Fri *-*-* 07:30:00 Europe/Paris")
  }

  @Test("Calendar events read back unchanged", arguments: events)
  func recurring(text: String) throws {
    for floats in [false, true] {
      let alarm = try WrittenCalendar.every(text, floats: floats) { $0.content.time.count = 7 }
      let results = ICalendarReader.read(
        Array(try Self.text([alarm]).utf8), in: try CalendarFixture.context())
      guard case .success(let entry) = results.first, case .every(let event, let zone) = entry.timing else {
        Issue.record("\(results)")
        return
      }
      #expect(event.description == CalendarEvent(text)?.description)
      #expect(zone == (floats ? nil : "Europe/Paris") && entry.count == 7)
    }
  }

  /// Prints `moment …` for each entry: the moments of its rule or dates in UTC seconds; naive ones are in Paris.
  private static let program = """
    import sys, datetime, zoneinfo
    from icalendar import Calendar
    from dateutil.rrule import rrulestr
    paris = zoneinfo.ZoneInfo("Europe/Paris")
    calendar = Calendar.from_ical(open(sys.argv[1], "rb").read())
    for c in calendar.walk():
        assert not c.errors, c.errors
        if c.name not in ("VEVENT", "VTODO"): continue
        assert c.name == "VTODO" or [a["TRIGGER"].dt for a in c.walk("VALARM")] == [datetime.timedelta(0)]
        start = (c.get("DTSTART") or c.get("DUE")).dt
        zone = start.tzinfo or paris
        moments = [start]
        if c.get("RRULE"):
            rule = c["RRULE"].to_ical().decode()
            if "UNTIL" in rule: rule = rule.replace(rule[rule.index(";UNTIL"):], "")
            moments = [m.replace(tzinfo=zone) for m in rrulestr(rule, dtstart=start.replace(tzinfo=None)).xafter(
                start.replace(tzinfo=None), count=10, inc=True)]
        if c.get("RDATE"):
            dates = c["RDATE"] if isinstance(c["RDATE"], list) else [c["RDATE"]]
            moments += [d.dt for l in dates for d in l.dts]
        shown = str(c["SUMMARY"]) + "|" + str(c.get("DESCRIPTION", "")).replace("\\n", "/")
        print(shown + "|" + " ".join(str(int(m.replace(tzinfo=m.tzinfo or paris).timestamp())) for m in moments[:8]))
    """

  @Test("PyPI's icalendar finds the same texts and moments in a written calendar")
  func independent() throws {
    var alarms = Self.alarms()
    // Python does not skip civil times in a gap.
    for event in Self.events + Self.counted where !event.hasSuffix("2:30") {
      for floats in [false, true] {
        alarms.append(try WrittenCalendar.every(event, floats: floats) { $0.content.time.count = 30 })
      }
    }
    let lines = try Python.lines(Self.program, input: try Self.text(alarms))
    try #require(lines.count == alarms.count)
    for (line, alarm) in zip(lines, alarms) {
      var moments: [Int64] = []
      switch alarm.content.time.timing {
      case .every(let time, _):
        let zone = try Zone.named("Europe/Paris")
        var base = CalendarFixture.now
        while moments.count < 8, let next = time.next(after: base, in: zone) {
          moments.append(next.microseconds / 1_000_000)
          base = next
        }
      case .civil(let civil, _):
        moments = [try Zone.named(try #require(alarm.zone)).resolve(civil).instant.microseconds / 1_000_000]
      case .instant(let moment):
        moments = [moment.microseconds / 1_000_000]
      }
      let content = alarm.content
      let body = (content.body ?? "").split(separator: "\n", omittingEmptySubsequences: false).joined(
        separator: "/")
      let shown = "\(content.label ?? content.summary ?? "Wait!")|\(body)|"
      #expect(
        line == shown + moments.map(String.init).joined(separator: " "),
        "\(content.time.timing)")
    }
  }

  /// Prints `ZONE SECONDS OFFSET` from each VTIMEZONE, every 11 days from 2017 to 2036.
  private static let zoneProgram = """
    import sys, datetime
    from icalendar import Calendar
    utc = datetime.timezone.utc
    for c in Calendar.from_ical(open(sys.argv[1], "rb").read()).walk("VTIMEZONE"):
        zone = c.to_tz(lookup_tzid=False)
        for s in range(1483228800, 2082758400, 11 * 86400 + 3607):
            d = datetime.datetime.fromtimestamp(s, utc).astimezone(zone)
            print(c["TZID"], s, int(d.utcoffset().total_seconds()))
    """

  @Test("A VTIMEZONE gives the same offsets as the zone's file")
  func zones() throws {
    let names = [
      "Europe/Paris", "America/New_York", "Asia/Seoul", "Australia/Lord_Howe", "America/Santiago",
      "Asia/Kathmandu",
      "Asia/Jerusalem", "Africa/Cairo", "Europe/Istanbul", "America/Sao_Paulo", "Asia/Tehran", "Pacific/Apia",
    ]
    let civil = CivilDateTime(year: 2027, month: 1, day: 2)
    let alarms = names.map { WrittenCalendar.alarm(.civil(civil), zone: $0) }
    var wrong: [Substring] = []
    let lines = try Python.lines(Self.zoneProgram, input: try Self.text(alarms))
    for line in lines {
      let words = line.split(separator: " ")
      let moment = Instant(microseconds: try #require(Int64(words[1])) * 1_000_000)
      if "\(try Zone.named(String(words[0])).offset(at: moment))" != words[2] { wrong.append(line) }
    }
    #expect(lines.count > 600 * names.count)
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10))")
  }
}
