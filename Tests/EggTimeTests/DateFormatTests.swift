import Testing

@testable import EggTime

@Suite("How people can have moments shown")
struct DateFormatTests {
  /// 2027-12-24 17:00:00.999999 UTC, a Friday.
  private let moment = Instant(microseconds: 1_829_667_600_999_999)

  @Test("dotted is the display format")
  func dotted() throws {
    let zone = try Zone.named("Europe/Budapest")
    let civil = zone.civil(at: moment)
    #expect(MomentFormat.dotted.text(moment, in: zone) == "2027. 12. 24. 18:00:00")
    #expect(MomentFormat.dotted.text(civil) == "2027. 12. 24. 18:00:00")
    #expect(MomentFormat.dotted.date(civil) == "2027. 12. 24.")
    #expect(MomentFormat.dotted.short(civil, seconds: true) == "12. 24. 18:00:00")
    #expect(MomentFormat.dotted.short(civil, seconds: false) == "12. 24. 18:00")
    #expect(MomentFormat.dotted.time(civil) == "18:00:00")
  }

  @Test(
    "iso is RFC 3339 with the local offset, and reads back",
    arguments: [
      ("Europe/Budapest", "2027-12-24T18:00:00+01:00"), ("UTC", "2027-12-24T17:00:00+00:00"),
      ("America/St_Johns", "2027-12-24T13:30:00-03:30"), ("Asia/Kathmandu", "2027-12-24T22:45:00+05:45"),
      ("Pacific/Kiritimati", "2027-12-25T07:00:00+14:00"),
    ])
  func iso(zone: String, text: String) throws {
    let zone = try Zone.named(zone)
    #expect(MomentFormat(.iso).text(moment, in: zone) == text)
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc)
    #expect(try TimeExpression.read(text, in: context).moment?.microseconds == 1_829_667_600_000_000)
  }

  @Test("iso has short forms, and cuts the seconds off an offset of old local time")
  func isoForms() throws {
    let format = MomentFormat(.iso)
    let civil = Zone.utc.civil(at: moment)
    #expect(format.text(civil) == "2027-12-24T17:00:00")
    #expect(format.date(civil) == "2027-12-24")
    #expect(format.short(civil, seconds: true) == "12-24 17:00:00")
    #expect(format.short(civil, seconds: false) == "12-24 17:00")
    // Local mean time of Paris: 9 min 21 s ahead.
    let old = try Zone.named("Europe/Paris")
    #expect(
      format.text(Instant(microseconds: -2_600_000_000_000_000), in: old) == "1887-08-11T09:55:40+00:09")
  }

  @Test("locale is what strftime(3) writes there, on the zone's clock and with its name")
  func locale() throws {
    let format = MomentFormat(.locale, locale: "C")
    let zone = try Zone.named("Europe/Budapest")
    let civil = zone.civil(at: moment)
    #expect(format.text(moment, in: zone) == "Fri Dec 24 18:00:00 2027")
    #expect(format.date(civil) == "12/24/27")
    #expect(format.short(civil, seconds: true) == "12/24/27 18:00:00")
    #expect(format.short(civil, seconds: false) == "12/24/27 18:00")
    let locale = try #require(TimeLocale("C"))
    #expect(locale.text(civil, "%a %j %U %Z %z", zone: zone.period(at: moment)) == "Fri 358 51 CET +0100")
  }

  @Test("Without the locale moments are dotted")
  func noLocale() throws {
    let format = MomentFormat(.locale, locale: "xx_XX.UTF-8")
    #expect(TimeLocale("xx_XX.UTF-8") == nil)
    #expect(format.text(moment, in: .utc) == "2027. 12. 24. 17:00:00")
    #expect(format.date(Zone.utc.civil(at: moment)) == "2027. 12. 24.")
  }

  @Test("Every 64-bit moment has a text in each format", arguments: [Int64.min, .max], DateFormat.allCases)
  func extremes(microseconds: Int64, format: DateFormat) {
    let text = MomentFormat(format, locale: "C").text(Instant(microseconds: microseconds), in: .utc)
    #expect(!text.isEmpty)
  }
}
