import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

@Suite struct MalformedCalendarTests {
  /// `line: message` of each problem, `entry` for each entry.
  private static func read(_ text: String) throws -> [String] {
    ICalendarReader.read(Array(text.utf8), in: try CalendarFixture.context()).map { result in
      switch result {
      case .success: "entry"
      case .failure(let problem): "\(problem.line): \(problem.message)"
      }
    }
  }

  private static let event = "BEGIN:VEVENT\nDTSTART:20261224T180000\nEND:VEVENT\n"

  @Test("A file that is no calendar is refused once")
  func noCalendar() throws {
    let refusal = "1: not an iCalendar file: it does not begin with BEGIN:VCALENDAR"
    for text in ["", "\n\n", "{\"number\":1}\n{\"number\":2}\n", "hello\nworld\n", Self.event] {
      #expect(try Self.read(text) == [refusal], "\(text)")
    }
  }

  @Test("Bad entries are reported with their lines; the others are read")
  func lines() throws {
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      \(Self.event)BEGIN:VEVENT
      this is no property
      DTSTART:20261224T180000
      END:VEVENT
      \(Self.event)BEGIN:VEVENT
      SUMMARY:x
      END:VEVENT
      BEGIN:VEVENT
      DTSTART:20260230T180000
      END:VEVENT
      BEGIN:VEVENT
      DTSTART;TZID=Mars/Base:20261224T180000
      END:VEVENT
      BEGIN:VJOURNAL
      DTSTART:20261224T180000
      END:VJOURNAL
      BEGIN:VEVENT
      DTSTART:20261224T180000
      STATUS:CANCELLED
      END:VEVENT
      END:VCALENDAR

      """
    #expect(
      try Self.read(text) == [
        "entry", "7: not an iCalendar line: NAME:VALUE expected", "entry",
        "13: it has no DTSTART, so nothing says when to ring",
        "17: DTSTART is not a date and time: '20260230T180000'",
        "20: TZID 'Mars/Base' is not a time zone of this machine", "27: it is cancelled",
      ])
  }

  @Test("A missing or surplus END is reported")
  func broken() throws {
    let begin = "BEGIN:VCALENDAR\nVERSION:2.0\n"
    #expect(
      try Self.read(begin + "BEGIN:VEVENT\nDTSTART:20261224T180000") == [
        "3: the file ends before END:VEVENT"
      ])
    #expect(
      try Self.read(begin + "END:VTODO\n" + Self.event + "END:VCALENDAR") == [
        "3: END:VTODO has no BEGIN", "entry",
      ])
    #expect(
      try Self.read(begin + "BEGIN:VEVENT\nDTSTART:20261224T180000\nEND:VCALENDAR\n")
        == ["3: BEGIN:VEVENT has no END"])
    #expect(
      try Self.read("BEGIN:VCALENDAR\nVERSION:1.0\nEND:VCALENDAR\n")
        == ["2: iCalendar version '1.0' is not supported, only 2.0"])
  }

  @Test("A bad value is quoted without control characters")
  func oddValues() throws {
    #expect(
      try CalendarFixture.problem("DTSTART:\u{1B}[2J") == "4: DTSTART is not a date and time: '\\u{1b}[2J'")
    #expect(
      try CalendarFixture.problem("DTSTART:20261224T180000\n" + ICalendarReaderTests.alarm("TRIGGER:-PT"))
        == "8: '-PT' is not a TRIGGER")
    #expect(
      try CalendarFixture.problem("DTSTART:20261224T180000\nX-EGGD-EGGS:0")
        == "5: X-EGGD-EGGS is not a number from 1 to 1000000")
    #expect(
      try CalendarFixture.problem("DTSTART:19691231T235959Z") == "3: it rings before 1970 or after 9999")
  }

  @Test("Any bytes are read to the end")
  func anything() throws {
    var random = SeededGenerator(seed: 2_445)
    let context = try CalendarFixture.context()
    let words = [
      "BEGIN:VCALENDAR\n", "END:VCALENDAR\n", "BEGIN:VEVENT\n", "END:VEVENT\r\n", "BEGIN:VTODO\n",
      "END:VTODO\n",
      "BEGIN:VALARM\nACTION:AUDIO\n", "END:VALARM\n", "TRIGGER:-P99999D\n",
      "TRIGGER;RELATED=END:PT9999999999S\n",
      "DTSTART:20261224T180000\n", "DTSTART:00000101T000000\n", "DTSTART:99991231T235960Z\n",
      "DTSTART;TZID=Europe/Paris:20270328T023000\n", "DTEND:99991231\n", "DURATION:P1W\n",
      "RRULE:FREQ=YEARLY;INTERVAL=1000000\n", "RRULE:FREQ=SECONDLY;BYSECOND=0\n",
      "RRULE:FREQ=MONTHLY;BYDAY=-5MO\n",
      "RRULE:FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2\n", "RRULE:FREQ=HOURLY;COUNT=9223372036854775807\n",
      "RRULE:FREQ=WEEKLY;UNTIL=99991231T235959Z\n", "X-EGGD-EVENT:*-*-31 0/5:0\n",
      "BEGIN:VTIMEZONE\nTZID:x\n", "A;B=\"",
      " ", "\n", ":", ";", "=", ",", "\\", "\u{0}", "SUMMARY:\u{E9}\n", "CATEGORIES:a,b\\,,soft\n", "END:\n",
      "BEGIN:\n",
    ].map { Array($0.utf8) }
    for _ in 0..<3_000 {
      var bytes: [UInt8] = Int.random(in: 0..<4, using: &random) > 0 ? words[0] + words[2] : []
      for _ in 0..<Int.random(in: 0...25, using: &random) {
        bytes += words.randomElement(using: &random) ?? []
      }
      if Bool.random(using: &random), let index = bytes.indices.randomElement(using: &random) {
        bytes[index] = .random(in: 0...255, using: &random)
      }
      let lines = 1...(bytes.count { $0 == UInt8(ascii: "\n") } + 1)
      for result in ICalendarReader.read(bytes, in: context) {
        switch result {
        case .failure(let problem): #expect(lines.contains(problem.line))
        case .success(let entry): #expect(lines.contains(entry.line))
        }
      }
    }
  }

  @Test(
    "A problem names the entry by its SUMMARY, if that says anything",
    arguments: [("SUMMARY:eggs", "eggs"), ("SUMMARY:", nil), ("SUMMARY: ", nil), ("LOCATION:kitchen", nil)])
  func named(line: String, summary: String?) throws {
    let message = "it has no DTSTART, so nothing says when to ring"
    #expect(
      try CalendarFixture.read("BEGIN:VEVENT\n\(line)\nEND:VEVENT")
        == [.failure(CalendarProblem(line: 3, summary: summary, message: message))])
  }

  @Test("Thousands of entries are read")
  func many() throws {
    let entry =
      "BEGIN:VEVENT\r\nUID:x\r\nDTSTART;TZID=Europe/Paris:20261224T180000\r\nSUMMARY:eggs\r\nEND:VEVENT\r\n"
    let text =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + String(repeating: entry, count: 20_000) + "END:VCALENDAR\r\n"
    #expect(ICalendarReader.read(Array(text.utf8), in: try CalendarFixture.context()).count == 20_000)
  }
}
