import EggTestSupport
import EggTime
import Testing

@Suite struct RecurringIntervalTests {
  private static func civil(_ text: String) throws -> CivilDateTime { try #require(CivilDateTime(text)) }

  private static func instant(_ text: String, in zone: Zone = .utc) throws -> Instant {
    zone.resolve(try civil(text)).instant
  }

  private static func interval(_ text: String) throws -> RecurringInterval {
    try #require(RecurringInterval(text), "\(text)")
  }

  /// The first elapses after a civil time, as civil times of the zone.
  private static func elapses(
    _ text: String, after base: String, in zone: Zone = .utc, count: Int = 3
  ) throws -> [String] {
    let interval = try interval(text)
    var elapses: [Instant] = []
    while elapses.count < count,
      let next = interval.next(after: try elapses.last ?? instant(base, in: zone), in: zone)
    {
      elapses.append(next)
    }
    return elapses.map { zone.civil(at: $0).description }
  }

  @Test(
    "The canonical form of an interval reads back",
    arguments: [
      "20min from 2026-11-24 12:20:00 UTC", "1h 30min from 2026-11-24 12:20:00.000001 UTC",
      "48h from 1970-01-01 00:00:00 UTC", "1s from 9999-12-30 23:59:59 UTC",
      "1s 500ms from 2026-11-24 12:20:00 UTC",
      "3d 08:00:00 from 2026-11-25", "2w Mon,Thu 07:30:00 from 2026-11-23",
      "2month 15 09:00:00 from 2026-12-15 Europe/Paris", "1month -1Fri 17:00:00 from 2026-11-24",
      "1month -1workday 17:00:00 from 2026-11-24", "3month -23workday 17:00:00 from 2026-11-24",
      "12month 29 00:00:00 from 2028-02-29 UTC", "1month -1 23:59:59.999999 from 2026-11-24",
      "3652425d 08:00:00 from 0000-01-01", "521775w Sun 08:00:00 from 2026-11-25",
      "120000month 5Sat 08:00:00 from 2026-11-25", "315569520000s from 2026-11-24 12:20:00 UTC",
    ])
  func form(text: String) throws {
    let interval = RecurringInterval(text)
    guard text.hasPrefix("315569520000s") else {
      #expect(try #require(interval).description == text)
      return
    }
    #expect(interval == nil)
    let longest = RecurringInterval(every: .seconds(315_569_520_000), from: Instant(microseconds: 0))
    #expect(try #require(longest).description == "87658200h from 1970-01-01 00:00:00 UTC")
  }

  @Test(
    "A text in another form, of no length or out of bounds is refused",
    arguments: [
      "", "from", "20min", "20min from", "20min from 2026-11-24", "20min from 2026-11-24 12:20:00",
      "20m from 2026-11-24 12:20:00 UTC", "60min from 2026-11-24 12:20:00 UTC",
      "20min  from 2026-11-24 12:20:00 UTC", "0s from 2026-11-24 12:20:00 UTC",
      "999ms from 2026-11-24 12:20:00 UTC", "1h from 1969-12-31 23:00:00 UTC",
      "1h from 9999-12-31 00:00:00 UTC", "1h from 2026-11-24 12:20:00 Europe/Paris",
      "99999999999999999999h from 2026-11-24 12:20:00 UTC", "87658200h 1s from 2026-11-24 12:20:00 UTC",
      "0d 08:00:00 from 2026-11-25", "3652426d 08:00:00 from 2026-11-25", "3d from 2026-11-25",
      "-3d 08:00:00 from 2026-11-25", "03d 08:00:00 from 2026-11-25", "3d 8:00 from 2026-11-25",
      "3d 08:00:00 from 2026-02-29", "3d 08:00:00 from 2026-11-25 ", "3d 08:00:00 from 2026-11-25 a b",
      "3d 08:00:00 from 2026-11-25 ../etc", "2w 07:30:00 from 2026-11-23",
      "2w Thu,Mon 07:30:00 from 2026-11-23", "2w Mon,Mon 07:30:00 from 2026-11-23",
      "2w mon 07:30:00 from 2026-11-23", "0w Mon 07:30:00 from 2026-11-23",
      "521776w Mon 07:30:00 from 2026-11-23", "2w Mon,Xyz 07:30:00 from 2026-11-23",
      "1month 0 09:00:00 from 2026-12-15", "1month 32 09:00:00 from 2026-12-15",
      "1month -32 09:00:00 from 2026-12-15", "1month 6Fri 09:00:00 from 2026-12-15",
      "1month 0Fri 09:00:00 from 2026-12-15", "1month Fri 09:00:00 from 2026-12-15",
      "120001month 1 09:00:00 from 2026-12-15", "1month +1 09:00:00 from 2026-12-15",
      "1month 0workday 17:00:00 from 2026-11-24", "1month 24workday 17:00:00 from 2026-11-24",
      "1month workday 17:00:00 from 2026-11-24",
    ])
  func refused(text: String) { #expect(RecurringInterval(text) == nil) }

  @Test("An impossible step is refused")
  func impossible() throws {
    let start = try Self.civil("2026-11-25 08:00:00")
    #expect(RecurringInterval(.elapsed(.seconds(60)), from: start) == nil)
    #expect(RecurringInterval(.weeks(1, on: []), from: start) == nil)
    #expect(RecurringInterval(.days(.max), from: start) == nil)
    #expect(RecurringInterval(.months(.min, on: .day(1)), from: start) == nil)
    #expect(RecurringInterval(every: TimeSpan(microseconds: .max), from: Instant(microseconds: 0)) == nil)
  }

  @Test(
    "Elapses count from the start, which is one of them if its day is named",
    arguments: [
      (
        "20min from 2026-11-24 12:20:00 UTC", "2026-11-24 12:00:00",
        ["24 12:20:00", "24 12:40:00", "24 13:00:00"]
      ),
      (
        "20min from 2026-11-24 12:20:00 UTC", "2026-11-24 12:20:00",
        ["24 12:40:00", "24 13:00:00", "24 13:20:00"]
      ),
      ("3d 08:00:00 from 2026-11-25", "2026-11-24 12:00:00", ["25 08:00:00", "28 08:00:00", "01 08:00:00"]),
      ("3d 08:00:00 from 2026-11-25", "2026-11-25 08:00:00", ["28 08:00:00", "01 08:00:00", "04 08:00:00"]),
      (
        "2w Mon,Thu 07:30:00 from 2026-11-25", "2026-11-01 00:00:00",
        ["26 07:30:00", "07 07:30:00", "10 07:30:00"]
      ),
      (
        "2w Tue 07:30:00 from 2026-11-25", "2026-11-01 00:00:00",
        ["08 07:30:00", "22 07:30:00", "05 07:30:00"]
      ),
      (
        "2month 31 09:00:00 from 2026-12-15", "2026-11-01 00:00:00",
        ["31 09:00:00", "31 09:00:00", "31 09:00:00"]
      ),
      (
        "1month -1Fri 17:00:00 from 2026-11-24", "2026-11-24 12:00:00",
        ["27 17:00:00", "25 17:00:00", "29 17:00:00"]
      ),
      (
        "1month 2Mon 17:00:00 from 2026-11-24", "2026-11-24 12:00:00",
        ["14 17:00:00", "11 17:00:00", "08 17:00:00"]
      ),
      (
        "1month -2 17:00:00 from 2026-11-24", "2026-11-24 12:00:00",
        ["29 17:00:00", "30 17:00:00", "30 17:00:00"]
      ),
    ])
  func counted(text: String, base: String, expected: [String]) throws {
    #expect(try Self.elapses(text, after: base).map { String($0.dropFirst(8)) } == expected)
  }

  @Test("A day that a month lacks is skipped, and a day that no month has is refused without delay")
  func leftOut() throws {
    #expect(
      try Self.elapses("12month 29 09:00:00 from 2096-02-29", after: "2096-03-01 00:00:00", count: 2)
        == ["2104-02-29 09:00:00", "2108-02-29 09:00:00"])
    #expect(
      try Self.elapses("1month 31 09:00:00 from 2027-01-31", after: "2027-01-31 09:00:00", count: 2)
        == ["2027-03-31 09:00:00", "2027-05-31 09:00:00"])
    for text in [
      "12month 31 09:00:00 from 2027-02-01", "12month 30 09:00:00 from 2027-02-01",
      "1month 1 09:00:00 from 9999-12-02", "120000month 1 09:00:00 from 2027-01-02",
      "3652425d 08:00:00 from 0001-01-01", "521775w Mon 08:00:00 from 2026-11-25",
    ] {
      #expect(try Self.elapses(text, after: "2027-01-02 12:00:00") == [], "\(text)")
    }
  }

  @Test("The next elapse is found however far from the start, but not beyond the last moment")
  func far() throws {
    for text in ["1s from 1970-01-01 00:00:00 UTC", "1d 00:00:00 from 1970-01-01"] {
      let interval = try Self.interval(text)
      #expect(interval.next(after: .latest, in: .utc) == nil)
      #expect(interval.next(after: Instant(microseconds: .max), in: .utc) == nil)
      #expect(interval.next(after: Instant(microseconds: .min), in: .utc) == Instant(microseconds: 0))
    }
    let second = try Self.interval("1s from 1970-01-01 00:00:00 UTC")
    #expect(second.next(after: .latest - .seconds(1), in: .utc) == .latest)
    let longest = try Self.interval("87658200h from 9999-12-30 23:59:58 UTC")
    #expect(longest.next(after: .latest - .seconds(1), in: .utc) == nil)
  }

  @Test("A time in a gap does not elapse, and a time shown twice elapses the first time")
  func clockChanges() throws {
    let paris = try Zone.named("Europe/Paris")
    #expect(
      try Self.elapses("1d 02:30:00 from 2027-03-27", after: "2027-03-27 00:00:00", in: paris, count: 2)
        == ["2027-03-27 02:30:00", "2027-03-29 02:30:00"])
    let interval = try Self.interval("1d 02:30:00 from 2027-10-30")
    let base = try Self.instant("2027-10-31 00:00:00", in: paris)
    let first = try #require(interval.next(after: base, in: paris))
    #expect(first - base == .seconds(9_000))
    #expect(interval.next(after: first, in: paris).map { $0 - first } == .seconds(90_000))
    // Elapsed time ignores the clock.
    let hours = try Self.interval("12h from 2027-10-30 10:00:00 UTC")
    #expect(
      hours.next(after: base, in: paris).map { paris.civil(at: $0).description } == "2027-10-31 11:00:00")
  }

  @Test("A time that the clock jumps over or shows twice is reported")
  func skipped() throws {
    let paris = try Zone.named("Europe/Paris")
    func skipped(_ text: String, after base: String, within count: Int64 = .max) throws -> SkippedTime? {
      let base = try Self.instant(base, in: paris)
      return try RecurringTime.interval(Self.interval(text)).firstSkipped(
        after: base, before: base + .seconds(366 * 86_400), within: count, in: paris)
    }
    let from = "02:30:00 from 2027-01-01"
    let spring = SkippedTime.jumpedOver(try Self.civil("2027-03-28 02:30:00"))
    let autumn = SkippedTime.shownTwice(try Self.civil("2027-10-31 02:30:00"))
    #expect(try skipped("1d \(from)", after: "2027-03-01 00:00:00") == spring)
    #expect(try skipped("1d \(from)", after: "2027-04-01 00:00:00") == autumn)
    #expect(try skipped("1d \(from)", after: "2027-04-01 00:00:00", within: 200) == nil)
    #expect(try skipped("1d \(from)", after: "2027-11-01 00:00:00") != nil)
    #expect(try skipped("1d 09:00:00 from 2027-01-01", after: "2027-03-01 00:00:00") == nil)
    #expect(try skipped("1h from 2027-03-28 00:30:00 UTC", after: "2027-03-27 00:00:00") == nil)
  }

  /// Whether an interval names that day, computed from its parts alone.
  private static func isNamed(
    _ day: CivilDateTime, _ step: RecurringInterval.Step, from start: CivilDateTime
  ) -> Bool {
    let days = day.dayNumber - start.dayNumber
    guard days >= 0 else { return false }
    let weeks = (days + start.weekday.rawValue) / 7
    let months = day.year * 12 + day.month - start.year * 12 - start.month
    switch step {
    case .elapsed: return false
    case .days(let count): return days % count == 0
    case .weeks(let count, let names): return weeks % count == 0 && names.contains(day.weekday)
    case .months(let count, .day(let number)):
      let last = CivilDateTime.days(in: day.month, of: day.year)
      return months % count == 0 && day.day == (number > 0 ? number : last + 1 + number)
    case .months(let count, .weekday(let weekday, let number)):
      let left = CivilDateTime.days(in: day.month, of: day.year) - day.day
      let place = number > 0 ? (day.day + 6) / 7 : -(left / 7 + 1)
      return months % count == 0 && day.weekday == weekday && place == number
    case .months(let count, .workday(let number)):
      let last = CivilDateTime.days(in: day.month, of: day.year)
      let workdays = (1...last).filter {
        ![.saturday, .sunday].contains(day.adding(days: $0 - day.day).weekday)
      }
      let named = (number > 0 ? workdays : workdays.reversed()).dropFirst(abs(number) - 1).first
      return months % count == 0 && day.day == named
    }
  }

  @Test(
    "Around clock changes, random intervals elapse when a minute-by-minute walk says so",
    arguments: [
      ("Europe/Paris", "2027-03-27 00:00:00"), ("Europe/Paris", "2027-10-30 00:00:00"),
      ("Australia/Lord_Howe", "2027-10-02 00:00:00"), ("Australia/Lord_Howe", "2027-04-03 00:00:00"),
      ("Antarctica/Troll", "2027-03-27 00:00:00"), ("Pacific/Apia", "2011-12-29 00:00:00"),
      ("America/Sao_Paulo", "2018-11-03 00:00:00"), ("America/Sao_Paulo", "2018-02-17 00:00:00"),
      ("UTC", "2028-02-28 00:00:00"),
    ])
  func walk(zone name: String, start: String) throws {
    let zone = try Zone.named(name)
    let first = try Self.instant(start, in: zone)
    let minutes = (1...3 * 1_440).map { first + .seconds(Int64($0) * 60) }
    var shown: Set<CivilDateTime> = [zone.civil(at: first)]
    let walk = minutes.map { ($0, zone.civil(at: $0)) }.filter { shown.insert($0.1).inserted }
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var begin = zone.civil(at: first).adding(days: .random(in: -400...2, using: &random))
      (begin.hour, begin.minute) = (.random(in: 0...3, using: &random), .random(in: 0...59, using: &random))
      let count = Int.random(in: 1...4, using: &random)
      let weekday = Weekday.allCases[.random(in: 0...6, using: &random)]
      let step: RecurringInterval.Step =
        switch Int.random(in: 0...4, using: &random) {
        case 0: .days(count)
        case 1: .weeks(count, on: [weekday, begin.weekday])
        case 2: .months(count, on: .workday([1, 10, 23, -1, -22].randomElement(using: &random) ?? 1))
        case 3: .months(count, on: .day([28, 29, 30, 31, -1, -2].randomElement(using: &random) ?? 1))
        default: .months(count, on: .weekday(weekday, [1, 4, 5, -1, -5].randomElement(using: &random) ?? 1))
        }
      let interval = try #require(RecurringInterval(step, from: begin))
      var elapses: [Instant] = []
      var base = first
      while let next = interval.next(after: base, in: zone), let last = minutes.last, next <= last {
        elapses.append(next)
        base = next
      }
      let expected = walk.filter { _, time in
        (time.hour, time.minute) == (begin.hour, begin.minute) && Self.isNamed(time, step, from: begin)
      }
      #expect(elapses == expected.map(\.0), "seed \(seed), \(interval)")
    }
  }

  @Test("Only short steps are dense")
  func dense() throws {
    #expect(try RecurringTime.interval(Self.interval("59s from 2026-11-24 12:20:00 UTC")).isDense)
    #expect(try !RecurringTime.interval(Self.interval("1min from 2026-11-24 12:20:00 UTC")).isDense)
    #expect(try !RecurringTime.interval(Self.interval("1d 08:00:00 from 2026-11-24")).isDense)
    #expect(try !Self.interval("1s from 2026-11-24 12:20:00 UTC").isDenser(than: .milliseconds(100)))
  }
}
