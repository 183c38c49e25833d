import EggTestSupport
import EggTime
import Testing

@Suite struct ExpressionErrorTests {
  private static func context() throws -> ReadingContext {
    try ReadingContext(now: Instant(microseconds: 1_800_000_000_000_000), zone: Zone.named("Europe/Paris"))
  }

  @Test(
    "An error gives the byte where reading stopped, the reason, and what may have been meant",
    arguments: [
      ("", 0, ExpressionError.Reason.empty, []), ("   ", 0, .empty, []), ("in", 2, .incomplete, []),
      ("90", 0, .bareNumber, ["90m", "90s"]), ("1730", 0, .bareNumber, ["17:30"]),
      ("17.30", 0, .bareNumber, ["17:30"]), ("5", 0, .bareNumber, ["5m", "5s"]),
      ("20271224", 0, .bareNumber, ["2027-12-24"]), ("2.5", 0, .bareNumber, ["2.5m", "2.5s"]),
      ("99999999999999999999", 0, .bareNumber, []), ("  90", 2, .bareNumber, ["90m", "90s"]),
      ("in 5", 3, .bareNumber, ["in 5 minutes", "in 5 seconds"]),
      ("at 5", 3, .ambiguousHour, ["at 05:00", "at 17:00"]), ("at 90", 3, .bareNumber, []),
      ("every 5", 6, .bareNumber, ["every 5m", "every 5h"]),
      ("every 1730", 6, .bareNumber, ["every 17:30"]), ("3 days 5", 7, .bareNumber, []),
      ("P99999999999999M", 15, .calendarDuration, []), ("infinity", 0, .infinity, []),
      ("5x", 1, .unknownUnit, []), ("  5 min 3 foo", 10, .unknownUnit, []),
      ("5 secnods", 2, .unknownUnit, ["5 seconds"]), ("5M", 1, .unknownUnit, ["5m", "5 months"]),
      ("5H", 1, .unknownUnit, ["5h"]), ("1.5 months", 0, .calendarDuration, []),
      ("1h-30m", 2, .unexpected, []), ("PT5", 3, .incomplete, []),
      ("P1M", 2, .calendarDuration, ["now + 1 month"]),
      ("P2YT5M", 2, .calendarDuration, ["now + 2 years"]), ("PT1.5H", 5, .unexpected, []),
      ("PT1S1M", 5, .unexpected, []), ("@", 1, .incomplete, []), ("@12x", 3, .unexpected, []),
      ("@1900000000 UTC", 12, .epochWithZone, ["@1900000000"]),
      ("2027-02-30", 8, .noSuchDate, []), ("2027-13-01", 5, .noSuchDate, []),
      ("24/12/2027", 0, .ambiguousDate, ["2027-12-24"]),
      ("02/03/2027", 0, .ambiguousDate, ["2027-02-03", "2027-03-02"]),
      ("29-11-28", 0, .ambiguousDate, ["2029-11-28", "2028-11-29"]),
      ("5-6", 0, .ambiguousDate, ["2027-05-06", "2027-06-05"]),
      ("20 jan 28", 7, .ambiguousDate, ["2028-01-20", "2020-01-28"]),
      ("Feb 30", 4, .noSuchDate, []), ("2027. 2. 29.", 9, .noSuchDate, []),
      ("24:00", 0, .noSuchTime, []), ("2027-12-24 23:59:60", 17, .noSuchTime, []),
      ("12:61", 3, .noSuchTime, []),
      ("13pm", 0, .noSuchTime, []), ("0am", 0, .noSuchTime, []),
      ("Mon 2027-12-24", 0, .wrongWeekday(.friday), ["2027-12-24"]),
      ("2027-12-24 18:00 Europe/Nowhere", 17, .unknownZone, []),
      ("18:00 EST", 6, .foreignAbbreviation, ["18:00 America/New_York"]),
      ("18:00 XYZ", 6, .unknownZone, []),
      ("18:00 UTC+9", 6, .zoneWithOffset, ["18:00 +09:00"]),
      ("daily MST", 6, .foreignAbbreviation, ["daily America/Denver"]),
      ("daily CET", 6, .zoneOfRecurring, []), ("every monday 9:00 +09:00", 0, .zoneOfRecurring, []),
      ("tomorow", 0, .unexpected, ["tomorrow"]), ("9am fridday", 4, .unknownZone, ["9am friday"]),
      ("next", 0, .unexpected, []), ("5pm 6pm", 4, .unexpected, []),
      ("tomorrow friday", 9, .wrongWeekday(.saturday), []),
      ("tomorrow 7", 9, .ambiguousHour, ["tomorrow 07:00", "tomorrow 19:00"]),
      ("tomorrow evening", 9, .hourIsMissing, ["tomorrow 19:00"]),
      ("half past six", 0, .ambiguousHour, ["06:30", "18:30"]),
      ("next week", 0, .ambiguousWeek, ["now + 1 week", "next monday"]),
      ("friday week", 7, .ambiguousWeek, ["friday + 1 week", "friday next week"]),
      ("7:5", 0, .timeOrEvent, ["07:05"]), ("8:00,9:00", 0, .timeOrEvent, ["08,09:00"]),
      ("15:44,39:01", 6, .noSuchTime, []), ("every 20m at 9:00", 0, .intervalWithTime, []),
      ("every 500ms", 0, .shortInterval, []), ("every week 9:00", 0, .dayIsMissing, ["every monday 9:00"]),
      ("now + 5", 6, .bareNumber, ["now + 5 minutes", "now + 5 seconds"]),
      ("every", 5, .incomplete, []),
      ("dayly", 0, .unexpected, ["daily"]), ("*:45/20", 2, .badRepetition, []),
      ("Fri..Mon 12:00", 3, .badRepetition, []), ("*-13-01", 2, .noSuchDate, []),
      ("*:60", 2, .noSuchTime, []), ("daily Mars/Phobos", 6, .unknownZone, []),
      ("*:0/0", 2, .badRepetition, []), ("1960-*-*", 0, .outOfBounds, []),
      ("Europe/Paris", 0, .unexpected, []),
    ] as [(String, Int, ExpressionError.Reason, [String])])
  func errors(text: String, offset: Int, reason: ExpressionError.Reason, readings: [String]) throws {
    let context = try Self.context()
    #expect(throws: ExpressionError.unreadable(offset: offset, reason: reason, readings: readings)) {
      try TimeExpression.read(text, in: context)
    }
  }

  @Test(
    "A class that is asked for refuses expressions of other classes",
    arguments: [
      ("07:30", ExpressionKind.span), ("tomorrow", .span), ("@1900000000", .span), ("5min ago", .span),
      ("at 07:30", .span),
      ("five minutes", .span), ("every 5min", .span),
      ("5min", .timestamp), ("PT5M", .timestamp), ("90", .timestamp),
      ("tomorrow 07:30", .calendar), ("in 5min", .calendar),
    ])
  func forced(text: String, kind: ExpressionKind) throws {
    let context = try Self.context()
    #expect(throws: ExpressionError.self) { try TimeExpression.read(text, in: context, as: kind) }
  }

  @Test(
    "Suggested readings belong to the class that was asked for",
    arguments: [
      ("5", ExpressionKind.timestamp, "5:00"), ("90", .timestamp, "+90"), ("5", .calendar, "5m"),
      ("1730", .calendar, "17:30"), ("20271224", .calendar, "2027-12-24"), ("P1M", .span, nil),
      ("five minutes", .span, "5 minutes"), ("now + five minutes", .timestamp, "now + 5 minutes"),
    ] as [(String, ExpressionKind, String?)])
  func nearest(text: String, kind: ExpressionKind, expected: String?) throws {
    let context = try Self.context()
    do throws(ExpressionError) {
      _ = try TimeExpression.read(text, in: context, as: kind)
      Issue.record("'\(text)' is read")
    } catch {
      let nearest = error.nearest
      #expect(nearest == expected)
      if let nearest { _ = try TimeExpression.read(nearest, in: context, as: kind) }
    }
  }

  @Test(
    "A text of another kind is refused with the kind that is wanted",
    arguments: [
      ("07:30", ExpressionKind.span, ExpressionError.Reason.spanWanted, []),
      ("내일 7시", .span, .spanWanted, []),
      ("daily", .span, .spanWanted, []), ("5min", .timestamp, .momentWanted, ["+5min"]),
      ("2주", .timestamp, .momentWanted, ["+2w"]), ("mondays 9am", .timestamp, .momentWanted, []),
      ("tomorrow 07:30", .calendar, .recurrenceWanted, []),
    ] as [(String, ExpressionKind, ExpressionError.Reason, [String])])
  func wantedKind(
    text: String, kind: ExpressionKind, reason: ExpressionError.Reason, readings: [String]
  ) throws {
    let context = try Self.context()
    #expect(throws: ExpressionError.unreadable(offset: 0, reason: reason, readings: readings)) {
      try TimeExpression.read(text, in: context, as: kind)
    }
    for reading in readings { _ = try TimeExpression.read(reading, in: context, as: kind) }
  }

  @Test(
    "A leading word may have any case and be followed by any blanks",
    arguments: [
      ("in 5min", ExpressionKind.span), ("IN  90 s", .span), ("at 07:30", .timestamp),
      (" At tomorrow 5pm ", .timestamp), ("every friday", .calendar), ("EVERY 07:30 ", .calendar),
    ])
  func leading(text: String, kind: ExpressionKind) throws {
    #expect(try TimeExpression.read(text, in: Self.context()).kind == kind)
  }

  @Test("A zone with a broken file is reported as unusable")
  func brokenZone() throws {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc) { name throws(ZoneError) in
      throw .malformed(path: name)
    }
    #expect(throws: ExpressionError.unreadable(offset: 6, reason: .unusableZone, readings: [])) {
      try TimeExpression.read("18:00 Europe/Paris", in: context)
    }
  }

  @Test(
    "A text can name a future moment later, unless it names a fixed one or the past",
    arguments: [
      ("6m30s", true), ("07:30", true), ("tomorrow", true), ("friday", true), ("24 dec", true),
      ("today 18:00", true),
      ("+5min", true), ("now + 1 day", true), ("next month", true), ("18:00 Europe/Nowhere", true),
      ("in 90s", true),
      ("2099-12-24 18:00", false), ("2099. 12. 24.", false), ("@99999999999", false), ("5min ago", false),
      ("-5min", false), ("yesterday", false), ("yesterday 5pm", false), ("now", false), ("today", true),
      ("now - 5 minutes", false), ("31 July 2099", false), ("12/24/2099 18:00", false),
      ("Thu 2099-12-24", false),
      ("2099-12-24T18:00:00Z", false), ("at 2099-12-24", false), ("18:00 24.12.2099 Europe/Paris", false),
      ("gibberish", true),
    ])
  func ahead(text: String, expected: Bool) {
    #expect(TimeExpression.canLieAhead(text) == expected)
  }

  @Test("Random texts never trap the reader, and canonical texts read back")
  func randomTexts() throws {
    let pieces = [
      "0", "1", "7", "12", "24", "30", "59", "99", "2027", "1970", "9999", "99999999999999999999", ".", ":",
      "-", "/",
      "+", "@", "T", "Z", "P", " ", ",", "*", "..", "am", "pm", "min", "s", "h", "M", "y", "µs", "ago",
      "left", "now",
      "next", "this", "friday", "mon", "Jan", "feb", "tomorrow", "today", "yesterday", "noon", "UTC", "CEST",
      "Europe/Paris", "+05:30", "in", "at", "every", "week", "é", "\u{0}", "\u{1F95A}", "daily", "~", "Mon",
      "..", "*-*-", "*", "/", "5,7", "yearly",
    ]
    var random = SeededGenerator(seed: 42)
    let context = try Self.context()
    var read = 0
    for _ in 0..<3_000 {
      let text = (0...Int.random(in: 0...5, using: &random)).map { _ in
        (pieces.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
      }.joined()
      do throws(ExpressionError) {
        let expression = try TimeExpression.read(text, in: context)
        read += 1
        let again = try TimeExpression.read(
          expression.canonical, in: context, as: expression.kind == .calendar ? .calendar : nil)
        #expect(again.reading == expression.reading, "\(text)")
        #expect(again.canonical == expression.canonical, "\(text)")
      } catch {
        #expect((0...text.utf8.count).contains(error.offset ?? -1), "\(text)")
      }
      _ = TimeExpression.canLieAhead(text)
    }
    #expect(read > 50)
  }
}
