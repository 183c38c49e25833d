import EggTestSupport
import EggTime
import Glibc
import Testing

/// Compares recurrence sets with PyPI's dateutil.
///
/// Left out is where dateutil differs from RFC 5545: BYDAY with and without numbers in one rule; BYWEEKNO without
/// BYDAY; the last weeks (52, 53, -52, -53) of a neighbouring year; BYSETPOS in a first week that began before the
/// start.
@Suite struct RuleOracleTests {
  /// Prints the first moments after now for each line `START|RULE|RDATES|EXDATES`, as civil seconds; `never` where
  /// the rule's parts exclude each other.
  private static let program = """
    import sys, datetime, itertools
    from dateutil.rrule import rrulestr, rruleset
    epoch = datetime.datetime(1970, 1, 1)
    now = datetime.datetime(2026, 11, 20, 21, 34, 30)
    read = lambda text: datetime.datetime.strptime(text, "%Y%m%dT%H%M%S")
    for line in open(sys.argv[1]):
        start, rule, dates, excluded = line.rstrip().split("|")
        try:
            rules = rruleset()
            rules.rrule(rrulestr(rule, dtstart=read(start)))
        except ValueError:
            print("never")
            continue
        for text in filter(None, dates.split(",")): rules.rdate(read(text))
        for text in filter(None, excluded.split(",")): rules.exdate(read(text))
        moments = itertools.islice(rules.xafter(now), 8)
        print("=", *(int((m - epoch).total_seconds()) for m in moments))
    """

  /// The year 2190; rules end with 2199.
  private static let end: Int64 = 6_942_585_600

  /// How many rules are compared; `make test-rules` asks for more.
  private static let rules = getenv("EGGD_TEST_RULES").flatMap { Int(String(cString: $0)) } ?? 150

  private struct Line {
    var start: CivilDateTime
    var rule: String
    var dates: [CivilDateTime] = []
    var excluded: [CivilDateTime] = []

    var text: String {
      func list(_ times: [CivilDateTime]) -> String {
        times.map { "\(BasicDateTime($0))" }.joined(separator: ",")
      }
      return "\(BasicDateTime(start))|\(rule)|\(list(dates))|\(list(excluded))\n"
    }
  }

  private static func line(_ random: inout SeededGenerator) -> Line {
    func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    func some(_ values: [Int], _ most: Int = 3) -> String {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in
        "\(values.randomElement(using: &random) ?? 1)"
      }.joined(separator: ",")
    }
    let frequency = RecurrenceRule.Frequency.allCases.randomElement(using: &random) ?? .daily
    // Python steps through each second and minute.
    let isShort = frequency < .hourly
    let day =
      isShort
      ? 20_777 : Int.random(in: frequency == .hourly ? 20_600...20_900 : 12_000...21_500, using: &random)
    var line = Line(
      start: CivilDateTime(
        dayNumber: day, hour: isShort ? 20 : Int.random(in: 0...23, using: &random),
        minute: [0, 15, 30, 45, 59].randomElement(using: &random) ?? 0, second: chance(3) ? 7 : 0), rule: "")
    var rule = frequency.text
    if chance(2) {
      rule +=
        ";INTERVAL=\([2, 3, 4, 5, 6, 7, 10, 12, 13, 15, 18, 24, 30, 45, 60, 90].randomElement(using: &random) ?? 2)"
    }
    let firstWeekday = chance(3) ? Int.random(in: 0...6, using: &random) : 0
    if firstWeekday > 0 { rule += ";WKST=\(RecurrenceRule.weekdays[firstWeekday])" }
    if chance(frequency > .daily ? 4 : 8), frequency > .secondly { rule += ";BYMONTH=\(some(Array(1...12)))" }
    var hasDays = false
    let ends = Array(-31 ... -1) + Array(1...31)
    if frequency != .weekly, frequency > .minutely, chance(4) {
      rule += ";BYMONTHDAY=\(some(chance(2) ? ends : Array(1...31), 4))"
      hasDays = true
    }
    if frequency == .yearly || frequency == .hourly, chance(5) {
      rule += ";BYYEARDAY=\(some(Array(-366 ... -1) + Array(1...366), 5))"
      hasDays = true
    }
    let hasWeeks = frequency == .yearly && chance(4)
    if hasWeeks { rule += ";BYWEEKNO=\(some(Array(-51 ... -1) + Array(1...51), 4))" }
    if hasWeeks || chance(2) {
      let numbered = frequency >= .monthly && !hasWeeks && chance(2)
      let limit = frequency == .yearly && !rule.contains("BYMONTH=") ? 53 : 5
      let days = (0...Int.random(in: 0...3, using: &random)).map { _ in
        let number = Int.random(in: 1...limit, using: &random)
        let name = RecurrenceRule.weekdays.randomElement(using: &random) ?? "MO"
        return (numbered ? chance(2) ? "\(number)" : "-\(number)" : "") + name
      }
      rule += ";BYDAY=\(Set(days).sorted().joined(separator: ","))"
      hasDays = true
    }
    if frequency > .secondly || chance(4), chance(4) { rule += ";BYHOUR=\(some(Array(0...23)))" }
    if chance(5) { rule += ";BYMINUTE=\(some(Array(0...59)))" }
    if chance(8) { rule += ";BYSECOND=\(some(Array(0...59)))" }
    if hasDays || rule.contains(";BYHOUR") || rule.contains(";BYMINUTE"), chance(4) {
      rule += ";BYSETPOS=\(some([1, 2, 3, 4, -1, -2, -3, -4], 2))"
      if frequency == .weekly {
        line.start = line.start.adding(days: (firstWeekday - line.start.weekday.rawValue - 7) % 7)
      }
    }
    if chance(5) { rule += ";COUNT=\(Int.random(in: 2...400, using: &random))" }
    line.rule = rule
    return line
  }

  /// The next moments, as civil seconds.
  private static func moments(_ set: RecurrenceSet?) -> [Int64] {
    var moments: [Int64] = []
    var base = CalendarFixture.now
    while moments.count < 8, let next = set?.next(after: base, in: .utc) {
      moments.append(next.microseconds / 1_000_000)
      base = next
    }
    return moments
  }

  /// Python steps through each period to the last moment, or to the year 9999.
  private static func isFast(_ line: Line, _ times: [CivilDateTime]) -> Bool {
    let last = times.count < 8 && !line.rule.contains("COUNT=") ? nil : times.last
    let days = (last.map(\.dayNumber) ?? 3_000_000) - line.start.dayNumber
    let most = [0, 30, 6_000, 60_000, 400_000, 3_000_000, 4_000_000]
    let frequency = RecurrenceRule.Frequency.allCases.firstIndex { line.rule.hasPrefix($0.text) } ?? 0
    return times.isEmpty && line.rule.contains("COUNT=") ? frequency > 3 : days <= most[frequency]
  }

  @Test("Sets elapse when dateutil's do")
  func agrees() throws {
    var random = SeededGenerator(seed: 5_545)
    var input = ""
    var lines: [Line] = []
    while lines.count < Self.rules {
      var line = Self.line(&random)
      let set = try? RecurrenceSet(start: line.start, rule: RecurrenceRule(line.rule))
      let times = Self.moments(set).map { Zone.utc.civil(at: Instant(microseconds: $0 * 1_000_000)) }
      guard Self.isFast(line, times) else { continue }
      if let first = times.first, Int.random(in: 0..<3, using: &random) == 0 {
        line.excluded = [first, first.adding(days: 7)]
        line.dates = [CivilDateTime(secondsOnClock: first.secondsOnClock + 5_400), first.adding(days: 1)]
      }
      lines.append(line)
      input += line.text
    }
    let answers = try Python.lines(Self.program, input: input)
    try #require(answers.count == lines.count)
    var wrong: [String] = []
    var none = 0
    for (answer, line) in zip(answers, lines) {
      let expected = answer.split(separator: " ").compactMap { Int64($0) }.filter { $0 < Self.end }
      let set = try? RecurrenceSet(
        start: line.start, rule: RecurrenceRule(line.rule), dates: line.dates,
        excluded: line.excluded.map { BasicDateTime($0) })
      if let set { #expect(RecurrenceSet(set.description) == set) }
      var moments = Self.moments(set)
      moments.removeAll { $0 >= Self.end }
      none += moments.isEmpty ? 1 : 0
      if moments != expected { wrong.append("\(line.text) \(moments.prefix(3)) not \(expected.prefix(3))") }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10).joined(separator: "\n"))")
    #expect(none < lines.count / 4)
  }
}
