import Testing

/// Entries as programs write them, each in a calendar of its own.
struct ForeignEntry: CustomTestStringConvertible, Sendable {
  /// The program, and what its entry is.
  let name: String
  /// Between BEGIN:VCALENDAR and END:VCALENDAR.
  let lines: String
  /// A recurring time that its dates can follow; nil for a one-shot, which is moved by 25 hours.
  var later: String?

  var testDescription: String { name }

  var bytes: [UInt8] { Array(text.utf8) }

  var text: String {
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//\(name)//EN\n\(lines)\nEND:VCALENDAR\n"
    return text.replacing("\n", with: "\r\n")
  }

  private static let berlin = """
    BEGIN:VTIMEZONE
    TZID:Europe/Berlin
    BEGIN:DAYLIGHT
    TZOFFSETFROM:+0100
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    DTSTART:19810329T020000
    TZNAME:CEST
    TZOFFSETTO:+0200
    END:DAYLIGHT
    BEGIN:STANDARD
    TZOFFSETFROM:+0200
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    DTSTART:19961027T030000
    TZNAME:CET
    TZOFFSETTO:+0100
    END:STANDARD
    END:VTIMEZONE
    """

  static let all = [
    ForeignEntry(
      name: "iOS, an appointment",
      lines: """
        CALSCALE:GREGORIAN
        \(berlin)
        BEGIN:VEVENT
        CREATED:20261101T081500Z
        UID:5E1B8C9A-0A67-4B55-9B0B-6C3C7D1E2F30
        DTEND;TZID=Europe/Berlin:20261224T193000
        TRANSP:OPAQUE
        X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC
        SUMMARY:Dentist
        LAST-MODIFIED:20261101T081530Z
        DTSTAMP:20261101T081530Z
        DTSTART;TZID=Europe/Berlin:20261224T180000
        LOCATION:Main Street 1\\nBerlin
        SEQUENCE:1
        URL;VALUE=URI:https://example.org/dentist
        X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=70;X-TITLE="Main Str
         eet 1":geo:52.500000,13.400000
        BEGIN:VALARM
        X-WR-ALARMUID:2B7C0F5E-96C1-4F61-8F1B-0E5D1D1C7F11
        UID:2B7C0F5E-96C1-4F61-8F1B-0E5D1D1C7F11
        TRIGGER:-PT15M
        ATTACH;VALUE=URI:Chord
        ACTION:AUDIO
        END:VALARM
        BEGIN:VALARM
        X-WR-ALARMUID:9D2D9F6A-3A57-4C0F-8A35-7D4B7A3B0D22
        UID:9D2D9F6A-3A57-4C0F-8A35-7D4B7A3B0D22
        TRIGGER;VALUE=DATE-TIME:20261224T083000Z
        DESCRIPTION:Event reminder
        ACTION:DISPLAY
        END:VALARM
        BEGIN:VALARM
        TRIGGER;VALUE=DATE-TIME:19760401T005545Z
        ACTION:NONE
        END:VALARM
        END:VEVENT
        """),
    ForeignEntry(
      name: "iOS, a reminder",
      lines: """
        CALSCALE:GREGORIAN
        \(berlin)
        BEGIN:VTODO
        CREATED:20261110T190000Z
        UID:0C6B1D9E-6B70-44B9-A4E5-1B2F3C4D5E6F
        DTSTART;TZID=Europe/Berlin:20261201T083000
        DUE;TZID=Europe/Berlin:20261201T083000
        SUMMARY:Water the plants
        STATUS:NEEDS-ACTION
        PRIORITY:1
        X-APPLE-SORT-ORDER:782000000
        DTSTAMP:20261110T190001Z
        SEQUENCE:0
        BEGIN:VALARM
        UID:7F3A2B1C-1111-4222-8333-444455556666
        X-WR-ALARMUID:7F3A2B1C-1111-4222-8333-444455556666
        TRIGGER;VALUE=DATE-TIME:20261201T073000Z
        DESCRIPTION:Event reminder
        ACTION:DISPLAY
        END:VALARM
        END:VTODO
        """),
    ForeignEntry(
      name: "Google, a meeting",
      lines: """
        CALSCALE:GREGORIAN
        METHOD:PUBLISH
        BEGIN:VEVENT
        DTSTART:20261224T090000Z
        DTEND:20261224T100000Z
        DTSTAMP:20261120T100000Z
        ORGANIZER;CN=Ann:mailto:ann@example.org
        UID:4f8k2lq0v3r1c9t5m7n2b6d8e0@google.com
        ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Ann;X-
         NUM-GUESTS=0:mailto:ann@example.org
        ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=
         TRUE;CN="Bob: the second";X-NUM-GUESTS=0:mailto:bob@example.org
        X-GOOGLE-CONFERENCE:https://meet.example.org/abc-defg-hij
        CREATED:20261101T120000Z
        DESCRIPTION:Agenda:\\n\\n- one\\, two\\n- three
        LAST-MODIFIED:20261119T180000Z
        LOCATION:Room 3
        SEQUENCE:2
        STATUS:CONFIRMED
        SUMMARY:Quarterly planning
        TRANSP:OPAQUE
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:This is an event reminder
        TRIGGER:-P0DT0H30M0S
        END:VALARM
        BEGIN:VALARM
        ACTION:EMAIL
        SUMMARY:Alarm notification
        DESCRIPTION:This is an event reminder
        ATTENDEE:mailto:ann@example.org
        TRIGGER:-P1D
        END:VALARM
        END:VEVENT
        """),
    ForeignEntry(
      name: "Google, a whole day",
      lines: """
        BEGIN:VEVENT
        DTSTART;VALUE=DATE:20261224
        DTEND;VALUE=DATE:20261226
        DTSTAMP:20261120T100000Z
        UID:7a9s8d7f6g5h4j3k2l1@google.com
        CLASS:PRIVATE
        SUMMARY:Visit
        TRANSP:TRANSPARENT
        END:VEVENT
        """),
    ForeignEntry(
      name: "Outlook, a series with a moved and a cancelled occurrence",
      lines: """
        METHOD:REQUEST
        BEGIN:VTIMEZONE
        TZID:W. Europe Standard Time
        BEGIN:STANDARD
        DTSTART:16010101T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:16010101T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
        END:DAYLIGHT
        END:VTIMEZONE
        BEGIN:VEVENT
        ORGANIZER;CN=Ann:mailto:ann@example.org
        DESCRIPTION;LANGUAGE=en-US:Every week\\n
        RRULE:FREQ=WEEKLY;UNTIL=20270628T070000Z;INTERVAL=1;BYDAY=MO;WKST=SU
        EXDATE;TZID=W. Europe Standard Time:20261207T090000,20261214T090000
        UID:040000008200E00074C5B7101A82E00800000000B0C5C0D7
        SUMMARY;LANGUAGE=en-US:Stand-up
        DTSTART;TZID=W. Europe Standard Time:20261005T090000
        DTEND;TZID=W. Europe Standard Time:20261005T091500
        CLASS:PUBLIC
        PRIORITY:5
        DTSTAMP:20261001T080000Z
        TRANSP:OPAQUE
        STATUS:CONFIRMED
        SEQUENCE:3
        LOCATION;LANGUAGE=en-US:Teams
        X-MICROSOFT-CDO-APPT-SEQUENCE:3
        X-MICROSOFT-CDO-BUSYSTATUS:BUSY
        X-MICROSOFT-CDO-IMPORTANCE:1
        BEGIN:VALARM
        DESCRIPTION:REMINDER
        TRIGGER;RELATED=START:-PT15M
        ACTION:DISPLAY
        END:VALARM
        END:VEVENT
        BEGIN:VEVENT
        UID:040000008200E00074C5B7101A82E00800000000B0C5C0D7
        RECURRENCE-ID;TZID=W. Europe Standard Time:20261221T090000
        SUMMARY;LANGUAGE=en-US:Stand-up\\, with cake
        DTSTART;TZID=W. Europe Standard Time:20261222T100000
        DTEND;TZID=W. Europe Standard Time:20261222T103000
        DTSTAMP:20261001T080000Z
        SEQUENCE:3
        LOCATION;LANGUAGE=en-US:Kitchen
        X-MICROSOFT-CDO-BUSYSTATUS:BUSY
        END:VEVENT
        """, later: "Mon 10:30"),
    ForeignEntry(
      name: "Exchange, a zone of its own",
      lines: """
        BEGIN:VTIMEZONE
        TZID:Customized Time Zone
        BEGIN:STANDARD
        DTSTART:16010101T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        RRULE:FREQ=YEARLY;WKST=MO;INTERVAL=1;BYMONTH=10;BYDAY=-1SU
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:16010101T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        RRULE:FREQ=YEARLY;WKST=MO;INTERVAL=1;BYMONTH=3;BYDAY=-1SU
        END:DAYLIGHT
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:040000008200E00074C5B7101A82E008000000009999
        SUMMARY:Review
        DTSTART;TZID=Customized Time Zone:20270405T140000
        DTEND;TZID=Customized Time Zone:20270405T150000
        DTSTAMP:20261101T080000Z
        X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE
        BEGIN:VALARM
        ACTION:DISPLAY
        DESCRIPTION:REMINDER
        TRIGGER;RELATED=START:-PT15M
        END:VALARM
        END:VEVENT
        """),
    ForeignEntry(
      name: "Thunderbird, a long title and an alarm at its end",
      lines: """
        BEGIN:VEVENT
        CREATED:20261110T070000Z
        LAST-MODIFIED:20261112T070000Z
        DTSTAMP:20261112T070000Z
        UID:b1f7c8e2-1b5d-4c3e-9a47-5f0a8d6c4e21
        SUMMARY:\(String(repeating: "A title that goes on and on\\, ", count: 12))and ends
        ORGANIZER;CN=Ann:mailto:ann@example.org
        ATTENDEE;RSVP=TRUE;PARTSTAT=NEEDS-ACTION;ROLE=REQ-PARTICIPANT:mailto:bob@ex
         ample.org
        CATEGORIES:Anniversary,Business\\, abroad
        CATEGORIES:Travel
        DTSTART:20261224T180000
        DURATION:PT1H30M
        URL:https://example.org/a?b=c;d
        DESCRIPTION;ALTREP="data:text/html,%3Cb%3Ebold%3C%2Fb%3E":bold
        X-MOZ-GENERATION:4
        X-MOZ-SEND-INVITATIONS:TRUE
        BEGIN:VALARM
        ACTION:DISPLAY
        TRIGGER;RELATED=END:-PT10M
        DESCRIPTION:Mozilla Standardbeschreibung
        END:VALARM
        BEGIN:VALARM
        ACTION:AUDIO
        TRIGGER:-PT30M
        REPEAT:2
        DURATION:PT10M
        END:VALARM
        END:VEVENT
        """),
    ForeignEntry(
      name: "Thunderbird, a birthday",
      lines: """
        BEGIN:VEVENT
        DTSTAMP:20261112T070000Z
        UID:e2c1f0b4-7777-4888-9999-aaaabbbbcccc
        SUMMARY:Birthday
        RRULE:FREQ=YEARLY
        CATEGORIES:Birthday
        DTSTART;VALUE=DATE:20200315
        DTEND;VALUE=DATE:20200316
        TRANSP:TRANSPARENT
        COMMENT:likes chocolate
        COMMENT:has a dog
        END:VEVENT
        """, later: "*-03-16 09:00"),
    ForeignEntry(
      name: "Tasks.org, a to-do with a start and an end",
      lines: """
        \(berlin)
        BEGIN:VTODO
        DTSTAMP:20261115T200000Z
        UID:4728394857263548172
        CREATED:20261115T195900Z
        LAST-MODIFIED:20261115T200000Z
        SUMMARY:File the taxes
        DESCRIPTION:form A
        PRIORITY:5
        STATUS:IN-PROCESS
        PERCENT-COMPLETE:40
        LOCATION:home
        RELATED-TO;RELTYPE=PARENT:1122334455667788
        DTSTART;TZID=Europe/Berlin:20261210T080000
        DUE;TZID=Europe/Berlin:20261212T170000
        X-APPLE-SORT-ORDER:690123456
        CATEGORIES:paperwork,medium,home
        BEGIN:VALARM
        TRIGGER;RELATED=END:PT0S
        ACTION:DISPLAY
        DESCRIPTION:Default Tasks.org description
        END:VALARM
        BEGIN:VALARM
        TRIGGER;RELATED=START:-PT1H
        ACTION:DISPLAY
        DESCRIPTION:File the taxes
        END:VALARM
        END:VTODO
        """),
    ForeignEntry(
      name: "Tasks.org, a to-do for a day",
      lines: """
        BEGIN:VTODO
        DTSTAMP:20261115T200000Z
        UID:1928374655647382910
        SUMMARY:Call home
        DUE;VALUE=DATE:20261210
        PRIORITY:9
        END:VTODO
        """),
    ForeignEntry(
      name: "Nextcloud Tasks, a to-do that recurs",
      lines: """
        BEGIN:VTODO
        UID:3d0c1f9e-aaaa-4bbb-8ccc-ddddeeeeffff
        CREATED:20261010T100000
        LAST-MODIFIED:20261110T100000
        DTSTAMP:20261110T100000
        SUMMARY:Take out the bins
        DTSTART:20261201T190000
        DUE:20261201T200000
        RRULE:FREQ=WEEKLY;BYDAY=TU
        EXDATE:20261215T190000
        X-OC-HIDESUBTASKS:0
        END:VTODO
        """, later: "Tue 21:00"),
    ForeignEntry(
      name: "Evolution, floating, with dates that are added",
      lines: """
        BEGIN:VEVENT
        UID:20261001T120000Z-1234-1000-1-0@host
        DTSTAMP:20261001T120000Z
        DTSTART:20261130T180000
        DTEND:20261130T190000
        RDATE:20261203T180000,20261210T180000
        SUMMARY:Choir
        X-EVOLUTION-CALDAV-ETAG:abc
        SEQUENCE:2
        BEGIN:VALARM
        X-EVOLUTION-ALARM-UID:c3
        ACTION:DISPLAY
        DESCRIPTION:Choir
        TRIGGER;VALUE=DURATION;RELATED=START:-PT2H
        END:VALARM
        END:VEVENT
        """),
    ForeignEntry(
      name: "khal, no alarm",
      lines: """
        BEGIN:VEVENT
        SUMMARY:Lunch
        DTSTART;TZID=Asia/Seoul:20261224T120000
        DTEND;TZID=Europe/Berlin:20261224T050000
        DTSTAMP:20261120T080000Z
        UID:ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789
        SEQUENCE:0
        LOCATION:Gwanghwamun
        END:VEVENT
        """),
  ]
}
