import EggTestSupport
import EggTime
import Testing

/// The hard cases of time expressions, one rule each.
@Suite struct SemanticsTests {
  /// Reads a text at a civil time of a zone.
  private func read(
    _ text: String, at now: String, in zone: String, as kind: ExpressionKind? = nil
  ) throws -> TimeExpression {
    let zone = try Zone.named(zone)
    let instant = zone.resolve(try #require(CivilDateTime(now))).instant
    return try TimeExpression.read(text, in: ReadingContext(now: instant, zone: zone), as: kind)
  }

  /// What the zone's clock shows when it rings.
  private func shown(_ text: String, at now: String, in zone: String) throws -> String {
    let moment = try #require(try read(text, at: now, in: zone).moment)
    return try Zone.named(zone).civil(at: moment).description
  }

  @Test(
    "In a gap an alarm rings later by the length of the gap",
    arguments: [
      ("2027-03-28 02:30", "2027-01-01 00:00:00", "Europe/Paris", "2027-03-28 03:30:00", 3_600),
      ("2027-10-03 02:15", "2027-01-01 00:00:00", "Australia/Lord_Howe", "2027-10-03 02:45:00", 1_800),
      ("2027-03-28 01:30", "2027-01-01 00:00:00", "Antarctica/Troll", "2027-03-28 03:30:00", 7_200),
      // Midnight itself does not exist.
      ("2027-03-14 00:00", "2027-01-01 00:00:00", "America/Havana", "2027-03-14 01:00:00", 3_600),
      ("tomorrow 00:00", "2027-03-13 12:00:00", "America/Havana", "2027-03-14 01:00:00", 3_600),
      // A whole day does not exist.
      ("2011-12-30 10:00", "2011-12-01 00:00:00", "Pacific/Apia", "2011-12-31 10:00:00", 86_400),
    ])
  func gaps(text: String, now: String, zone: String, expected: String, length: Int64) throws {
    #expect(try shown(text, at: now, in: zone) == expected)
    guard case .gap(_, let found) = try read(text, at: now, in: zone).resolution else {
      Issue.record("no gap")
      return
    }
    #expect(found == .seconds(length))
  }

  @Test(
    "In a fold an alarm rings the first time",
    arguments: [
      ("2027-10-31 02:30", "2027-01-01 00:00:00", "Europe/Paris", 7_200, 3_600),
      ("2027-04-04 01:45", "2027-01-01 00:00:00", "Australia/Lord_Howe", 39_600, 1_800),
      ("2027-10-31 01:30", "2027-01-01 00:00:00", "Antarctica/Troll", 7_200, 7_200),
    ])
  func folds(text: String, now: String, zone: String, offset: Int, apart: Int64) throws {
    let expression = try read(text, at: now, in: zone)
    guard case .fold(let first, let second) = expression.resolution else {
      Issue.record("no fold")
      return
    }
    #expect(expression.moment == first)
    #expect(second - first == .seconds(apart))
    #expect(try Zone.named(zone).offset(at: first) == offset)
  }

  @Test(
    "Elapsed time ignores the wall clock; days and longer units in phrases follow it",
    arguments: [
      ("1day", "2027-03-28 13:00:00"), ("+1day", "2027-03-28 13:00:00"), ("P1D", "2027-03-28 13:00:00"),
      ("now + 24 hours", "2027-03-28 13:00:00"), ("now + 1 day", "2027-03-28 12:00:00"),
      ("next day", "2027-03-28 12:00:00"), ("next hour", "2027-03-27 13:00:00"),
      ("next minute", "2027-03-27 12:01:00"), ("now + 1 week", "2027-04-03 12:00:00"),
      ("1 month", "2027-04-27 12:00:00"), ("1 month 2 days", "2027-04-29 12:00:00"),
      ("1 month 3 h", "2027-04-27 15:00:00"), ("2 years", "2029-03-27 12:00:00"),
      ("next month", "2027-04-27 12:00:00"), ("next year", "2028-03-27 12:00:00"),
    ])
  func arithmetic(text: String, expected: String) throws {
    #expect(try shown(text, at: "2027-03-27 12:00:00", in: "Europe/Paris") == expected)
  }

  @Test(
    "Without a full date, the next such moment is meant",
    arguments: [
      // Friday, nine o'clock.
      ("09:00", "2027-01-16 09:00:00"), ("09:00:01", "2027-01-15 09:00:01"),
      ("friday 9am", "2027-01-22 09:00:00"),
      ("friday 10am", "2027-01-15 10:00:00"), ("next friday 10am", "2027-01-22 10:00:00"),
      ("this friday 8am", "2027-01-22 08:00:00"), ("thursday", "2027-01-21 09:00:00"),
      ("Jan 14", "2028-01-14 09:00:00"), ("Jan 16", "2027-01-16 09:00:00"),
      ("15 jan 10:00", "2027-01-15 10:00:00"),
      ("Wed, 17:48", "2027-01-20 17:48:00"), ("noon,tomorrow", "2027-01-16 12:00:00"),
      ("12am", "2027-01-16 00:00:00"), ("12:30 pm", "2027-01-15 12:30:00"),
      ("12:30:15AM", "2027-01-16 00:30:15"),
    ])
  func nextOnes(text: String, expected: String) throws {
    #expect(try shown(text, at: "2027-01-15 09:00:00", in: "Europe/Paris") == expected)
  }

  @Test(
    "A fixed moment in the past is refused, never moved",
    arguments: [
      "2027-01-15 09:00", "2027-01-15 08:59:59.999999", "today", "today 09:00", "yesterday 23:00",
      "@1800000000",
      "5min ago", "-5min", "now", "now - 1 day", "15 jan 09:00", "2027. 01. 15. 09:00:00",
      "2027-01-15T08:00:00Z",
    ])
  func past(text: String) throws {
    let expression = try read(text, at: "2027-01-15 09:00:00", in: "Europe/Paris")
    let context = try ReadingContext(
      now: Instant(microseconds: 1_800_000_000_000_000), zone: Zone.named("Europe/Paris"))
    let moment = try #require(expression.moment)
    #expect(throws: ExpressionError.inThePast(moment)) { try expression.instant(in: context) }
  }

  @Test("A span is never in the past, not even an empty one", arguments: ["0s", "PT0S", "in 0s", "1us"])
  func emptySpan(text: String) throws {
    let context = ReadingContext(now: Instant(microseconds: 1_800_000_000_000_000), zone: .utc)
    #expect(try TimeExpression.read(text, in: context).instant(in: context) >= context.now)
  }

  @Test(
    "A zone applies to the whole expression and is stored",
    arguments: [
      (
        "tomorrow 07:30 America/New_York",
        ExpressionReading.civil(civil("2027-01-16 07:30:00"), zone: "America/New_York")
      ),
      // It is already Friday evening there.
      ("tomorrow Pacific/Auckland", .civil(civil("2027-01-16 09:00:00"), zone: "Pacific/Auckland")),
      ("saturday Pacific/Kiritimati", .civil(civil("2027-01-16 09:00:00"), zone: "Pacific/Kiritimati")),
      ("18:00", .civil(civil("2027-01-15 18:00:00"), zone: nil)),
      ("18:00 UTC", .civil(civil("2027-01-15 18:00:00"), zone: "UTC")),
      ("18:00 Z", .instant(Instant(microseconds: 1_800_036_000_000_000))),
      ("18:00 +05:30", .instant(Instant(microseconds: 1_800_016_200_000_000))),
      ("18:00 -0530", .instant(Instant(microseconds: 1_800_055_800_000_000))),
      // The abbreviation is an hour off in the other season.
      ("18:00 CET", .instant(Instant(microseconds: 1_800_032_400_000_000))),
      ("18:00 CEST", .instant(Instant(microseconds: 1_800_028_800_000_000))),
      ("2027-10-31 02:30 CET", .instant(Instant(microseconds: 1_824_946_200_000_000))),
      ("now + 1 day", .civil(civil("2027-01-16 09:00:00"), zone: nil)),
      ("now + 1 hour", .span(.seconds(3_600))),
      ("5min left", .span(.seconds(300))),
      ("5min ago", .instant(Instant(microseconds: 1_799_999_700_000_000))),
      ("in 90 s", .span(.seconds(90))), ("at 18:00", .civil(civil("2027-01-15 18:00:00"), zone: nil)),
    ])
  func zones(text: String, expected: ExpressionReading) throws {
    #expect(try read(text, at: "2027-01-15 09:00:00", in: "Europe/Paris").reading == expected)
  }

  @Test(
    "The seventh digit rounds timestamps, even into the next day, and is dropped in spans",
    arguments: [
      ("2027-12-24 18:00:00.1234565", "2027-12-24 18:00:00.123457"),
      ("2027-12-24 18:00:00.1234564", "2027-12-24 18:00:00.123456"),
      ("2027-12-31 23:59:59.9999999", "2028-01-01 00:00:00"),
    ])
  func rounding(text: String, expected: String) throws {
    #expect(try shown(text, at: "2027-01-15 09:00:00", in: "Europe/Paris") == expected)
  }

  @Test("Months and years count on the calendar, or as averages in systemd's forms, with a hint")
  func hints() throws {
    let now = "2027-01-15 09:00:00"
    let context = try ReadingContext(
      now: Instant(microseconds: 1_800_000_000_000_000), zone: Zone.named("UTC"))
    #expect(try read("1 month", at: now, in: "UTC").hint == .calendarUnits)
    #expect(try read("2y", at: now, in: "UTC").hint == .calendarUnits)
    #expect(
      try TimeExpression.read("1 month", in: context, as: .span).hint
        == .averageUnits(instead: "now + 1 month"))
    #expect(try read("2 weeks", at: now, in: "UTC").hint == nil)
    #expect(try read("+1month", at: now, in: "UTC").hint == .averageUnits(instead: "now + 1 month"))
    #expect(try read("2y left", at: now, in: "UTC").hint == .averageUnits(instead: "now + 2 years"))
    #expect(try read("1 month ago", at: now, in: "UTC").hint == nil)
    #expect(try read("now + 1 month", at: now, in: "UTC").hint == nil)
  }

  @Test(
    "A day without a time is recognised in any zone",
    arguments: [
      ("2027-12-24", true), ("Dec 24", true), ("friday", true), ("today", true), ("2027-12-24 +09:00", true),
      ("24.12.2027 Asia/Seoul", true), ("2027. 12. 24.", true), ("2027-12-24 00:00", false),
      ("Dec 24 12am", false), ("midnight friday", false), ("18:00", false), ("now + 2 days", false),
      ("@1800000000", false), ("2 days", false),
    ])
  func dayAlone(text: String, expected: Bool) throws {
    #expect(try read(text, at: "2027-01-15 09:00:00", in: "Europe/Paris").isDayAlone == expected)
  }

  @Test(
    "Old zone names are refused, and the present name is suggested",
    arguments: [
      ("ROK", "Asia/Seoul"), ("NZ", "Pacific/Auckland"), ("Turkey", "Europe/Istanbul"),
      ("Cuba", "America/Havana"), ("Navajo", "America/Denver"), ("EST", "America/New_York"),
    ])
  func oldNames(name: String, instead: String) throws {
    for kind in [nil, ExpressionKind.timestamp] {
      let context = try ReadingContext(
        now: Instant(microseconds: 1_800_000_000_000_000), zone: Zone.named("Europe/Paris"))
      let misread = ExpressionError.unreadable(
        offset: 17, reason: .foreignAbbreviation, readings: ["2027-02-01 07:30 \(instead)"])
      #expect(throws: misread) { try TimeExpression.read("2027-02-01 07:30 \(name)", in: context, as: kind) }
    }
  }

  @Test("GMT and utc are UTC, and posixrules is no zone", arguments: ["GMT", "gmt", "utc", "UTC"])
  func universalTime(name: String) throws {
    #expect(
      try read("07:30 \(name)", at: "2027-01-15 09:00:00", in: "Europe/Paris").reading
        == .civil(civil("2027-01-16 07:30:00"), zone: "UTC"))
    #expect(throws: ExpressionError.self) {
      try read("07:30 posixrules", at: "2027-01-15 09:00:00", in: "Europe/Paris")
    }
  }

  @Test(
    "In an overlap across midnight, a bare time always lies ahead",
    arguments: ["America/St_Johns", "Antarctica/Casey"])
  func overlapAcrossMidnight(zone name: String) throws {
    let zone = try Zone.named(name)
    // Both were set back across midnight in 2010.
    var now = Instant(microseconds: 1_262_304_000_000_000)
    let end = now + .seconds(366 * 86_400)
    while let change = zone.period(at: now).end, change < end {
      for minutes in stride(from: -240, through: 240, by: 5) {
        let context = ReadingContext(now: change + .seconds(Int64(minutes * 60 + 1)), zone: zone)
        for text in ["23:10", "23:59", "00:00", "00:30", "01:15", "sunday 00:00", "friday 23:30"] {
          let expression = try TimeExpression.read(text, in: context)
          let due = try expression.instant(in: context)
          #expect(due > context.now)
          #expect(expression.moment == due)
        }
      }
      now = change
    }
  }

  @Test(
    "Timestamps lie from 1970-01-01 to 9999-12-30 23:59:59 UTC",
    arguments: [
      ("1970-01-01 00:00:00 UTC", true), ("1969-12-31 UTC", false), ("1970-01-01 00:00 +01", false),
      ("9999-12-30 23:59:59 UTC", true), ("9999-12-31 UTC", false), ("9999-12-30 23:59:59 -01", false),
      ("@253402214399", true), ("@253402214400", false), ("@99999999999999999999", false),
      ("now + 9000 years", false), ("now + 999999999999 years", false), ("now + 9999999999999 hours", false),
      ("7970y", true), ("9000y", false), ("9999999999999999999y", false),
    ])
  func bounds(text: String, isRead: Bool) {
    let context = ReadingContext(now: Instant(microseconds: 1_800_000_000_000_000), zone: .utc)
    var reason: ExpressionError.Reason?
    do throws(ExpressionError) {
      _ = try TimeExpression.read(text, in: context)
    } catch {
      if case .unreadable(_, let found, _) = error { reason = found }
    }
    #expect(reason == (isRead ? nil : .outOfBounds))
  }
}

private func civil(_ text: String) -> CivilDateTime {
  CivilDateTime(text) ?? CivilDateTime(year: 0, month: 0, day: 0)
}
