import EggTestSupport
import EggTime
import Testing

@Suite struct ExpressionErrorTests {
  private static func context() throws -> ReadingContext {
    try ReadingContext(now: Instant(microseconds: 1_800_000_000_000_000), zone: Zone.named("Europe/Paris"))
  }

  @Test(
    "An error says at which byte reading stopped, why, and what may have been meant",
    arguments: [
      ("", 0, ExpressionError.Reason.empty, nil), ("   ", 0, .empty, nil), ("in", 2, .empty, nil),
      ("90", 0, .bareNumber, "90s"), ("1730", 0, .bareNumber, "17:30"),
      ("20271224", 0, .bareNumber, "2027-12-24"), ("2.5", 0, .bareNumber, "2.5s"),
      ("99999999999999999999", 0, .bareNumber, nil), ("  90", 2, .bareNumber, "90s"),
      ("at 5", 3, .bareNumber, "at 5:00"), ("at 1730", 3, .bareNumber, "at 17:30"),
      ("at 90", 3, .bareNumber, nil), ("every 5", 6, .bareNumber, nil),
      ("every 1730", 6, .bareNumber, "every 17:30"),
      ("P99999999999999M", 15, .calendarDuration, nil), ("infinity", 0, .infinity, nil),
      ("5x", 1, .unknownUnit, nil), ("  5 min 3 foo", 10, .unknownUnit, nil),
      ("5 secnods", 2, .unknownUnit, "5 seconds"),
      ("1h-30m", 2, .unexpected, nil), ("PT5", 3, .incomplete, nil),
      ("P1M", 2, .calendarDuration, "now + 1 month"),
      ("P2YT5M", 2, .calendarDuration, "now + 2 years"), ("PT1.5H", 5, .unexpected, nil),
      ("PT1S1M", 5, .unexpected, nil), ("@", 1, .incomplete, nil), ("@12x", 3, .unexpected, nil),
      ("2027-02-30", 8, .noSuchDate, nil), ("2027-13-01", 5, .noSuchDate, nil),
      ("24/12/2027", 0, .noSuchDate, nil),
      ("Feb 30", 4, .noSuchDate, nil), ("29 feb", 0, .noSuchDate, nil), ("2027. 2. 29.", 9, .noSuchDate, nil),
      ("24:00", 0, .noSuchTime, nil), ("2027-12-24 23:59:60", 17, .noSuchTime, nil),
      ("12:61", 3, .noSuchTime, nil),
      ("13pm", 0, .noSuchTime, nil), ("0am", 0, .noSuchTime, nil),
      ("Mon 2027-12-24", 0, .wrongWeekday(.friday), nil),
      ("2027-12-24 18:00 Europe/Nowhere", 17, .unknownZone, nil), ("18:00 EST", 6, .foreignAbbreviation, nil),
      ("18:00 XYZ", 6, .unknownZone, nil), ("daily MST", 6, .foreignAbbreviation, nil),
      ("2026. 12. 24. 18:00:00UTC", 22, .unexpected, nil), ("2026. 12. 24.UTC", 13, .unexpected, nil),
      ("18:00 ../etc", 6, .unexpected, nil), ("18:00 +25:00", 6, .unknownZone, nil),
      ("tomorow", 0, .unexpected, "tomorrow"), ("9am fridday", 4, .unknownZone, "9am friday"),
      ("next", 4, .incomplete, nil), ("next foo", 5, .unexpected, nil), ("5pm 6pm", 4, .unexpected, nil),
      ("tomorrow friday", 9, .unexpected, nil), ("18:00:00:00", 8, .unexpected, nil),
      ("2027-12-24t18:00", 10, .unexpected, nil), ("2027-12-24T18:00z", 16, .unexpected, nil),
      ("now + five minutes", 6, .unexpected, nil), ("now + 5", 7, .incomplete, nil),
      ("every day", 6, .unexpected, "daily"), ("every 5min", 7, .unexpected, "*:0/5"),
      ("every 2h", 7, .unexpected, "0/2:00"), ("every 7min", 7, .unexpected, nil), ("every", 5, .empty, nil),
      ("dayly", 0, .unexpected, "daily"), ("*:45/20", 2, .badRepetition, nil),
      ("Fri..Mon 12:00", 5, .badRepetition, nil), ("*-13-01", 2, .noSuchDate, nil),
      ("*:60", 2, .noSuchTime, nil), ("daily Mars/Phobos", 6, .unknownZone, nil),
      ("*:0/0", 2, .badRepetition, nil), ("1960-*-*", 0, .outOfBounds, nil),
      ("third friday", 0, .unexpected, nil), ("17h30", 3, .bareNumber, "17:30"),
      ("17h30x", 5, .unknownUnit, nil),
      ("Europe/Paris", 0, .unexpected, nil),
    ] as [(String, Int, ExpressionError.Reason, String?)])
  func errors(text: String, offset: Int, reason: ExpressionError.Reason, nearest: String?) throws {
    let context = try Self.context()
    #expect(throws: ExpressionError.unreadable(offset: offset, reason: reason, readings: nearest.map { [$0] } ?? [])) {
      try TimeExpression.read(text, in: context)
    }
  }

  @Test(
    "A class that is asked for takes no other's expressions",
    arguments: [
      ("07:30", ExpressionKind.span), ("tomorrow", .span), ("@1900000000", .span), ("5min ago", .span),
      ("at 07:30", .span),
      ("5min", .timestamp), ("PT5M", .timestamp), ("in 5min", .timestamp), ("90", .timestamp),
      ("5min", .calendar), ("in 5min", .calendar),
    ])
  func forced(text: String, kind: ExpressionKind) throws {
    let context = try Self.context()
    #expect(throws: ExpressionError.self) { try TimeExpression.read(text, in: context, as: kind) }
  }

  @Test(
    "What may have been meant can be read as the class that was asked for",
    arguments: [
      ("5", ExpressionKind.timestamp, "5:00"), ("90", .timestamp, "+90"), ("5", .calendar, nil),
      ("1730", .calendar, "17:30"), ("20271224", .calendar, "2027-12-24"), ("P1M", .span, nil),
      ("6m", .calendar, "*:0/6"),
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

  @Test("A span where a timestamp was asked for is offered with its sign")
  func signed() throws {
    let context = try Self.context()
    #expect(throws: ExpressionError.unreadable(offset: 4, reason: .incomplete, readings: ["+5min"])) {
      try TimeExpression.read("5min", in: context, as: .timestamp)
    }
  }

  @Test(
    "A leading word asks for a class, in any case and with any blanks",
    arguments: [
      ("in 5min", ExpressionKind.span), ("IN  90", .span), ("at 07:30", .timestamp),
      (" At tomorrow 5pm ", .timestamp), ("every friday", .calendar), ("EVERY 07:30 ", .calendar),
    ])
  func leading(text: String, kind: ExpressionKind) throws {
    #expect(try TimeExpression.read(text, in: Self.context()).kind == kind)
  }

  @Test("A zone whose file is broken is named as that")
  func brokenZone() throws {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc) { name throws(ZoneError) in
      throw .malformed(path: name)
    }
    #expect(throws: ExpressionError.unreadable(offset: 6, reason: .unusableZone, readings: [])) {
      try TimeExpression.read("18:00 Europe/Paris", in: context)
    }
  }

  @Test(
    "Reading the same text anew can lie ahead unless it names one fixed moment or one that is over",
    arguments: [
      ("6m30s", true), ("07:30", true), ("tomorrow", true), ("friday", true), ("24 dec", true),
      ("today 18:00", true),
      ("+5min", true), ("now + 1 day", true), ("next week", true), ("18:00 Europe/Nowhere", true),
      ("in 90", true),
      ("2099-12-24 18:00", false), ("2099. 12. 24.", false), ("@99999999999", false), ("5min ago", false),
      ("-5min", false), ("yesterday", false), ("yesterday 5pm", false), ("now", false), ("today", false),
      ("now - 5 minutes", false), ("31 July 2099", false), ("12/24/2099 18:00", false),
      ("Thu 2099-12-24", false),
      ("2099-12-24T18:00:00Z", false), ("at 2099-12-24", false), ("18:00 24.12.2099 Europe/Paris", false),
      ("gibberish", true),
    ])
  func ahead(text: String, expected: Bool) {
    #expect(TimeExpression.canLieAhead(text) == expected)
  }

  @Test("No text makes the reader trap, and what it reads reads back from its canonical text")
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
