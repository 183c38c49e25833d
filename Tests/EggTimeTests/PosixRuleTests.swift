import EggTestSupport
import Testing

@testable import EggTime

@Suite struct PosixRuleTests {
  private func zone(_ text: String) throws -> Zone {
    let rule = try #require(PosixRule(text.utf8), "\(text)")
    return Zone(
      identifier: text, digest: text, path: nil, timeline: ZoneTimeline(initial: rule.standard, rule: rule))
  }

  private func offset(_ text: String, _ utc: String) throws -> Int {
    let civil = try #require(CivilDateTime(utc))
    return try zone(text).offset(at: Zone.utc.resolve(civil).instant)
  }

  @Test(
    "A rule changes the clock at the second it says",
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28 00:59:59", 3_600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28 01:00:00", 7_200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31 00:59:59", 7_200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31 01:00:00", 3_600),
      // Southern hemisphere: daylight saving time spans the turn of the year.
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2027-12-31 23:59:59", 39_600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2027-06-01 00:00:00", 36_000),
      // Dublin: winter time is the daylight saving time, with a negative saving.
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-01-01 00:00:00", 0),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-07-01 00:00:00", 3_600),
      // Greenland: the day before the last Sunday, in the hour before midnight.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28 00:59:59", -7_200),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28 01:00:00", -3_600),
      // Hours beyond a day, of RFC 9636.
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2027-03-26 23:59:59", 7_200),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2027-03-27 00:00:00", 10_800),
      // Always daylight saving time.
      ("XXX3EDT4,0/0,J365/23", "2027-12-31 23:59:59", -14_400),
      ("XXX3EDT4,0/0,J365/23", "2028-01-01 03:00:00", -14_400),
      ("XXX3EDT4,0/0,J365/23", "2028-06-01 03:00:00", -14_400),
      // 60 counts February 29, J60 does not.
      ("AAA0BBB,J60/0,J300", "2028-02-29 23:59:59", 0),
      ("AAA0BBB,J60/0,J300", "2028-03-01 00:00:00", 3_600),
      ("AAA0BBB,59/0,300", "2028-02-29 00:00:00", 3_600),
      // Without dates the rules of the United States apply.
      ("EST5EDT", "2027-03-14 07:00:00", -14_400),
      ("EST5EDT", "2027-11-07 06:00:00", -18_000),
      ("<+0545>-5:45", "2027-11-07 06:00:00", 20_700),
    ])
  func offsets(text: String, utc: String, expected: Int) throws {
    #expect(try offset(text, utc) == expected)
  }

  @Test(
    "A text that is no rule is refused",
    arguments: [
      "", "CET", "CE-1", "-1", "CET-25", "CET-1:60", "CET-1CEST,", "CET-1CEST,M3.5.0",
      "CET-1CEST,M13.5.0,M10.5.0",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J5", "CET-1CEST,J366,J5",
      "CET-1CEST,366,5", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/3x", "<CET-1", "<+>1",
      "CET-1CEST,M3.5.0,M10.5.0/3,M1.1.1", "CET-99999999999999999999", "Europe/Paris",
    ])
  func refuses(text: String) {
    #expect(PosixRule(text.utf8) == nil)
  }
}
