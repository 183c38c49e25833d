import EggTime
import Testing

@testable import ICalendar

/// A VTIMEZONE whose TZID is no name. Read in Paris, as of 2026-11-20.
@Suite struct DescribedZoneTests {
  private static func zone(_ observances: String...) -> String {
    "BEGIN:VTIMEZONE\nTZID:Its own\n\(observances.joined(separator: "\n"))\nEND:VTIMEZONE\n"
  }

  private static func observance(
    _ kind: String, _ start: String, _ from: String, _ to: String, _ rule: String? = nil
  ) -> String {
    let rule = rule.map { "\nRRULE:\($0)" } ?? ""
    return "BEGIN:\(kind)\nDTSTART:\(start)\nTZOFFSETFROM:\(from)\nTZOFFSETTO:\(to)\(rule)\nEND:\(kind)"
  }

  private static func fixed(_ offset: String) -> String {
    observance("STANDARD", "16010101T000000", offset, offset)
  }

  private static let event = "BEGIN:VEVENT\nDTSTART;TZID=Its own:20270705T090000\nEND:VEVENT"

  @Test(
    "The machine's zone that shows the same time is meant",
    arguments: [
      // The reader's own comes first.
      (
        [
          observance("STANDARD", "16010101T030000", "+0200", "+0100", "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"),
          observance("DAYLIGHT", "16010101T020000", "+0100", "+0200", "FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"),
        ], "2027-07-05T07:00:00Z"
      ),
      // The rules of the United States, with those that ended in 2006.
      (
        [
          observance(
            "DAYLIGHT", "19870405T020000", "-0500", "-0400",
            "FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z"),
          observance(
            "STANDARD", "19671029T020000", "-0400", "-0500",
            "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z"),
          observance("DAYLIGHT", "20070311T020000", "-0500", "-0400", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
          observance("STANDARD", "20071104T020000", "-0400", "-0500", "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"),
        ], "2027-07-05T13:00:00Z"
      ),
      ([observance("STANDARD", "16010101T000000", "+0530", "+0530")], "2027-07-05T03:30:00Z"),
      ([observance("STANDARD", "19700101T000000", "+0000", "+0000")], "2027-07-05T09:00:00Z"),
    ])
  func matches(observances: [String], moment: String) throws {
    let results = try CalendarFixture.read(Self.zone(observances.joined(separator: "\n")) + Self.event)
    guard case .success(let entry) = results.first else {
      Issue.record("\(results)")
      return
    }
    let expected = try TimeExpression.read(moment, in: CalendarFixture.context(), as: .timestamp)
    #expect(entry.moment == (try expected.instant(in: CalendarFixture.context())))
  }

  @Test(
    "Of several zones with the same rules it is the one that most people live in",
    arguments: [
      ([fixed("+0900")], "Asia/Tokyo"), ([fixed("+0800")], "Asia/Shanghai"),
      ([fixed("+0530")], "Asia/Calcutta"),
      ([fixed("+0400")], "Asia/Dubai"), ([fixed("+0300")], "Europe/Moscow"),
      ([fixed("-0300")], "America/Sao_Paulo"),
      ([fixed("-0700")], "America/Phoenix"),
      (
        [
          observance("DAYLIGHT", "20070311T020000", "-0500", "-0400", "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
          observance("STANDARD", "20071104T020000", "-0400", "-0500", "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"),
        ], "America/New_York"
      ),
    ])
  func populous(observances: [String], zone: String) throws {
    let described = Self.zone(observances.joined(separator: "\n"))
    guard case .success(let entry) = try CalendarFixture.read(described + Self.event).first,
      case .civil(_, let found) = entry.timing
    else {
      Issue.record("no entry")
      return
    }
    #expect(found == zone)
  }

  @Test("A zone that is described behind its entry counts; of two, the last one before an entry")
  func behind() throws {
    let india = Self.zone(Self.observance("STANDARD", "16010101T000000", "+0530", "+0530"))
    let utc = Self.zone(Self.observance("STANDARD", "19700101T000000", "+0000", "+0000"))
    let lines = [Self.event, india, Self.event, utc, Self.event].joined(separator: "\n")
    let moments = try CalendarFixture.read(lines).map { result -> String? in
      guard case .success(let entry) = result else { return nil }
      return entry.moment.map(ContentWriter.utc)
    }
    #expect(moments == ["20270705T033000Z", "20270705T033000Z", "20270705T090000Z"])
  }

  @Test(
    "A zone like no other is refused",
    arguments: [
      observance("STANDARD", "19700101T000000", "+0017", "+0017"),
      observance("STANDARD", "19700101T000000", "+01", "+01"), "X-NOTHING:1",
    ])
  func unknown(observance: String) throws {
    let results = try CalendarFixture.read(Self.zone(observance) + Self.event)
    guard case .failure(let problem) = results.first else {
      Issue.record("\(results)")
      return
    }
    #expect(problem.message == "TZID 'Its own' is not a time zone of this machine")
  }
}
