import EggTestSupport
import Testing

@testable import EggTime

/// Clocks that no country has but that `TZ` or a zone file can describe.
@Suite struct OddZoneTests {
  private static func zone(_ text: String) throws -> Zone {
    let rule = try #require(PosixRule(text.utf8), "\(text)")
    return Zone(
      identifier: text, digest: text, path: nil, timeline: ZoneTimeline(initial: rule.standard, rule: rule))
  }

  private static func event(_ text: String) throws -> CalendarEvent {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc)
    let reading = try TimeExpression.read(text, in: context, as: .calendar).reading
    guard case .recurring(.event(let event)) = reading else { throw NotAnEvent() }
    return event
  }

  private struct NotAnEvent: Error {}

  private static func utc(_ text: String) throws -> Instant {
    Zone.utc.resolve(try #require(CivilDateTime(text))).instant
  }

  /// On 10 April the clock jumps from 02:00 to 03:00, and ten minutes later from 03:10 back to 02:10.
  private static let jumpAndBack = "AAA0BBB,J100/2,J100/3:10"

  @Test("A time jumped over but shown soon after, by a clock set back, is no gap")
  func shownAfterAll() throws {
    let zone = try Self.zone(Self.jumpAndBack)
    func resolution(_ text: String) throws -> CivilResolution {
      zone.resolve(try #require(CivilDateTime("2027-04-10 \(text)")))
    }
    #expect(try resolution("02:30:00") == .unique(Self.utc("2027-04-10 02:30:00")))
    #expect(
      try resolution("02:05:00") == .gap(instant: Self.utc("2027-04-10 02:05:00"), length: .seconds(3_600)))
    #expect(
      try resolution("03:05:00")
        == .fold(first: Self.utc("2027-04-10 02:05:00"), second: Self.utc("2027-04-10 03:05:00")))
  }

  @Test("The search for an elapse continues where the clock is set back before a time that it jumped over")
  func searchEnds() throws {
    let zone = try Self.zone(Self.jumpAndBack)
    let base = try Self.utc("2026-11-20 00:00:00")
    #expect(
      try Self.event("*-04-10 02:30").next(after: base, in: zone) == Self.utc("2027-04-10 02:30:00"))
    #expect(try Self.event("*-04-10 02:05").next(after: base, in: zone) == nil)
    #expect(
      try Self.event("*-*-* 02:05").next(after: Self.utc("2027-04-10 00:00:00"), in: zone)
        == Self.utc("2027-04-11 02:05:00"))
  }

  @Test("A time shown before the clock was set back, then jumped over, does not elapse again")
  func shownBefore() throws {
    // From 00:00 ten hours ahead for an hour; from 10:00 three hours ahead forever.
    let midnight = try Self.utc("2027-04-10 00:00:00")
    let start = midnight.microseconds / 1_000_000
    let ahead = LocalTimeType(offset: 36_000, abbreviation: "BBB")
    let plain = LocalTimeType(offset: 0, abbreviation: "AAA")
    let timeline = ZoneTimeline(
      transitions: [start, start + 3_600, start + 36_000],
      types: [ahead, plain, LocalTimeType(offset: 10_800, abbreviation: "CCC")], initial: plain)
    let zone = Zone(identifier: "odd", digest: "odd", path: nil, timeline: timeline)
    let event = try Self.event("10:30")
    #expect(event.next(after: midnight, in: zone) == midnight + .seconds(1_800))
    #expect(
      try event.next(after: midnight + .seconds(7_200), in: zone) == Self.utc("2027-04-11 07:30:00"))
  }

  @Test("Where saving time ends and begins in the next year, the clock shows that of the year before")
  func nextYear() throws {
    let zone = try Self.zone("AAA7:30BBB11,J365/44:14,J365/26:35")
    #expect(zone.civil(at: try Self.utc("2028-01-01 13:30:00")) == CivilDateTime("2028-01-01 02:30:00"))
    #expect(zone.civil(at: try Self.utc("2028-01-01 13:40:00")) == CivilDateTime("2028-01-01 06:10:00"))
  }

  @Test(
    "Under any TZ rule, elapses ascend and the clock shows them", .timeLimit(.minutes(1)))
  func anyRule() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let texts = ["*:0/7", "02:30", "*-04-10 02:30", "*-*~1 0/3:15", "Sun 3..4:59:59.5", "*-1,12-* 12:00"]
    let events = try texts.map { try Self.event($0) }
    let base = try Self.utc("2027-01-01 00:00:00")
    for _ in 0..<100 {
      let (first, later) = (number(1...365), number(-2...2))
      let day = min(max(first + later, 1), 365)
      func date(_ day: Int) -> String { "J\(day)/\(number(-50...50)):\(number(0...59))" }
      let rule = "AAA\(number(-24...24)):30BBB\(number(-24...24)),\(date(first)),\(date(day))"
      let zone = try Self.zone(rule)
      for event in events {
        var last = base + .seconds(Int64(first) * 86_400 - 200_000)
        for _ in 0..<40 {
          guard let next = event.next(after: last, in: zone) else { break }
          let shown = zone.civil(at: next)
          guard next > last, event.match(from: shown) == shown else {
            Issue.record("seed \(seed), \(rule): \(event) after \(last) at \(next), \(shown)")
            break
          }
          last = next
        }
      }
    }
  }
}
