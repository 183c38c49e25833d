import Alarms
import EggTime
import Testing

@testable import ICalendar

/// Leads, ranges to skip and days off in files. 2026-11-23 is a Monday.
@Suite struct CalendarRulesTests {
  private static func rules(
    leads: [String] = [], skips: String = "", except: [String] = [], onlyOn: [String] = []
  ) throws -> MomentRules {
    var rules = MomentRules(
      leads: try leads.map { try #require(Lead($0)) }, except: except, onlyOn: onlyOn)
    rules.skips = try #require(DaySet(skips))
    return rules
  }

  private static func text(_ alarm: CalendarAlarm, _ daysOff: [String: DaySet] = [:]) throws -> String {
    try #require(CalendarItem.text(of: alarm, in: CalendarFixture.context(), daysOff: { daysOff[$0] }))
  }

  private static func entry(_ text: String) throws -> CalendarEntry {
    try #require(CalendarItem(Array(text.utf8), in: CalendarFixture.context()).entry)
  }

  private static let holidays = DaySet("2026-11-24 2026-12-25..2026-12-26")

  @Test(
    "Leads read back as they are, those of a done alarm too",
    arguments: [[], ["15min"], ["0s", "15min", "24h", "1d", "1d 2h 5s"], ["-10min", "0s"]])
  func leads(leads: [String]) throws {
    for isDone in [false, true] {
      let alarm = WrittenCalendar.alarm(.civil(CivilDateTime(year: 2026, month: 12, day: 24, hour: 18))) {
        ($0.content.time.rules, $0.content.isDone) = ((try? Self.rules(leads: leads)) ?? .none, isDone)
      }
      let text = try Self.text(alarm)
      #expect(try Self.entry(text).rules.leads.map(\.description) == leads)
      #expect(text.contains("ACTION:DISPLAY") == !isDone)
    }
  }

  @Test("Days on which it keeps quiet read back as they are, and are EXDATEs for others")
  func quiet() throws {
    let rules = try Self.rules(skips: "2026-11-23 2026-12-24..2027-01-01", except: ["a, b", "holidays"])
    let alarm = try WrittenCalendar.every("Mon..Fri 07:30") { $0.content.time.rules = rules }
    let text = try Self.text(alarm, ["holidays": try #require(Self.holidays)])
    let entry = try Self.entry(text)
    #expect(entry.rules == rules)
    #expect(entry.expression == "Mon..Fri *-*-* 07:30:00 Europe/Paris")
    let expected = "2026-11-23..2026-11-24 2026-12-24..2026-12-25 2026-12-28..2027-01-01"
    #expect("\(entry.quiet)" == expected)
    // Another program may drop what it does not know.
    let plain = text.split(separator: "\r\n").filter { !$0.hasPrefix("X-EGGD-") }.joined(separator: "\r\n")
      .replacing("X-EGGD-QUIET=TRUE;", with: "")
    #expect(try Self.entry(plain).expression.contains("EXDATE:20261123T073000,20261124T073000,"))
  }

  @Test("Where days off are not known, it keeps quiet on the dates of the file")
  func unknown() throws {
    let alarm = try WrittenCalendar.every("7:30") {
      $0.content.time.rules = (try? Self.rules(except: ["holidays"], onlyOn: ["school"])) ?? .none
    }
    let school = try #require(DaySet("2026-01-01..2028-12-31"))
    let text = try Self.text(alarm, ["holidays": try #require(Self.holidays), "school": school])
    var entry = try Self.entry(text)
    entry.adopt { $0 == "school" || $0 == "holidays" }
    #expect(entry.rules.skips.isEmpty && entry.notes.isEmpty)
    entry.adopt { _ in false }
    #expect(entry.rules.skips == Self.holidays)
    #expect(entry.rules.except == ["holidays"] && entry.rules.onlyOn.isEmpty)
    #expect(
      entry.notes == [
        "there are no days off 'holidays', 'school' here; it keeps quiet on the dates that the file names"
      ])
  }

  @Test("Alarms beyond 28 days and more than eight are named and left out")
  func leftOut() throws {
    func entry(_ leads: [String]) throws -> CalendarEntry {
      let alarms = leads.map { ICalendarReaderTests.alarm("TRIGGER:\($0)") }.joined(separator: "\n")
      return try CalendarFixture.entry("DTSTART:20271224T180000Z\n" + alarms)
    }
    let far = try entry(["-PT15M", "-P29D"])
    #expect(far.rules.leads.map(\.description) == ["15min"])
    #expect(far.notes == ["alarms more than 28 days away from it are left out: -P29D"])
    let many = try entry((1...10).map { "-PT\($0)M" } + ["PT0S"])
    #expect(many.rules.leads.count == 9)
    #expect(many.notes == ["it has more than 8 alarms; left out: -PT9M, -PT10M"])
  }

  @Test(
    "A rule that recurs too often for its alarms rings at its moments", arguments: ["SECONDLY", "MINUTELY"])
  func dense(_ frequency: String) throws {
    func entry(_ leads: String...) throws -> CalendarEntry {
      let alarms = leads.map { ICalendarReaderTests.alarm("TRIGGER:\($0)") }.joined(separator: "\n")
      return try CalendarFixture.entry("DTSTART:20271224T180000Z\nRRULE:FREQ=\(frequency)\n" + alarms)
    }
    let dense = try entry("-P1D", "-P28D")
    #expect(dense.rules.leads.isEmpty && dense.ahead == .zero)
    #expect(dense.notes == ["it recurs too often for its alarms; it rings at its moments"])
    #expect(try entry("-PT5M", "-PT30M").rules.leads.count == 2)
  }
}
