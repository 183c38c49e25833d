import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

/// Files of one entry, of which some fields are changed and everything else stays.
@Suite struct CalendarItemTests {
  private static let now = Instant(microseconds: 1_790_000_000_000_000)
  private static let context = ReadingContext(now: now, zone: .utc)

  private static func file(_ lines: String...) -> [UInt8] {
    Array(
      (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n").utf8)
  }

  private static let meeting = file(
    "BEGIN:VEVENT", "UID:a-1@example.org", "DTSTAMP:20260101T000000Z", "LAST-MODIFIED:20260102T030405Z",
    "DTSTART:20270301T090000Z", "DURATION:PT1H", "SUMMARY:Meeting",
    "LOCATION;LANGUAGE=de:ein langer Ort\\, der", "  gefaltet ist",
    "ATTENDEE;CN=\"A: B\":mailto:a@example.org",
    "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "DESCRIPTION:x", "END:VALARM", "END:VEVENT")

  private static func moment(_ text: String) throws -> Instant {
    try #require(CalendarMoment(text)?.instant(.utc))
  }

  private static func answered(_ entry: [String], _ alarm: [String] = []) throws -> CalendarAnswers {
    let lines =
      ["BEGIN:VEVENT", "UID:a", "DTSTART:20270301T090000Z"] + entry
      + ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M"] + alarm + ["END:VALARM", "END:VEVENT"]
    return try item(
      Array((["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n").utf8)
    ).answers
  }

  @Test("Answers are read as RFC 9074 and Thunderbird write them") func answers() throws {
    let at = try Self.moment("20270301T084510Z")
    let end = try Self.moment("20270301T085010Z")
    #expect(try Self.answered([]) == .none)
    #expect(
      try Self.answered([], ["ACKNOWLEDGED:20270301T084510Z"]) == .last(CalendarAnswer(at: at)))
    #expect(try Self.answered(["X-MOZ-LASTACK:20270301T084510Z"]) == .last(CalendarAnswer(at: at)))
    let snoozed = CalendarAnswers.last(CalendarAnswer(at: at, snoozedUntil: end))
    #expect(
      try Self.answered([
        "X-MOZ-LASTACK:20270301T084510Z", "X-MOZ-SNOOZE-TIME-1803891600000000:20270301T085010Z",
      ]) == snoozed)
    let snooze = [
      "END:VALARM", "BEGIN:VALARM", "ACTION:DISPLAY", "RELATED-TO;REL", " TYPE=SNOOZE:b",
      "TRIGGER;VALUE=DATE-TIME:20270301T085010Z",
    ]
    #expect(try Self.answered([], ["ACKNOWLEDGED:20270301T084510Z"] + snooze) == snoozed)
    #expect(
      try Self.answered(
        [], ["ACKNOWLEDGED:20270301T084510Z"] + snooze + ["ACKNOWLEDGED:20270301T085012Z"])
        == .last(CalendarAnswer(at: at)))
    let later = try Self.moment("20270301T085012Z")
    #expect(
      try Self.answered([], ["ACKNOWLEDGED:20270301T085012Z"] + snooze) == .last(CalendarAnswer(at: later)))
  }

  @Test(
    "A snooze that is not understood is none, and no dismissal",
    arguments: ["TRIGGER:PT5M", "TRIGGER;VALUE=DATE-TIME:20270301T085010", "TRIGGER:soon", "X-NONE:1"])
  func unclear(line: String) throws {
    #expect(
      try Self.answered(
        [],
        [
          "ACKNOWLEDGED:20270301T084510Z", "END:VALARM", "BEGIN:VALARM", "ACTION:AUDIO",
          "RELATED-TO;RELTYPE=SNOOZE:b", line,
        ]) == .unclear)
    #expect(
      try Self.answered(["X-MOZ-LASTACK:20270301T084510Z", "X-MOZ-SNOOZE-TIME:later"]) == .unclear)
  }

  @Test("An answer is written for both, instead of the one before, and the rest stays") func answering()
    throws
  {
    let at = try Self.moment("20270301T084510Z")
    let end = try Self.moment("20270301T085010Z")
    let item = try Self.item(Self.meeting)
    let snoozed = item.text(answered: CalendarAnswer(at: at, snoozedUntil: end), of: nil)
    let second = try Self.item(Array(snoozed.utf8))
    #expect(second.answers == .last(CalendarAnswer(at: at, snoozedUntil: end)))
    #expect(second.entry?.rules == item.entry?.rules && second.entry?.timing == item.entry?.timing)
    for line in [
      "ATTENDEE;CN=\"A: B\":mailto:a@example.org", "X-MOZ-SNOOZE-TIME:20270301T085010Z",
      "X-MOZ-LASTACK:20270301T084510Z", "ACKNOWLEDGED:20270301T084510Z",
      "RELATED-TO;RELTYPE=SNOOZE:a-1@example.org-ring", "UID:a-1@example.org-ring",
      "TRIGGER;VALUE=DATE-TIME:20270301T085010Z", "LAST-MODIFIED:20260102T030405Z",
    ] {
      #expect(snoozed.contains(line + "\r\n"), "\(line)")
    }
    let dismissed = second.text(answered: CalendarAnswer(at: end), of: nil)
    #expect(!dismissed.contains("SNOOZE") && dismissed.contains("ACKNOWLEDGED:20270301T085010Z\r\n"))
    #expect(try Self.item(Array(dismissed.utf8)).answers == .last(CalendarAnswer(at: end)))
    let recurring = item.text(answered: CalendarAnswer(at: at, snoozedUntil: end), of: at)
    #expect(recurring.contains("X-MOZ-SNOOZE-TIME-\(at.microseconds):20270301T085010Z\r\n"))
  }

  private static func item(_ bytes: [UInt8]) throws -> CalendarItem { try CalendarItem(bytes, in: context) }

  private static func content(_ bytes: [UInt8]) throws -> CalendarContent {
    CalendarContent(try #require(item(bytes).entry), at: now)
  }

  /// The file after these fields were given other values.
  private static func changed(
    _ bytes: [UInt8], _ fields: Set<CalendarContent.Field>, _ change: (inout CalendarContent) -> Void
  ) throws -> [UInt8] {
    Array(try #require(edited(bytes, fields, change)?.text).utf8)
  }

  private static func edited(
    _ bytes: [UInt8], _ fields: Set<CalendarContent.Field>, _ change: (inout CalendarContent) -> Void
  ) throws -> CalendarItem.Edited? {
    let item = try item(bytes)
    let old = try content(bytes)
    var new = old
    change(&new)
    return item.edited(
      fields, to: CalendarAlarm(new, uid: item.uid), from: old, in: context, daysOff: { _ in nil },
      reading: { $0.entry.map { CalendarContent($0, at: now) } })
  }

  @Test("UID, moment of the last change and content are read") func reading() throws {
    let item = try Self.item(Self.meeting)
    #expect(item.uid == "a-1@example.org")
    #expect(item.modifiedAt == CalendarMoment("20260102T030405Z")?.instant(.utc))
    let content = try Self.content(Self.meeting)
    #expect(content.label == "Meeting")
    #expect(content.time.timing == .instant(try #require(CalendarMoment("20270301T090000Z")).instant(.utc)))
    #expect(content.time.rules.leads.map(\.description) == ["15min"])
  }

  @Test("A changed label leaves all other lines byte for byte") func oneField() throws {
    let changed = try Self.changed(Self.meeting, [.label]) { $0.label = "Long meeting" }
    let text = String(decoding: changed, as: UTF8.self)
    #expect(text.contains("\r\nSUMMARY:Long meeting\r\n"))
    #expect(!text.contains("SUMMARY:Meeting"))
    for line in String(decoding: Self.meeting, as: UTF8.self).split(separator: "\r\n")
    where !["SUMMARY", "DTSTAMP", "LAST-MO", "SEQUENCE"].contains(where: line.hasPrefix) {
      #expect(text.contains("\r\n\(line)\r\n") || text.hasPrefix("\(line)\r\n"), "\(line)")
    }
    #expect(try Self.content(changed).differences(from: Self.content(Self.meeting)) == [.label])
  }

  @Test(
    "Each field that is carried over reads as it was given, and no other changes",
    arguments: CalendarContent.Field.allCases)
  func eachField(_ field: CalendarContent.Field) throws {
    let moved = CalendarEntry.Timing.civil(
      CivilDateTime(year: 2027, month: 4, day: 1, hour: 7, minute: 30, second: 0), zone: "Asia/Seoul")
    let give: (inout CalendarContent) -> Void = { content in
      switch field {
      case .label: content.label = nil
      case .summary: content.summary = "Ready"
      case .body: content.body = "a\nb, c; \\"
      case .note: content.note = "한글"
      case .category: content.category = .soft
      case .eggs: content.eggs = 7
      case .group: content.group = "Breakfast, Sunday"
      case .done: content.isDone = true
      case .time: content.time = .init(moved)
      case .leads: content.time.rules.leads = [Lead("20min")].compactMap(\.self)
      }
    }
    for kind in ["VEVENT", "VTODO"] {
      let file = Array(
        String(decoding: Self.meeting, as: UTF8.self).replacing("VEVENT", with: kind)
          .replacing("DURATION:PT1H", with: "X-OTHER:1").utf8)
      var expected = try Self.content(file)
      give(&expected)
      let changed = try Self.changed(file, [field], give)
      #expect(try Self.content(changed) == expected, "\(kind)")
      #expect(String(decoding: changed, as: UTF8.self).contains("LOCATION;LANGUAGE=de"))
    }
  }

  @Test(
    "A new time moves what changed single occurrences; without a rule there would be none, so the file stays")
  func overrides() throws {
    let series = Self.file(
      "BEGIN:VEVENT", "UID:s", "DTSTAMP:20260101T000000Z", "DTSTART:20270301T090000Z", "RRULE:FREQ=WEEKLY",
      "SUMMARY:Weekly", "END:VEVENT", "BEGIN:VEVENT", "UID:s", "DTSTAMP:20260101T000000Z",
      "RECURRENCE-ID:20270308T090000Z", "DTSTART:20270309T090000Z", "SUMMARY:Weekly", "END:VEVENT")
    let labelled = try Self.changed(series, [.label]) { $0.label = "Seldom" }
    #expect(String(decoding: labelled, as: UTF8.self).contains("RECURRENCE-ID"))
    #expect(try Self.content(labelled).time == Self.content(series).time)
    let event = try #require(CalendarEvent("Mon 10:30"))
    let moved = try Self.changed(series, [.time]) {
      $0.time = .init(.every(.event(event), zone: "UTC"))
    }
    let text = String(decoding: moved, as: UTF8.self)
    #expect(text.contains("RECURRENCE-ID:20270308T103000Z\r\nDTSTART:20270309T103000Z"))
    #expect(text.contains("DTSTART:20270301T103000Z\r\nRRULE:FREQ=WEEKLY\r\n"))
    let moment = Instant(microseconds: 1_810_000_000_000_000)
    let once = try Self.edited(series, [.time, .label]) {
      ($0.time, $0.label) = (.init(.instant(moment)), "Once")
    }
    #expect(once?.unsaid == [.time] && once?.text?.contains("SUMMARY:Once") == true)
    #expect(try Self.content(Array(#require(once?.text).utf8)).time == Self.content(series).time)
  }

  @Test("A series of days that are due at a time gets another time, and other days") func dueAtATime() throws
  {
    let series = Self.file(
      "BEGIN:VTODO", "UID:t", "DTSTAMP:20260101T000000Z", "DTSTART;VALUE=DATE:20260907",
      "DUE:20260907T090000",
      "RRULE:FREQ=DAILY", "SUMMARY:Pills", "X-APPLE-SORT-ORDER:1", "END:VTODO")
    for (event, lines) in [
      ("daily 10:30", ["DTSTART;VALUE=DATE:20260907", "DUE:20260907T103000", "RRULE:FREQ=DAILY"]),
      ("Mon 20:00", ["DTSTART;VALUE=DATE:20260921", "DUE:20260921T200000", "RRULE:FREQ=WEEKLY;BYDAY=MO"]),
    ] {
      let event = CalendarEntry.Timing.every(.event(try #require(CalendarEvent(event))), zone: nil)
      let edited = try #require(try Self.edited(series, [.time]) { $0.time = .init(event) })
      #expect(edited.unsaid.isEmpty)
      let text = edited.text ?? ""
      for line in lines + ["X-APPLE-SORT-ORDER:1"] { #expect(text.contains("\r\n\(line)\r\n"), "\(text)") }
    }
    let once = try #require(
      try Self.edited(series, [.time]) {
        $0.time = .init(.instant(Instant(microseconds: 1_810_000_000_000_000)))
      })
    #expect(once.unsaid.isEmpty && once.text?.contains("RRULE") == false)
  }

  @Test("An alarm that waits for a place stays as it is when its entry moves") func place() throws {
    let trigger = "TRIGGER;VALUE=DATE-TIME:19760401T005545Z"
    let file = Self.file(
      "BEGIN:VEVENT", "UID:p", "DTSTAMP:20260101T000000Z", "DTSTART:20270301T090000Z", "SUMMARY:Milk",
      "BEGIN:VALARM", "ACTION:DISPLAY", trigger, "X-APPLE-PROXIMITY:ARRIVE", "END:VALARM", "END:VEVENT")
    let moved = try #require(
      try Self.edited(file, [.time]) {
        $0.time = .init(.instant(Instant(microseconds: 1_810_000_000_000_000)))
      })
    #expect(moved.unsaid.isEmpty && moved.text?.contains("\r\n\(trigger)\r\n") == true)
    let answered = try Self.item(file).text(answered: CalendarAnswer(at: Self.now), of: nil)
    #expect(!answered.contains("ACKNOWLEDGED"))
  }

  @Test("A done one-shot stays an event, and other calendars do not ring for it") func done() throws {
    var content = try Self.content(Self.meeting)
    content.isDone = true
    let text = try #require(CalendarItem.text(of: CalendarAlarm(content, uid: "u"), in: Self.context))
    #expect(text.contains("BEGIN:VEVENT") && !text.contains("ACTION:DISPLAY"))
    let undone = try Self.changed(Array(text.utf8), [.done]) { $0.isDone = false }
    #expect(String(decoding: undone, as: UTF8.self).contains("ACTION:DISPLAY"))
    #expect(try Self.content(undone).isDone == false)
  }

  @Test("An alarm that shows its entry's summary shows the new one") func retitled() throws {
    var content = try Self.content(Self.meeting)
    content.label = "A, b"
    let text = try #require(CalendarItem.text(of: CalendarAlarm(content, uid: "u"), in: Self.context))
    #expect(text.contains("DESCRIPTION:A\\, b"))
    let long = String(repeating: "가,", count: 15)
    let changed = try Self.changed(Array(text.utf8), [.label]) { $0.label = long }
    #expect(try Self.content(changed).label == long)
    let unfolded = String(decoding: changed, as: UTF8.self).replacing("\r\n ", with: "")
    #expect(unfolded.contains("DESCRIPTION:\(ContentText.escaped(long))"))
    #expect(!unfolded.contains("A\\, b"))
  }

  @Test("A start or a rule that another program changed counts, not what an export wrote beside it")
  func changedElsewhere() throws {
    let every = try #require(RecurringInterval("5h from 2026-11-20 20:30:00 UTC"))
    let alarm = WrittenCalendar.alarm(.every(.interval(every)), zone: "UTC") { _ in }
    let text = try #require(CalendarItem.text(of: alarm, in: Self.context))
    #expect(text.contains("X-EGGD-INTERVAL"))
    #expect(try Self.content(Array(text.utf8)).time.timing == .every(.interval(every), zone: "UTC"))
    let faster = text.replacing("INTERVAL=5", with: "INTERVAL=4")
    #expect(faster != text)
    #expect(try Self.content(Array(faster.utf8)).time.timing != .every(.interval(every), zone: "UTC"))
    let start = try #require(text.firstMatch(of: /DTSTART:[0-9]{8}T[0-9]{2}/)?.output)
    let later = text.replacing(start, with: start.dropLast(2) + "23")
    #expect(try Self.content(Array(later.utf8)).time.timing != .every(.interval(every), zone: "UTC"))
  }

  @Test(
    "Anything but one entry is refused",
    arguments: [
      ("BEGIN:VTIMEZONE\r\nEND:VTIMEZONE", "it has no event and no to-do"),
      ("BEGIN:VEVENT\r\nDTSTART:20270101T000000Z\r\nEND:VEVENT", "its entry has no UID"),
      (
        "BEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:b\r\nEND:VEVENT",
        "it has several entries, not one"
      ),
      ("BEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT", "it has no DTSTART, so nothing says when to ring"),
    ])
  func refusals(_ lines: String, _ message: String) {
    #expect {
      _ = try Self.item(Self.file(lines))
    } throws: {
      ($0 as? CalendarProblem)?.message == message
    }
  }

  @Test("Files that end early or close what is not open are refused") func broken() {
    for text in [
      "", "x", "BEGIN:VCALENDAR", "END:VCALENDAR", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR",
      "\r\n \r\n",
    ] {
      #expect(throws: CalendarProblem.self) { try Self.item(Array(text.utf8)) }
    }
  }
}
