import EggTestSupport
import EggTime
import Foundation
import Testing

@Suite("The Korean lunar calendar")
struct LunarDateTests {
  @Test("Every day from 1900 to 2100 is as Foundation's Dangi calendar has it, both ways")
  func foundation() throws {
    var calendar = Calendar(identifier: .dangi)
    calendar.timeZone = try #require(TimeZone(identifier: "Asia/Seoul"))
    let first = CivilDateTime(year: 1900, month: 1, day: 31).dayNumber
    let last = CivilDateTime(year: 2101, month: 1, day: 28).dayNumber
    var wrong: [CivilDateTime] = []
    for number in first...last {
      let day = CivilDateTime(dayNumber: number)
      // Noon in Korea.
      let moment = Date(timeIntervalSince1970: Double(number) * 86_400 + 3 * 3_600)
      let expected = calendar.dateComponents([.month, .day, .isLeapMonth], from: moment)
      guard let date = LunarDate(day), date.month == expected.month, date.day == expected.day,
        date.isLeapMonth == expected.isLeapMonth, date.solar == day
      else {
        wrong.append(day)
        continue
      }
    }
    // A new moon within a second or so of midnight: Foundation calls the day the 0th, nobody can know yet.
    #expect(wrong == [CivilDateTime(year: 2097, month: 1, day: 13)])
    #expect(LunarDate(CivilDateTime(dayNumber: first - 1)) == nil)
    #expect(LunarDate(CivilDateTime(dayNumber: last + 1)) == nil)
  }

  @Test("Until 2050 it is as PyPI's korean-lunar-calendar has it, which follows KASI") func institute() throws
  {
    let program = """
      import datetime, korean_lunar_calendar
      calendar = korean_lunar_calendar.KoreanLunarCalendar()
      day = datetime.date(1900, 1, 31)
      while day.year <= 2050:
          assert calendar.setSolarDate(day.year, day.month, day.day)
          print(calendar.lunarYear, calendar.lunarMonth, calendar.lunarDay, int(calendar.isIntercalation))
          day += datetime.timedelta(1)
      """
    let lines = try Python.lines(program, input: "")
    #expect(
      lines.count == CivilDateTime(year: 2051, month: 1, day: 1).dayNumber
        - CivilDateTime(year: 1900, month: 1, day: 31).dayNumber)
    var number = CivilDateTime(year: 1900, month: 1, day: 31).dayNumber
    var wrong: [Substring] = []
    for line in lines {
      let date = LunarDate(CivilDateTime(dayNumber: number))
      if date.map({ "\($0.year) \($0.month) \($0.day) \($0.isLeapMonth ? 1 : 0)" }) ?? "" != line {
        wrong.append(line)
      }
      number += 1
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test("A leap month is celebrated in itself where it recurs, else in the month of its number")
  func leapMonths() throws {
    // 2017 had a leap fifth month, and 2009 too; 2018 had none.
    let date = try #require(LunarDate(year: 2017, month: 5, day: 10, isLeapMonth: true))
    #expect(date.solar == CivilDateTime(year: 2017, month: 7, day: 3))
    #expect(date.celebrated(in: 2009) == LunarDate(year: 2009, month: 5, day: 10, isLeapMonth: true)?.solar)
    #expect(date.celebrated(in: 2018) == LunarDate(year: 2018, month: 5, day: 10)?.solar)
    // Born in the month itself, one does not wait for the leap month.
    #expect(
      LunarDate(year: 2017, month: 5, day: 10)?.celebrated(in: 2009)
        == LunarDate(year: 2009, month: 5, day: 10)?.solar)
  }

  @Test("The 30th of a month with 29 days is its last day") func thirtieth() throws {
    let date = try #require(LunarDate.years.lazy.compactMap { LunarDate(year: $0, month: 1, day: 30) }.first)
    var short = 0
    for year in LunarDate.years where LunarDate.days(in: 1, of: year) == 29 {
      short += 1
      #expect(date.celebrated(in: year) == LunarDate(year: year, month: 1, day: 29)?.solar)
    }
    #expect(short > 50)
  }

  @Test("Dates that do not exist are none")
  func absent() {
    #expect(LunarDate(year: 2018, month: 5, day: 1, isLeapMonth: true) == nil)
    #expect(LunarDate(year: 2018, month: 13, day: 1) == nil)
    #expect(LunarDate(year: 2018, month: 0, day: 1) == nil)
    #expect(LunarDate(year: 2018, month: 1, day: 31) == nil)
    #expect(LunarDate(year: 1899, month: 1, day: 1) == nil)
    #expect(LunarDate(year: 2101, month: 1, day: 1) == nil)
    #expect(LunarDate(year: 2100, month: 12, day: 1)?.celebrated(in: 2101) == nil)
  }
}
