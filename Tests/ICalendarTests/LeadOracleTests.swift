import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

/// Alarms as calendar programs write them ring when PyPI's icalendar says.
@Suite struct LeadOracleTests {
  /// Prints each entry's rings in UTC seconds, those of mails and snoozes left out. Naive moments are in Paris.
  private static let program = """
    import sys, datetime, zoneinfo
    from icalendar import Calendar
    paris = zoneinfo.ZoneInfo("Europe/Paris")
    for c in Calendar.from_ical(open(sys.argv[1], "rb").read()).walk():
        if c.name not in ("VEVENT", "VTODO"): continue
        def rings(alarm):
            related = alarm.get("RELATED-TO")
            snoozes = related is not None and related.params.get("RELTYPE") == "SNOOZE"
            return alarm["ACTION"] in ("DISPLAY", "AUDIO") and not snoozes
        found = {t.trigger for t in c.alarms.times if rings(t.alarm)}
        print("=", *sorted(int((t if t.tzinfo else t.replace(tzinfo=paris)).timestamp()) for t in found))
    """

  private static func alarm(_ lines: String...) -> String {
    "BEGIN:VALARM\n\(lines.joined(separator: "\n"))\nEND:VALARM"
  }

  /// Modelled on what each program writes; the last are cases of RFC 5545 and RFC 9074.
  private static let entries = [
    // Google
    """
    DTSTART:20261224T090000Z
    DTEND:20261224T100000Z
    \(alarm("ACTION:DISPLAY", "DESCRIPTION:This is an event reminder", "TRIGGER:-P0DT0H30M0S"))
    \(alarm("ACTION:DISPLAY", "DESCRIPTION:This is an event reminder", "TRIGGER:-P1D"))
    \(alarm("ACTION:EMAIL", "SUMMARY:x", "DESCRIPTION:x", "ATTENDEE:mailto:a@example.org", "TRIGGER:-P2D"))
    """,
    // macOS and iOS: a fixed moment long ago stands for none.
    """
    DTSTART;TZID=Europe/Paris:20261224T180000
    DTEND;TZID=Europe/Paris:20261224T193000
    \(alarm("X-WR-ALARMUID:1", "UID:1", "TRIGGER:-PT15M", "ATTACH;VALUE=URI:Chord", "ACTION:AUDIO"))
    \(alarm("UID:2", "TRIGGER:-PT2H", "DESCRIPTION:Reminder", "ACTION:DISPLAY"))
    \(alarm("UID:3", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "ACTION:NONE"))
    """,
    """
    DTSTART;VALUE=DATE:20261224
    DTEND;VALUE=DATE:20261225
    \(alarm("UID:1", "TRIGGER:-PT15H", "DESCRIPTION:Event reminder", "ACTION:DISPLAY"))
    \(alarm("UID:2", "TRIGGER:PT9H", "X-APPLE-DEFAULT-ALARM:TRUE", "ATTACH;VALUE=URI:Basso", "ACTION:AUDIO"))
    """,
    // Outlook
    """
    DTSTART;TZID=Asia/Seoul:20261224T090000
    DTEND;TZID=Asia/Seoul:20261224T093000
    X-MICROSOFT-CDO-BUSYSTATUS:BUSY
    \(alarm("TRIGGER;RELATED=START:-PT15M", "ACTION:DISPLAY", "DESCRIPTION:REMINDER"))
    """,
    // Thunderbird
    """
    DTSTART;TZID=America/New_York:20261224T090000
    DTEND;TZID=America/New_York:20261224T100000
    X-MOZ-LASTACK:20261223T090000Z
    \(alarm("ACTION:DISPLAY", "TRIGGER:-P1W", "DESCRIPTION:Default"))
    \(alarm("ACTION:DISPLAY", "TRIGGER;RELATED=END:-PT10M", "DESCRIPTION:Default"))
    \(alarm("ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20261223T170000Z", "DESCRIPTION:Default"))
    """,
    // Nextcloud
    """
    DTSTART;TZID=Europe/Paris:20270328T120000
    DURATION:PT1H
    \(alarm("ACTION:AUDIO", "TRIGGER;RELATED=START:-P1D"))
    \(alarm("ACTION:DISPLAY", "TRIGGER;RELATED=START:-P7D"))
    \(alarm("ACTION:DISPLAY", "TRIGGER;RELATED=START:PT0S"))
    """,
    // Evolution
    """
    DTSTART:20261224T180000
    DTEND:20261224T183000
    \(alarm("X-EVOLUTION-ALARM-UID:1", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER;VALUE=DURATION;RELATED=START:-PT5M"))
    \(alarm("X-EVOLUTION-ALARM-UID:2", "ACTION:AUDIO", "TRIGGER;VALUE=DURATION;RELATED=END:PT10M"))
    """,
    // A snooze; a repeated alarm; two for one moment.
    """
    DTSTART:20261224T180000Z
    \(alarm("UID:1", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT15M", "ACKNOWLEDGED:20261224T174500Z"))
    \(alarm("RELATED-TO;RELTYPE=SNOOZE:1", "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20261224T175500Z"))
    """,
    """
    DTSTART:20261224T180000Z
    \(alarm("ACTION:AUDIO", "TRIGGER:-PT30M", "REPEAT:2", "DURATION:PT10M"))
    \(alarm("ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT30M"))
    """,
  ]

  @Test("Leads ring when icalendar says")
  func agrees() throws {
    var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n"
    for (number, entry) in Self.entries.enumerated() {
      let lines =
        ["BEGIN:VEVENT", "UID:\(number)", "DTSTAMP:20260101T000000Z"]
        + entry.split(separator: "\n").map(String.init)
      text += (lines + ["END:VEVENT", ""]).joined(separator: "\r\n")
    }
    text += "END:VCALENDAR\r\n"
    let context = try CalendarFixture.context()
    let results = ICalendarReader.read(Array(text.utf8), in: context)
    let answers = try Python.lines(Self.program, input: text)
    try #require(answers.count == results.count && results.count == Self.entries.count)
    for (answer, result) in zip(answers, results) {
      guard case .success(let entry) = result, let moment = entry.moment else {
        Issue.record("\(result)")
        continue
      }
      let zone: Zone =
        switch entry.timing {
        case .civil(_, let name): try name.map { try Zone.named($0) } ?? context.zone
        default: .utc
        }
      let leads = entry.rules.leads.isEmpty ? [.zero] : entry.rules.leads
      let rings = leads.map { $0.ring(before: moment, in: zone).microseconds / 1_000_000 }.sorted()
      #expect("= " + rings.map(String.init).joined(separator: " ") == answer)
    }
  }
}
