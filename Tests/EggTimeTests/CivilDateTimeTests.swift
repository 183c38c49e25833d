import EggTime
import Glibc
import Testing

@Suite struct CivilDateTimeTests {
  @Test("Day numbers agree with the C library from 1970 to 9999, both ways")
  func dayNumbers() {
    for day in stride(from: 0, to: 2_932_896, by: 29) {
      var seconds = time_t(day * 86_400)
      var parts = tm()
      gmtime_r(&seconds, &parts)
      let civil = CivilDateTime(dayNumber: day)
      #expect(civil.year == Int(parts.tm_year) + 1900)
      #expect(civil.month == Int(parts.tm_mon) + 1)
      #expect(civil.day == Int(parts.tm_mday))
      #expect(civil.weekday.rawValue == Int(parts.tm_wday + 6) % 7)
      #expect(civil.dayNumber == day)
    }
  }

  @Test(
    "The text of a civil time reads back as the same time",
    arguments: [
      ("2026-12-24 18:00:00", CivilDateTime(year: 2026, month: 12, day: 24, hour: 18)),
      (
        "2028-02-29 23:59:59.000001",
        CivilDateTime(year: 2028, month: 2, day: 29, hour: 23, minute: 59, second: 59, microsecond: 1)
      ),
      ("0070-01-01 00:00:00", CivilDateTime(year: 70, month: 1, day: 1)),
    ])
  func text(text: String, civil: CivilDateTime) {
    #expect(civil.description == text)
    #expect(CivilDateTime(text) == civil)
  }

  @Test(
    "Any other text is refused",
    arguments: [
      "", "2026-12-24", "2026-12-24T18:00:00", "2026-12-24 18:00", "2026-12-24 18:00:00.5",
      "2026-12-24 18:00:00.000000", "2026-02-29 18:00:00", "2026-13-01 00:00:00", "2026-12-24 24:00:00",
      "2026-12-24 23:60:00", "2026-12-24 23:59:60", "2026-12-24 18:00:0é", " 2026-12-24 18:00:00",
      "+026-12-24 18:00:00",
    ])
  func refuses(text: String) {
    #expect(CivilDateTime(text) == nil)
  }

  @Test("Civil times sort by the clock")
  func order() {
    let texts = [
      "2026-12-24 18:00:00", "2026-12-24 18:00:00.000001", "2026-12-24 18:00:01", "2026-12-25 00:00:00",
      "2027-01-01 00:00:00",
    ]
    let times = texts.compactMap { CivilDateTime($0) }
    #expect(times.count == texts.count)
    #expect(times.shuffled().sorted() == times)
  }

  @Test(
    "A day that the month lacks runs on into the next",
    arguments: [
      ("2027-01-31", 1, "2027-03-03"), ("2028-01-31", 1, "2028-03-02"), ("2028-02-29", 12, "2029-03-01"),
      ("2027-03-31", 1, "2027-05-01"), ("2027-10-31", 4, "2028-03-03"), ("2027-12-15", 1, "2028-01-15"),
      ("2027-01-15", -1, "2026-12-15"), ("2027-06-09", 30, "2029-12-09"),
    ])
  func months(from: String, months: Int, to: String) {
    #expect(CivilDateTime("\(from) 08:00:00")?.adding(months: months).description == "\(to) 08:00:00")
  }
}
