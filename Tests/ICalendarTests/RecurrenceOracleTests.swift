import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

/// Compares with PyPI's dateutil.
@Suite struct RecurrenceOracleTests {
  /// Prints the first moments after now for each line `START RULE SECONDS-TO-THE-ALARM`, as civil seconds.
  private static let program = """
    import sys, datetime, itertools
    from dateutil.rrule import rrulestr
    epoch = datetime.datetime(1970, 1, 1)
    now = datetime.datetime(2026, 11, 20, 21, 34, 30)
    for line in open(sys.argv[1]):
        start, rule, lead = line.split()
        lead = datetime.timedelta(seconds=int(lead))
        rule = rrulestr(rule, dtstart=datetime.datetime.strptime(start, "%Y%m%dT%H%M%S"))
        moments = itertools.islice(rule.xafter(now - lead), 12)
        print(*(int((m + lead - epoch).total_seconds()) for m in moments))
    """

  /// The year 2190; calendar events end with 2199.
  private static let end: Int64 = 6_942_585_600

  /// A random rule, often one that people and calendars write.
  private static func rule(_ random: inout SeededGenerator) -> String {
    func some(_ values: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
      (0...Int.random(in: 0...2, using: &random)).map { _ in "\(Int.random(in: values, using: &random))" }
        .joined(separator: ",")
    }
    func days(_ random: inout SeededGenerator, ordinals: Bool) -> String {
      let ordinal = [1, 2, 3, 4, 5, -1, -2, -3, -4].randomElement(using: &random) ?? 1
      return (0...Int.random(in: 0...2, using: &random)).map { _ in
        let day = RecurrenceRule.weekdays.randomElement(using: &random) ?? "MO"
        return ordinals ? "\(ordinal)\(day)" : day
      }.joined(separator: ",")
    }
    let frequency = RecurrenceRule.Frequency.allCases.randomElement(using: &random) ?? .daily
    var rule = "FREQ=\(frequency.rawValue.uppercased())"
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    if chance(3) {
      rule +=
        ";INTERVAL=\([2, 3, 4, 5, 6, 7, 12, 15, 18, 24, 30, 45, 60, 120].randomElement(using: &random) ?? 1)"
    }
    // Python steps through every second to find one in a month.
    if frequency < .hourly { return rule }
    if chance(4) { rule += ";BYMONTH=\(some(1...12, &random))" }
    if frequency != .weekly, chance(4) {
      rule +=
        ";BYMONTHDAY=\(chance(3) ? "-\(Int.random(in: 1...28, using: &random))" : some(1...31, &random))"
    }
    if chance(2) { rule += ";BYDAY=\(days(&random, ordinals: frequency >= .monthly && chance(2)))" }
    if frequency == .weekly, chance(3) { rule += ";WKST=\(chance(2) ? "SU" : "SA")" }
    if chance(5) { rule += ";BYHOUR=\(some(0...23, &random))" }
    if chance(6) { rule += ";BYMINUTE=\(some(0...59, &random))" }
    if frequency >= .monthly, chance(6) { rule += ";BYSETPOS=\(chance(2) ? 1 : -1)" }
    if chance(5) { rule += ";COUNT=\(Int.random(in: 2...300, using: &random))" }
    return rule
  }

  private static func interval(_ random: inout SeededGenerator) -> RecurringInterval? {
    let start = CivilDateTime(
      dayNumber: .random(in: 19_000...20_900, using: &random), hour: .random(in: 0...23, using: &random),
      minute: 30)
    let count = [1, 2, 3, 5, 7, 12, 18, 24, 48].randomElement(using: &random) ?? 1
    let days = Set(
      (0...Int.random(in: 0...2, using: &random)).compactMap { _ in
        Weekday.allCases.randomElement(using: &random)
      })
    let number = [1, 2, 4, 5, -1, -2, -5].randomElement(using: &random) ?? 1
    switch Int.random(in: 0...4, using: &random) {
    case 0:
      let span = TimeSpan.seconds(Int64(count) * ([7_200, 5_400, 1_234].randomElement(using: &random) ?? 1))
      return RecurringInterval(every: span, from: Zone.utc.resolve(start).instant)
    case 1: return RecurringInterval(.days(count), from: start)
    case 2: return RecurringInterval(.weeks(count, on: days), from: start)
    case 3:
      let day = [1, 15, 28, 29, 30, 31, -1, -2, -31].randomElement(using: &random) ?? 1
      return RecurringInterval(.months(count, on: .day(day)), from: start)
    default:
      return RecurringInterval(.months(count, on: .weekday(days.first ?? .friday, number)), from: start)
    }
  }

  @Test("Intervals elapse when dateutil's rules do")
  func intervals() throws {
    var random = SeededGenerator(seed: 3_310)
    var input = ""
    var intervals: [RecurringInterval] = []
    while intervals.count < 600 {
      guard let interval = Self.interval(&random), let rule = interval.rule else { continue }
      // For a day that never comes, Python searches until the year 9999.
      guard interval.next(after: CalendarFixture.now, in: .utc) != nil else { continue }
      intervals.append(interval)
      input += "\(BasicDateTime(interval.start)) \(rule) 0\n"
    }
    let answers = try Python.lines(Self.program, input: input)
    try #require(answers.count == intervals.count)
    for (answer, interval) in zip(answers, intervals) {
      var moments: [Int64] = []
      var base = CalendarFixture.now
      while moments.count < 12, let next = interval.next(after: base, in: .utc) {
        moments.append(next.microseconds / 1_000_000)
        base = next
      }
      #expect(moments == answer.split(separator: " ").compactMap { Int64($0) }, "\(interval)")
    }
  }

  @Test("Accepted rules elapse when dateutil's do, moved by their alarms")
  func agrees() throws {
    var random = SeededGenerator(seed: 5_545)
    var input = ""
    var events: [(line: String, event: RecurringTime, entry: CalendarEntry)] = []
    let context = ReadingContext(now: CalendarFixture.now, zone: .utc)
    while events.count < 800 {
      let rule = Self.rule(&random)
      // Python steps through all their seconds and minutes, so such a rule begins an hour ago.
      let isShort = rule.hasPrefix("FREQ=SECONDLY") || rule.hasPrefix("FREQ=MINUTELY")
      let lead = [0, 0, -600, -3_600, -86_400, 3_600, -43_200].randomElement(using: &random) ?? 0
      let start = BasicDateTime(
        CivilDateTime(
          dayNumber: isShort ? 20_777 : .random(in: 20_600...20_776, using: &random),
          hour: isShort ? 20 : .random(in: 0...23, using: &random),
          minute: [0, 30, 45].randomElement(using: &random) ?? 0))
      var lines = "DTSTART:\(start)\nRRULE:\(rule)"
      if lead != 0 {
        lines += "\n" + ICalendarReaderTests.alarm("TRIGGER:\(lead < 0 ? "-" : "")PT\(abs(lead))S")
      }
      let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n"
      guard case .success(let entry) = ICalendarReader.read(Array(text.utf8), in: context).first,
        case .every(let event, _) = entry.timing, let due = entry.due,
        due < CalendarFixture.now + .seconds(5 * 366 * 86_400)
      else {
        continue
      }
      events.append(("\(start) \(rule) \(lead)", event, entry))
      input += "\(start) \(rule) \(lead)\n"
    }
    let answers = try Python.lines(Self.program, input: input)
    try #require(answers.count == events.count)
    var wrong: [String] = []
    for (answer, (line, event, entry)) in zip(answers, events) {
      let expected = answer.split(separator: " ").compactMap { Int64($0) }.filter { $0 < Self.end }
      var moments: [Int64] = []
      var base = entry.due.map { $0 + entry.ahead - TimeSpan(microseconds: 1) }
      while moments.count < Int(min(entry.count ?? 12, 12)), let after = base,
        let next = event.next(after: after, in: .utc)
      {
        moments.append((next - entry.ahead).microseconds / 1_000_000)
        base = next
      }
      moments.removeAll { $0 >= Self.end }
      if moments != expected {
        wrong.append("\(line): \(event) \(moments.prefix(3)) not \(expected.prefix(3))")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10).joined(separator: "\n"))")
  }
}
