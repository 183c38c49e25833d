import Alarms
import EggTime
import Testing

/// Alarms at 09:00 for a given day of birth, planned on a given day.
@Suite struct AnniversaryPlanTests {
  private static let nine = CivilDateTime(year: 1970, month: 1, day: 1, hour: 9)

  private static func plans(
    _ birth: String, at present: String, _ leapDay: Anniversary.LeapDay = .february28
  ) throws -> [AnniversaryPlan] {
    let anniversary = try #require(Anniversary(birth))
    let now = try #require(CivilDateTime(present + ":00"))
    return anniversary.plans(at: nine, leapDay: leapDay, today: now) { $0 > now }
  }

  @Test("A newborn gets the 100th day, the first birthday, and all birthdays from the second on")
  func child() throws {
    let plans = try Self.plans("2026-11-20", at: "2026-11-21 08:00")
    #expect(plans.map(\.occasion) == [.hundredthDay, .firstBirthday, .birthday(age: nil)])
    #expect(
      plans.map(\.expression) == [
        "2027-02-27 09:00:00", "2027-11-20 09:00:00", "2028..2199-11-20 09:00:00",
      ])
    #expect(plans.map(\.kind) == [.at, .at, .every])
  }

  @Test("Past occasions are left out, even today's once its time has passed")
  func past() throws {
    func texts(_ birth: String, at present: String) throws -> [String] {
      try Self.plans(birth, at: present).map(\.expression)
    }
    #expect(
      try texts("2026-08-14", at: "2026-11-21 08:59")
        == ["2026-11-21 09:00:00", "2027-08-14 09:00:00", "2028..2199-08-14 09:00:00"])
    #expect(
      try texts("2026-08-14", at: "2026-11-21 09:00")
        == ["2027-08-14 09:00:00", "2028..2199-08-14 09:00:00"])
    #expect(try texts("2025-11-21", at: "2026-11-21 08:59").count == 2)
    #expect(try texts("2025-11-21", at: "2026-11-21 09:00") == ["*-11-21 09:00:00"])
    #expect(try texts("1946-05-05", at: "2026-11-21 09:00") == ["*-05-05 09:00:00"])
  }

  @Test(
    "A child with a lunar birthday gets the 100th day, the first birthday, and the dates of all later ones")
  func lunar() throws {
    let date = try #require(LunarDate(year: 2026, month: 8, day: 30))
    let anniversary = try #require(Anniversary(lunar: date))
    let now = try #require(CivilDateTime("2026-11-21 08:00:00"))
    let plans = anniversary.plans(at: Self.nine, leapDay: .february28, today: now) { $0 > now }
    #expect(plans.map(\.occasion) == [.hundredthDay, .firstBirthday, .birthday(age: nil)])
    let set = try #require(RecurrenceSet(plans[2].expression))
    #expect(set.rule == nil && set.dates.count == 2100 - 2028)
    for (year, time) in zip(2028..., [set.start] + set.dates) {
      #expect(CivilDate(time)?.midnight == date.celebrated(in: year))
    }
    guard case .every(.rule, "UTC", true)? = plans[2].timing(zone: "UTC", floats: true) else {
      Issue.record("\(plans[2])")
      return
    }
  }

  @Test("Age and next occasion follow the lunar year") func lunarAge() throws {
    // Born on the last day of a lunar year: the birthday is in the next solar year.
    let anniversary = try #require(
      LunarDate(year: 2019, month: 12, day: 30).flatMap { Anniversary(lunar: $0) })
    #expect(anniversary.birth == CivilDate(year: 2020, month: 1, day: 24))
    let eve = try #require(anniversary.lunar?.celebrated(in: 2025))
    #expect(CivilDate(eve) == CivilDate(year: 2026, month: 2, day: 16))
    #expect(anniversary.age(on: eve.adding(days: -1), leapDay: .february28) == 5)
    #expect(anniversary.age(on: eve, leapDay: .february28) == 6)
    let next = anniversary.nextOccasion(from: eve, leapDay: .february28)
    #expect(next.occasion == .birthday(age: 6) && next.day == eve)
  }

  @Test(
    "Every birthday to come rings once, up to the last year of the calendar",
    arguments: [
      "2026-11-20", "2026-01-01", "2025-11-21", "2025-11-22", "1946-05-05", "2024-02-29", "1904-02-29",
      "2026-08-14",
    ], Anniversary.LeapDay.allCases)
  func birthdays(birth: String, leapDay: Anniversary.LeapDay) throws {
    let anniversary = try #require(Anniversary(birth))
    let present = "2026-11-21 12:00"
    let now = Zone.utc.resolve(try #require(CivilDateTime(present + ":00"))).instant
    var rings: [CivilDateTime] = []
    for plan in try Self.plans(birth, at: present, leapDay) where plan.occasion != .hundredthDay {
      guard plan.kind == .every else {
        rings.append(try #require(CivilDateTime(plan.expression)))
        continue
      }
      let event = try #require(CalendarEvent(plan.expression))
      var base = now
      while let next = event.next(after: base, in: .utc) {
        rings.append(Zone.utc.civil(at: next))
        base = next
      }
    }
    let birthdays = (max(2026, anniversary.birth.year + 1)...2199)
      .map { year in
        var birthday = anniversary.birthday(in: year, leapDay: leapDay)
        birthday.hour = 9
        return birthday
      }
      .filter { Zone.utc.resolve($0).instant > now }
    #expect(rings.sorted() == birthdays)
  }

  @Test("In common years a leap-day birthday is the last of February, or the first of March if asked for")
  func leapDay() throws {
    #expect(try Self.plans("2024-02-29", at: "2026-11-21 08:00").map(\.expression) == ["*-02~01 09:00:00"])
    #expect(
      try Self.plans("2024-02-29", at: "2026-11-21 08:00", .march1).map(\.expression) == [
        "2028/4-02-29 09:00:00", "2026/4,2027/4,2029/4,2100-03-01 09:00:00",
      ])
    #expect(
      try Self.plans("2024-02-29", at: "2024-07-01 08:00").map(\.expression) == [
        "2025-02-28 09:00:00", "2026..2199-02~01 09:00:00",
      ])
    #expect(
      try Self.plans("2024-02-29", at: "2024-07-01 08:00", .march1).map(\.expression) == [
        "2025-03-01 09:00:00", "2028/4-02-29 09:00:00", "2026/4,2027/4,2029/4,2100-03-01 09:00:00",
      ])
  }
}
