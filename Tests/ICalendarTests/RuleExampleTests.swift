import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

/// The examples of RFC 5545 §3.8.5.3, all of them in America/New_York.
@Suite struct RuleExampleTests {
  struct Example: Sendable {
    /// DTSTART, at 09:00.
    var start: Int
    var rules: [String]
    /// Days of months, as the RFC lists them: `1997-09 2-5,9`.
    var days: String
    var times = ["09:00"]
    var isEndless = false
  }

  private static let year = "1997-09 2-30; 1997-10 1-31; 1997-11 1-30; 1997-12 1-23"
  private static let januaries = "1998-01 1-31; 1999-01 1-31; 2000-01 1-31"
  private static let thirds = "09 10 11 12 13 14 15 16".split(separator: " ").flatMap {
    ["\($0):00", "\($0):20", "\($0):40"]
  }

  static let examples = [
    Example(start: 19_970_902, rules: ["FREQ=DAILY;COUNT=10"], days: "1997-09 2-11"),
    Example(start: 19_970_902, rules: ["FREQ=DAILY;UNTIL=19971224T000000Z"], days: year),
    Example(
      start: 19_970_902, rules: ["FREQ=DAILY;INTERVAL=2"],
      days: "1997-09 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30; 1997-10 2,4,6", isEndless: true),
    Example(
      start: 19_970_902, rules: ["FREQ=DAILY;INTERVAL=10;COUNT=5"], days: "1997-09 2,12,22; 1997-10 2,12"),
    Example(
      start: 19_980_101,
      rules: [
        "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
        "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
      ], days: januaries),
    Example(
      start: 19_970_902, rules: ["FREQ=WEEKLY;COUNT=10"],
      days: "1997-09 2,9,16,23,30; 1997-10 7,14,21,28; 1997-11 4"),
    Example(
      start: 19_970_902, rules: ["FREQ=WEEKLY;UNTIL=19971224T000000Z"],
      days: "1997-09 2,9,16,23,30; 1997-10 7,14,21,28; 1997-11 4,11,18,25; 1997-12 2,9,16,23"),
    Example(
      start: 19_970_902, rules: ["FREQ=WEEKLY;INTERVAL=2;WKST=SU"],
      days: "1997-09 2,16,30; 1997-10 14,28; 1997-11 11,25; 1997-12 9,23; 1998-01 6,20; 1998-02 3,17",
      isEndless: true),
    Example(
      start: 19_970_902,
      rules: [
        "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
      ], days: "1997-09 2,4,9,11,16,18,23,25,30; 1997-10 2"),
    Example(
      start: 19_970_901, rules: ["FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR"],
      days: """
        1997-09 1,3,5,15,17,19,29; 1997-10 1,3,13,15,17,27,29,31; 1997-11 10,12,14,24,26,28; 1997-12 8,10,12,22
        """),
    Example(
      start: 19_970_902, rules: ["FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH"],
      days: "1997-09 2,4,16,18,30; 1997-10 2,14,16"),
    Example(
      start: 19_970_905, rules: ["FREQ=MONTHLY;COUNT=10;BYDAY=1FR"],
      days: """
        1997-09 5; 1997-10 3; 1997-11 7; 1997-12 5; 1998-01 2; 1998-02 6; 1998-03 6; 1998-04 3; 1998-05 1; 1998-06 5
        """),
    Example(
      start: 19_970_905, rules: ["FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR"],
      days: "1997-09 5; 1997-10 3; 1997-11 7; 1997-12 5"),
    Example(
      start: 19_970_907, rules: ["FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU"],
      days: "1997-09 7,28; 1997-11 2,30; 1998-01 4,25; 1998-03 1,29; 1998-05 3,31"),
    Example(
      start: 19_970_922, rules: ["FREQ=MONTHLY;COUNT=6;BYDAY=-2MO"],
      days: "1997-09 22; 1997-10 20; 1997-11 17; 1997-12 22; 1998-01 19; 1998-02 16"),
    Example(
      start: 19_970_928, rules: ["FREQ=MONTHLY;BYMONTHDAY=-3"],
      days: "1997-09 28; 1997-10 29; 1997-11 28; 1997-12 29; 1998-01 29; 1998-02 26", isEndless: true),
    Example(
      start: 19_970_902, rules: ["FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15"],
      days: "1997-09 2,15; 1997-10 2,15; 1997-11 2,15; 1997-12 2,15; 1998-01 2,15"),
    Example(
      start: 19_970_930, rules: ["FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1"],
      days: "1997-09 30; 1997-10 1,31; 1997-11 1,30; 1997-12 1,31; 1998-01 1,31; 1998-02 1"),
    Example(
      start: 19_970_910, rules: ["FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15"],
      days: "1997-09 10-15; 1999-03 10-13"),
    Example(
      start: 19_970_902, rules: ["FREQ=MONTHLY;INTERVAL=2;BYDAY=TU"],
      days: "1997-09 2,9,16,23,30; 1997-11 4,11,18,25; 1998-01 6,13,20,27; 1998-03 3,10,17,24,31",
      isEndless: true),
    Example(
      start: 19_970_610, rules: ["FREQ=YEARLY;COUNT=10;BYMONTH=6,7"],
      days: """
        1997-06 10; 1997-07 10; 1998-06 10; 1998-07 10; 1999-06 10; 1999-07 10; 2000-06 10; 2000-07 10; 2001-06 10;
        2001-07 10
        """),
    Example(
      start: 19_970_310, rules: ["FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3"],
      days: """
        1997-03 10; 1999-01 10; 1999-02 10; 1999-03 10; 2001-01 10; 2001-02 10; 2001-03 10; 2003-01 10; 2003-02 10;
        2003-03 10
        """),
    Example(
      start: 19_970_101, rules: ["FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200"],
      days: """
        1997-01 1; 1997-04 10; 1997-07 19; 2000-01 1; 2000-04 9; 2000-07 18; 2003-01 1; 2003-04 10; 2003-07 19;
        2006-01 1
        """),
    Example(
      start: 19_970_519, rules: ["FREQ=YEARLY;BYDAY=20MO"], days: "1997-05 19; 1998-05 18; 1999-05 17",
      isEndless: true),
    Example(
      start: 19_970_512, rules: ["FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"],
      days: "1997-05 12; 1998-05 11; 1999-05 17",
      isEndless: true),
    Example(
      start: 19_970_313, rules: ["FREQ=YEARLY;BYMONTH=3;BYDAY=TH"],
      days: "1997-03 13,20,27; 1998-03 5,12,19,26; 1999-03 4,11,18,25", isEndless: true),
    Example(
      start: 19_970_605, rules: ["FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8"],
      days: """
        1997-06 5,12,19,26; 1997-07 3,10,17,24,31; 1997-08 7,14,21,28; 1998-06 4,11,18,25; 1998-07 2,9,16,23,30;
        1998-08 6,13,20,27; 1999-06 3,10,17,24; 1999-07 1,8,15,22,29; 1999-08 5,12,19,26
        """, isEndless: true),
    Example(
      start: 19_970_902,
      rules: ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13\nEXDATE;TZID=America/New_York:19970902T090000"],
      days: "1998-02 13; 1998-03 13; 1998-11 13; 1999-08 13; 2000-10 13", isEndless: true),
    Example(
      start: 19_970_913, rules: ["FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13"],
      days: """
        1997-09 13; 1997-10 11; 1997-11 8; 1997-12 13; 1998-01 10; 1998-02 7; 1998-03 7; 1998-04 11; 1998-05 9;
        1998-06 13
        """, isEndless: true),
    Example(
      start: 19_961_105, rules: ["FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8"],
      days: "1996-11 5; 2000-11 7; 2004-11 2", isEndless: true),
    Example(
      start: 19_970_904, rules: ["FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3"],
      days: "1997-09 4; 1997-10 7; 1997-11 6"),
    Example(
      start: 19_970_929, rules: ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2"],
      days: "1997-09 29; 1997-10 30; 1997-11 27; 1997-12 30; 1998-01 29; 1998-02 26; 1998-03 30",
      isEndless: true),
    // The RFC writes 17:00 in UTC, but means 17:00 in New York.
    Example(
      start: 19_970_902, rules: ["FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z"], days: "1997-09 2",
      times: ["09:00", "12:00", "15:00"]),
    Example(
      start: 19_970_902, rules: ["FREQ=MINUTELY;INTERVAL=15;COUNT=6"], days: "1997-09 2",
      times: ["09:00", "09:15", "09:30", "09:45", "10:00", "10:15"]),
    Example(
      start: 19_970_902, rules: ["FREQ=MINUTELY;INTERVAL=90;COUNT=4"], days: "1997-09 2",
      times: ["09:00", "10:30", "12:00", "13:30"]),
    Example(
      start: 19_970_902,
      rules: [
        "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
        "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
      ], days: "1997-09 2,3", times: thirds, isEndless: true),
    Example(
      start: 19_970_805, rules: ["FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO"],
      days: "1997-08 5,10,19,24"),
    Example(
      start: 19_970_805, rules: ["FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU"],
      days: "1997-08 5,17,19,31"),
    Example(
      start: 20_070_115, rules: ["FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5"],
      days: "2007-01 15,30; 2007-02 15; 2007-03 15,30"),
  ]

  /// `1997-09-02 09:00:00` and so on.
  private static func times(_ example: Example) throws -> [String] {
    var times: [String] = []
    for month in example.days.split(separator: ";") {
      let parts = month.split { $0 == " " || $0 == "\n" }
      for range in parts[1].split(separator: ",") {
        let ends = try range.split(separator: "-").map { try #require(Int($0)) }
        for day in ends[0]...(ends.last ?? ends[0]) {
          times += example.times.map { "\(parts[0])-\(day < 10 ? "0" : "")\(day) \($0):00" }
        }
      }
    }
    return times
  }

  @Test("The RFC's rules elapse when it says", arguments: examples)
  func elapses(example: Example) throws {
    let expected = try Self.times(example)
    let zone = try Zone.named("America/New_York")
    let before = try #require(CivilDateTime("1996-01-01 00:00:00"))
    let context = ReadingContext(now: zone.resolve(before).instant, zone: zone)
    for rule in example.rules {
      let text = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART;TZID=America/New_York:\(example.start)T090000
        RRULE:\(rule)
        END:VEVENT
        END:VCALENDAR

        """
      let results = ICalendarReader.read(Array(text.utf8), in: context)
      guard case .success(let entry) = results.first, case .every(let time, _) = entry.timing else {
        Issue.record("\(rule): \(results)")
        return
      }
      var moments = [entry.due].compactMap(\.self)
      while moments.count < expected.count + 1, let last = moments.last,
        let next = time.next(after: last, in: zone),
        entry.until.map({ next <= $0 }) ?? true, entry.count.map({ moments.count < $0 }) ?? true
      {
        moments.append(next)
      }
      #expect(moments.prefix(expected.count).map { "\(zone.civil(at: $0))" } == expected, "\(rule)")
      #expect(moments.count == expected.count + (example.isEndless ? 1 : 0), "\(rule)")
    }
  }

  @Test("All examples are there: three have two rules")
  func all() { #expect(Self.examples.flatMap(\.rules).count == 42) }
}
