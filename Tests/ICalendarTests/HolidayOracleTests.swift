import Alarms
import EggTestSupport
import EggTime
import Ringing
import Testing

@testable import ICalendar

/// Calendars made of PyPI's holidays: an import has exactly their dates, and an alarm keeps quiet on exactly those.
@Suite struct HolidayOracleTests {
  /// Prints for each country its calendar as hexadecimal digits, then its dates. Days in a row with one name are one event.
  private static let program = """
    import sys, datetime, holidays
    from icalendar import Calendar, Event
    day = datetime.timedelta(1)
    countries, first, last = open(sys.argv[1]).read().split("|")
    for country in countries.split(","):
        found = holidays.country_holidays(country, years=range(int(first), int(last) + 1))
        dates = sorted(d for d in found if int(first) <= d.year <= int(last))
        calendar = Calendar()
        calendar.add("version", "2.0")
        calendar.add("prodid", "-//holidays//EN")
        for date in dates:
            name = found[date]
            if date - day in found and found[date - day] == name: continue
            end = date + day
            while end in found and found[end] == name: end += day
            event = Event()
            event.add("uid", f"{date}@{country}")
            event.add("dtstamp", datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc))
            event.add("summary", name)
            event.add("dtstart", date)
            event.add("dtend", end)
            event.add("transp", "TRANSPARENT")
            calendar.add_component(event)
        print(country, calendar.to_ical().hex(), " ".join(map(str, dates)))
    """

  private struct Country {
    var name: String
    var calendar: [UInt8]
    var dates: Set<String>
  }

  private static func countries(_ names: String, _ first: Int, _ last: Int) throws -> [Country] {
    try Python.lines(program, input: "\(names)|\(first)|\(last)").map { line in
      let words = line.split(separator: " ")
      let digits = Array(words[1].utf8)
      let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
        UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
      }
      return Country(
        name: String(words[0]), calendar: bytes, dates: Set(words.dropFirst(2).map(String.init)))
    }
  }

  private static let names = "KR,JP,CN,US,CA,MX,BR,GB,FR,DE"

  @Test("An import has the holidays of 30 years and ten countries, and an alarm keeps quiet on them")
  func thirtyYears() throws {
    let countries = try Self.countries(Self.names, 2_000, 2_029)
    try #require(countries.count == 10)
    let korea = try #require(countries.first { $0.name == "KR" })
    // 1 March 2026 is a Sunday: the Monday is free.
    #expect(korea.dates.contains("2026-03-02"))
    let zone = try Zone.named("Asia/Seoul")
    let first = try #require(CivilDate("2000-01-01"))
    let all = first.dayNumber..<CivilDateTime(year: 2030, month: 1, day: 1).dayNumber
    let time = RecurringTime.event(try #require(CalendarEvent("*-*-* 07:30")))
    for country in countries {
      let read = CalendarDays.read(country.calendar, from: first, in: try CalendarFixture.context())
      #expect(read.problems.isEmpty)
      let days = DaySet(read.ranges)
      let dates = Set(read.ranges.flatMap { $0.days.map { CivilDate(dayNumber: $0).description } })
      #expect(dates == country.dates, "\(country.name)")
      let alarm = Recurrence(
        .every(time), zone: zone,
        quiet: QuietDays(MomentRules(except: [country.name]), daysOff: { $0 == country.name ? days : nil }))
      var rung: Set<Int> = []
      var base = zone.resolve(first.midnight).instant
      while let next = alarm.next(after: base)?.ring, zone.civil(at: next).dayNumber < all.upperBound {
        rung.insert(zone.civil(at: next).dayNumber)
        base = next
      }
      let silent = all.filter { !rung.contains($0) }.map { CivilDate(dayNumber: $0).description }
      #expect(Set(silent) == country.dates, "\(country.name)")
    }
  }
}
