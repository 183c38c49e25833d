import EggTestSupport
import EggTime
import Testing

@Suite struct CalendarEventTests {
  private static func event(_ text: String, in zone: Zone = .utc) throws -> CalendarEvent {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: zone)
    let reading = try TimeExpression.read(text, in: context, as: .calendar).reading
    guard case .recurring(.event(let event)) = reading else { throw NotAnEvent() }
    return event
  }

  private struct NotAnEvent: Error {}

  private static func civil(_ text: String) throws -> CivilDateTime { try #require(CivilDateTime(text)) }

  // `systemd-analyze calendar` of systemd 252.
  @Test(
    "The canonical form is the one that systemd calls normalized",
    arguments: [
      ("*-*-1..31/40", "*-*-01 00:00:00"), ("1..31/40:00", nil), ("*:*:0/1", "*-*-* *:*:*"),
      ("*-*-* *:*:0.5/1.25", "*-*-* *:*:00.500000/1.250000"), ("*:*:*/2", nil),
      ("*-*-* 00:00:05,3,3", "*-*-* 00:00:03,05"), ("Mon..Sun 10:00", "*-*-* 10:00:00"),
      ("Mon,Tue,Wed *-*-*", "Mon..Wed *-*-* 00:00:00"), ("*-*~1,3..5/2", "*-*~01,03..05/2 00:00:00"),
      ("70-1-1 1:1", "1970-01-01 01:01:00"), ("5..2:00", nil), ("8..8:00", "*-*-* 08:00:00"),
      ("*:0/59", "*-*-* *:00/59:00"), ("*:0/60", nil), ("*:1/59", nil),
      ("*:0/30,5", "*-*-* *:00/30,05:00"), ("*:*:59.9999999", nil), ("*:*:1.5", "*-*-* *:*:01.500000"),
      ("0..59:00", nil), ("*:0..59", "*-*-* *:00..59:00"), ("*-*~28", "*-*~28 00:00:00"), ("*-*~29", nil),
      ("*-*~1/1", nil), ("*-*~28/27", "*-*~28/27 00:00:00"), ("2199-12-31", "2199-12-31 00:00:00"),
      ("2200-1-1", nil), ("Mon  10:00", "Mon *-*-* 10:00:00"), ("mon.. 8:00", nil),
      ("12:0,0", "*-*-* 12:00:00"), ("*:*:0..10/3", "*-*-* *:*:00..09/3"), ("Sun..Mon 8:00", nil),
      ("2026-1-1/7 8:00", "2026-01-01/7 08:00:00"), ("2020/4-2-29", "2020/4-02-29 00:00:00"),
      ("*-*-*~01", nil), ("~01", nil), ("*~01", "*-*~01 00:00:00"), ("1~01", "*-01~01 00:00:00"),
      ("Monday..friday 8:00", "Mon..Fri *-*-* 08:00:00"), ("99999999999999999999:00", nil),
      ("*-*-* 08:00 CET", nil), ("semi-annually", "*-01,07-01 00:00:00"),
    ] as [(String, String?)])
  func normalized(text: String, form: String?) throws {
    guard let form else {
      #expect(throws: ExpressionError.self) { try Self.event(text) }
      return
    }
    let event = try Self.event(text)
    #expect(event.description == form)
    #expect(try Self.event(form) == event)
  }

  @Test("An event that is over or names impossible days finds no next elapse, without delay")
  func never() throws {
    let now = Instant(microseconds: 1_800_000_000_000_000)
    for text in [
      "*-02-30", "2003-03-05", "Mon 2027-01-01", "Sun *-03~01..07 02:30 Europe/Paris",
    ] {
      let event = try Self.event(text)
      let zone = try event.zoneName.map { try Zone.named($0) } ?? .utc
      #expect(event.next(after: now, in: zone) == nil, "\(text)")
    }
    // The last possible year.
    let last = try Self.event("2199-*~01").next(after: now, in: .utc)
    #expect(last == Instant(microseconds: 7_229_174_400_000_000))
    let event = try Self.event("*:*")
    #expect(event.next(after: .latest, in: .utc) == nil)
    #expect(event.next(after: Instant(microseconds: .max), in: .utc) == nil)
    #expect(event.next(after: Instant(microseconds: .min), in: .utc) == Instant(microseconds: 0))
  }

  @Test("Only a list of seconds makes an event dense")
  func dense() throws {
    for text in ["*:*:*", "*:*:0/20", "*:*:1,2", "08:00:00..03"] {
      #expect(try RecurringTime.event(Self.event(text)).isDense)
    }
    for text in ["*:*", "*:*:59", "daily", "*:*:30"] {
      #expect(try !RecurringTime.event(Self.event(text)).isDense)
    }
  }

  @Test("Density counts the distance across the turn of the minute")
  func closest() throws {
    let second = TimeSpan.seconds(1)
    for text in ["*:*:0/0.5", "*:*:1,1.9", "*:*:0,59.5", "*:*:0/0.000001"] {
      #expect(try Self.event(text).isDenser(than: second), "\(text)")
    }
    for text in ["*:*:*", "*:*:0,59", "*:*:59.5", "daily"] {
      #expect(try !Self.event(text).isDenser(than: second), "\(text)")
    }
  }

  @Test("A time that the clock jumps over is reported with its day")
  func skipped() throws {
    let zone = try Zone.named("Europe/Paris")
    let event = RecurringTime.event(try Self.event("02:30", in: zone))
    let march = zone.resolve(try Self.civil("2027-03-20 12:00:00")).instant
    let april = zone.resolve(try Self.civil("2027-04-20 12:00:00")).instant
    #expect(
      event.firstSkipped(after: march, before: april, in: zone)
        == .jumpedOver(try Self.civil("2027-03-28 02:30:00")))
    #expect(event.firstSkipped(after: april, before: april + .seconds(86_400 * 60), in: zone) == nil)
    #expect(event.firstSkipped(after: march, before: march + .seconds(86_400), in: zone) == nil)
    // Seven elapses from 21 to 27 March; the eighth is on the 29th.
    #expect(event.firstSkipped(after: march, before: april, within: 7, in: zone) == nil)
    #expect(event.firstSkipped(after: march, before: april, within: 8, in: zone) != nil)
  }

  @Test(
    "A time that the clock shows twice is reported if the event names it",
    arguments: [
      ("hourly", "2027-10-31 02:00:00"), ("*:0/15", "2027-10-31 02:00:00"), ("*:05", "2027-10-31 02:05:00"),
      ("02:30", "2027-10-31 02:30:00"), ("Sun 2:59:59", "2027-10-31 02:59:59"),
      ("03:00", nil), ("01:59:59", nil), ("0/12:00", nil), ("Mon *:*", nil), ("hourly UTC", nil),
    ] as [(String, String?)])
  func shownTwice(text: String, time: String?) throws {
    let event = RecurringTime.event(try Self.event(text))
    let zone = try Zone.named(event.zoneName ?? "Europe/Paris")
    let base = try Zone.named("Europe/Paris").resolve(try Self.civil("2027-10-31 00:30:00")).instant
    func skipped(_ seconds: Int64) -> SkippedTime? {
      event.firstSkipped(after: base, before: base + .seconds(seconds), in: zone)
    }
    #expect(skipped(86_400) == (try time.map { .shownTwice(try Self.civil($0)) }))
    // None until the clock is set back.
    #expect(skipped(9_000) == nil)
  }

  @Test("The first of a gap and a fold is reported, even on clocks that change by half an hour")
  func nearest() throws {
    let zone = try Zone.named("Australia/Lord_Howe")
    let event = RecurringTime.event(try Self.event("02:00"))
    let autumn = zone.resolve(try Self.civil("2027-03-20 12:00:00")).instant
    let spring = zone.resolve(try Self.civil("2027-09-20 12:00:00")).instant
    func skipped(after base: Instant) -> SkippedTime? {
      event.firstSkipped(after: base, before: base + .seconds(366 * 86_400), in: zone)
    }
    #expect(skipped(after: autumn) == .jumpedOver(try Self.civil("2027-10-03 02:00:00")))
    #expect(skipped(after: spring) == .jumpedOver(try Self.civil("2027-10-03 02:00:00")))
    let quarter = RecurringTime.event(try Self.event("*:0/15"))
    let before = zone.resolve(try Self.civil("2027-04-04 00:50:00")).instant
    #expect(
      quarter.firstSkipped(after: before, before: before + .seconds(86_400), in: zone)
        == .shownTwice(try Self.civil("2027-04-04 01:30:00")))
  }

  /// An event as sets of named values; the walk below knows nothing else.
  private struct Sets {
    var weekdays: Set<Int>
    var days: Set<Int>
    var hours: Set<Int>
    var minutes: Set<Int>

    init(_ random: inout some RandomNumberGenerator) {
      func some(_ range: Range<Int>, _ most: Int) -> Set<Int> {
        Set((0..<Int.random(in: 1...most, using: &random)).map { _ in Int.random(in: range, using: &random) })
      }
      func all(_ range: Range<Int>, or sets: Set<Int>) -> Set<Int> {
        Bool.random(using: &random) ? Set(range) : sets
      }
      weekdays = all(0..<7, or: some(0..<7, 4))
      days = all(1..<32, or: some(1..<32, 12))
      hours = all(0..<24, or: some(0..<5, 4))
      minutes = all(0..<60, or: some(0..<60, 5))
    }

    var text: String {
      func list(_ values: Set<Int>) -> String { values.sorted().map(String.init).joined(separator: ",") }
      let names = weekdays.sorted().map { String(Weekday.allCases[$0].name.prefix(3)) }.joined(separator: ",")
      return "\(names) *-*-\(list(days)) \(list(hours)):\(list(minutes))"
    }

    func holds(_ time: CivilDateTime) -> Bool {
      weekdays.contains(time.weekday.rawValue) && days.contains(time.day) && hours.contains(time.hour)
        && minutes.contains(time.minute)
    }
  }

  @Test(
    "Around clock changes, random events elapse when a minute-by-minute walk says so",
    arguments: [
      ("Europe/Paris", "2027-03-27 00:00:00"), ("Europe/Paris", "2027-10-30 00:00:00"),
      ("Australia/Lord_Howe", "2027-10-02 00:00:00"), ("Australia/Lord_Howe", "2027-04-03 00:00:00"),
      ("Antarctica/Troll", "2027-03-27 00:00:00"), ("Antarctica/Troll", "2027-10-30 00:00:00"),
      ("Pacific/Apia", "2011-12-29 00:00:00"), ("America/New_York", "2027-11-06 00:00:00"),
      ("America/Sao_Paulo", "2018-11-03 00:00:00"), ("America/Sao_Paulo", "2018-02-17 00:00:00"),
      ("UTC", "2028-02-28 00:00:00"),
    ])
  func walk(zone name: String, start: String) throws {
    let zone = try Zone.named(name)
    let first = zone.resolve(try Self.civil(start)).instant
    let minutes = (1...3 * 1_440).map { Instant(microseconds: first.microseconds + Int64($0) * 60_000_000) }
    var shown: Set<CivilDateTime> = [zone.civil(at: first)]
    // Minutes that the clock shows for the first time.
    let walk = minutes.map { ($0, zone.civil(at: $0)) }.filter { shown.insert($0.1).inserted }
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let sets = Sets(&random)
      let event = try Self.event(sets.text, in: zone)
      var elapses: [Instant] = []
      var base = first
      while let next = event.next(after: base, in: zone), let last = minutes.last, next <= last {
        elapses.append(next)
        base = next
      }
      let expected = walk.filter { sets.holds($0.1) }.map(\.0)
      #expect(elapses == expected, "seed \(seed), \(sets.text)")
    }
  }
}
