import Alarms
import EggTime
import Foundation
import Testing

@Suite struct AnniversarySignsTests {
  @Test(
    "Star signs change on their days, and Capricorn spans the turn of the year",
    arguments: [
      ("01-01", "Capricorn"), ("01-19", "Capricorn"), ("01-20", "Aquarius"),
      ("02-18", "Aquarius"), ("02-19", "Pisces"), ("02-29", "Pisces"),
      ("03-20", "Pisces"), ("03-21", "Aries"), ("04-19", "Aries"),
      ("04-20", "Taurus"), ("05-20", "Taurus"), ("05-21", "Gemini"),
      ("06-21", "Gemini"), ("06-22", "Cancer"), ("07-22", "Cancer"),
      ("07-23", "Leo"), ("08-22", "Leo"), ("08-23", "Virgo"),
      ("09-22", "Virgo"), ("09-23", "Libra"), ("10-23", "Libra"),
      ("10-24", "Scorpio"), ("11-21", "Scorpio"), ("11-22", "Sagittarius"),
      ("12-21", "Sagittarius"), ("12-22", "Capricorn"), ("12-31", "Capricorn"),
    ])
  func starSign(date: String, sign: String) {
    #expect(Anniversary("2024-" + date)?.starSign == sign)
  }

  @Test("Each month has its stone")
  func birthstone() {
    let stones = (1...12).compactMap { month in
      CivilDate(year: 2024, month: month, day: 1).flatMap { Anniversary(birth: $0) }?.birthstone
    }
    #expect(Set(stones).count == 12)
    #expect(stones.first == "garnet")
    #expect(stones[10] == "topaz")
  }

  @Test(
    "The animal changes on the Korean lunar new year, even when the Chinese one is a day earlier",
    arguments: [
      ("1900-01-31", "rat"), ("2024-02-09", "rabbit"), ("2024-02-10", "dragon"),
      ("2025-01-28", "dragon"), ("2025-01-29", "snake"), ("2026-11-21", "horse"),
      ("1988-02-17", "rabbit"), ("1988-02-18", "dragon"), ("1997-02-07", "rat"),
      ("1997-02-08", "ox"), ("2028-01-26", "sheep"), ("2028-01-27", "monkey"),
      ("2100-12-31", "monkey"), ("1983-05-05", "pig"), ("1982-05-05", "dog"),
      ("1981-05-05", "rooster"), ("1986-05-05", "tiger"),
    ])
  func animal(birth: String, animal: String) {
    #expect(Anniversary(birth)?.animal == animal)
  }

  @Test(
    "No animal is given outside the known new years",
    arguments: ["1900-01-30", "2101-01-29"])
  func unknownAnimal(birth: String) throws {
    #expect(try #require(Anniversary(birth)).animal == nil)
  }

  private static func animal(of birth: CivilDateTime) -> String? {
    CivilDate(birth).flatMap { Anniversary(birth: $0) }?.animal
  }

  /// ICU computes the Korean lunar calendar; the animal differs between two adjacent days only at new year.
  @Test("Each lunar new year from 1901 to 2100 agrees with ICU's Dangi calendar")
  func newYears() throws {
    let korea = try #require(TimeZone(secondsFromGMT: 9 * 3_600))
    var dangi = Calendar(identifier: .dangi)
    dangi.timeZone = korea
    for year in 1901...2100 {
      let found = (15...60).filter { offset in
        let day = CivilDateTime(year: year, month: 1, day: 1).adding(days: offset)
        return Self.animal(of: day) != Self.animal(of: day.adding(days: -1))
      }
      let expected = (15...60).filter { offset in
        let day = CivilDateTime(year: year, month: 1, day: 1).adding(days: offset)
        // Noon in Korea.
        let date = Date(timeIntervalSince1970: Double(day.dayNumber) * 86_400 + 3 * 3_600)
        let parts = dangi.dateComponents([.month, .day], from: date)
        return parts.month == 1 && parts.day == 1 && parts.isLeapMonth != true
      }
      #expect(expected.count == 1)
      #expect(found == expected, "\(year)")
    }
  }
}
