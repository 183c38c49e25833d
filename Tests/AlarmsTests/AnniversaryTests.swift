import Alarms
import EggTime
import Testing

@Suite struct AnniversaryTests {
  private static func day(_ text: String) throws -> CivilDateTime {
    try #require(CivilDateTime(text + " 00:00:00"))
  }

  @Test(
    "The 100th day is 99 days after the birth",
    arguments: [
      ("2026-01-01", "2026-04-10"), ("2024-02-29", "2024-06-07"), ("2025-11-22", "2026-03-01"),
      ("2023-11-22", "2024-02-29"),
    ])
  func hundredthDay(birth: String, day: String) throws {
    let anniversary = try #require(Anniversary(birth))
    #expect(anniversary.hundredthDay == (try Self.day(day)))
    #expect(anniversary.dayCount(on: anniversary.hundredthDay) == 100)
    #expect(anniversary.dayCount(on: anniversary.birth.midnight) == 1)
    #expect(anniversary.dayCount(on: anniversary.birth.midnight.adding(days: -1)) == nil)
  }

  @Test(
    "Age counts full years, rises on the birthday, and is nil before the birth",
    arguments: [
      ("2024-03-05", "2024-03-04", nil, nil), ("2024-03-05", "2024-03-05", 0, 0),
      ("2024-03-05", "2025-03-04", 0, 0), ("2024-03-05", "2025-03-05", 1, 1),
      ("1946-12-31", "2026-11-21", 79, 79), ("2024-02-29", "2025-02-27", 0, 0),
      ("2024-02-29", "2025-02-28", 1, 0), ("2024-02-29", "2025-03-01", 1, 1),
      ("2024-02-29", "2028-02-28", 3, 3), ("2024-02-29", "2028-02-29", 4, 4),
      ("2024-02-29", "2100-02-28", 76, 75), ("2024-02-29", "2100-03-01", 76, 76),
    ] as [(String, String, Int?, Int?)])
  func age(birth: String, day: String, february28: Int?, march1: Int?) throws {
    let anniversary = try #require(Anniversary(birth))
    #expect(anniversary.age(on: try Self.day(day), leapDay: .february28) == february28)
    #expect(anniversary.age(on: try Self.day(day), leapDay: .march1) == march1)
  }

  @Test(
    "The next occasion is the first on or after a day",
    arguments: [
      ("2026-09-01", "2026-09-01", "100th day", "2026-12-09"),
      ("2026-09-01", "2026-12-09", "100th day", "2026-12-09"),
      ("2026-09-01", "2026-12-10", "first birthday", "2027-09-01"),
      ("2026-09-01", "2027-09-01", "first birthday", "2027-09-01"),
      ("2026-09-01", "2027-09-02", "2nd birthday", "2028-09-01"),
      ("2026-01-01", "2026-12-31", "first birthday", "2027-01-01"),
      ("2024-02-29", "2026-11-21", "3rd birthday", "2027-02-28"),
      ("2024-02-29", "2027-03-01", "4th birthday", "2028-02-29"),
      ("1915-11-21", "2026-11-21", "111th birthday", "2026-11-21"),
      ("2005-11-22", "2026-11-21", "21st birthday", "2026-11-22"),
    ])
  func nextOccasion(birth: String, day: String, name: String, on: String) throws {
    let anniversary = try #require(Anniversary(birth))
    let next = anniversary.nextOccasion(from: try Self.day(day), leapDay: .february28)
    #expect(next.occasion.name.text == name)
    #expect(next.day == (try Self.day(on)))
  }

  @Test("With 1 March for leap days, 28 February is the day before the birthday")
  func march1() throws {
    let anniversary = try #require(Anniversary("2024-02-29"))
    let next = anniversary.nextOccasion(from: try Self.day("2025-02-28"), leapDay: .march1)
    #expect(next.occasion == .firstBirthday)
    #expect(next.day == (try Self.day("2025-03-01")))
  }

  @Test("A date of birth before 1900 is refused")
  func earliest() throws {
    #expect(Anniversary("1900-01-01") != nil)
    #expect(Anniversary("1899-12-31") == nil)
  }
}

extension Anniversary {
  /// nil for an invalid date as well.
  init?(_ birth: String) {
    guard let birth = CivilDate(birth) else { return nil }
    self.init(birth: birth)
  }
}
