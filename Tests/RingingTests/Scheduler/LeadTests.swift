import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite("Leads, and days on which an alarm keeps quiet")
struct LeadTests {
  /// An alarm at times of day on weekdays, and all its rings, enumerated day by day.
  private struct Plain {
    var zone: Zone
    /// Minutes after midnight, ascending.
    var times: [Int]
    var weekdays: Set<Int>
    var leads: [Lead]
    var off: Set<Int>
    var only: Set<Int>?
    var until: Instant?
    var count: Int?
    var begin: Instant

    typealias Ring = (at: Instant, thing: Instant)

    init(_ dice: inout SeededGenerator) throws {
      let names = ["Europe/Paris", "Asia/Seoul", "Australia/Lord_Howe", "America/New_York", "UTC"]
      zone = try Zone.named(names.randomElement(using: &dice) ?? "UTC")
      let minute = Int.random(in: 0..<12, using: &dice) * 5
      let hours = Set(
        (0..<Int.random(in: 1...3, using: &dice)).map { _ in Int.random(in: 0..<12, using: &dice) * 2 })
      times = hours.sorted().map { $0 * 60 + minute }
      weekdays = Set(
        (0..<Int.random(in: 1...7, using: &dice)).map { _ in Int.random(in: 0..<7, using: &dice) })
      begin = Instant(microseconds: Int64.random(in: 1_790_000_000..<1_830_000_000, using: &dice) * 1_000_000)
      let isDaily = times.count == 1
      let most = isDaily ? 28 * 1_440 : 120
      var made: Set<Lead> = []
      for _ in 0..<Int.random(in: 1...4, using: &dice) {
        let minutes = Int.random(in: 0...most, using: &dice)
        let usesDays = isDaily && Bool.random(using: &dice)
        let lead =
          usesDays ? Lead(days: minutes / 1_440, seconds: minutes % 1_440 * 60) : Lead(seconds: minutes * 60)
        made.insert(try #require(lead))
      }
      leads = made.sorted()
      if Int.random(in: 0..<3, using: &dice) == 0 { leads = [.zero] }
      if times.count == 1, Int.random(in: 0..<4, using: &dice) == 0, let after = Lead(seconds: -600) {
        leads = [after] + leads
      }
      let first = zone.civil(at: begin).dayNumber
      off = []
      for _ in 0..<Int.random(in: 0...4, using: &dice) {
        let day = first + Int.random(in: -3..<80, using: &dice)
        off.formUnion(day...day + Int.random(in: 0...9, using: &dice))
      }
      if Int.random(in: 0..<3, using: &dice) == 0 {
        only = Set((0..<30).map { _ in first + Int.random(in: 0..<90, using: &dice) })
      }
      if Bool.random(using: &dice) { count = Int.random(in: 1...12, using: &dice) }
      if Int.random(in: 0..<3, using: &dice) == 0 {
        until = begin + .seconds(Int64.random(in: 0..<100, using: &dice) * 86_400)
      }
    }

    func recurrence() throws -> Recurrence {
      let days = weekdays.sorted().map { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][$0] }
      let hours = times.map { "\($0 / 60)" }.joined(separator: ",")
      let text = "\(days.joined(separator: ",")) *-*-* \(hours):\(times[0] % 60):00"
      let event = try #require(CalendarEvent(text), "\(text)")
      func set(_ days: Set<Int>) -> DaySet {
        DaySet(days.compactMap { DayRange(CivilDate(dayNumber: $0), through: CivilDate(dayNumber: $0)) })
      }
      return Recurrence(
        .every(.event(event)), zone: zone, until: until, count: count.map { Int64($0) }, leads: leads,
        quiet: QuietDays(off: [set(off)], onlyOn: only.map { [set($0)] } ?? []))
    }

    /// All rings after the beginning, in order; of some at one moment, the first thing's.
    func rings() -> [Ring] {
      let day = zone.civil(at: begin).dayNumber
      var things: [Instant] = []
      for day in day - 40..<day + 200 where weekdays.contains(((day + 3) % 7 + 7) % 7) {
        for time in times {
          let civil = CivilDateTime(dayNumber: day, hour: time / 60, minute: time % 60)
          switch zone.resolve(civil) {
          case .gap: break
          case .unique(let moment), .fold(let moment, _): things.append(moment)
          }
        }
      }
      things.sort()
      things.removeAll { thing in until.map { thing > $0 } ?? false }
      var left = count ?? .max
      var hasBegun = false
      var rings: [Ring] = []
      for thing in things {
        let own = leads.map { lead in
          let civil = zone.civil(at: thing)
          let before = lead.days == 0 ? thing : zone.resolve(civil.adding(days: -lead.days)).instant
          return before - .seconds(Int64(lead.seconds))
        }.filter { $0 > begin }
        guard !own.isEmpty, left > 0 else { continue }
        let day = zone.civil(at: thing).dayNumber
        let isQuiet = off.contains(day) || !(only?.contains(day) ?? true)
        if isQuiet, !hasBegun { continue }
        hasBegun = true
        left -= 1
        if !isQuiet { rings += own.map { ($0, thing) } }
      }
      return rings.sorted { ($0.at, $0.thing) < ($1.at, $1.thing) }
    }
  }

  @Test("Rings are those of a plain enumeration, one after the other", arguments: 1...400)
  func enumerated(seed: Int) throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    let plain = try Plain(&dice)
    var recurrence = try plain.recurrence()
    let all = plain.rings()
    var expected: [Instant] = []
    for ring in all where expected.last != ring.at { expected.append(ring.at) }
    var found: [Instant] = []
    var next = recurrence.next(after: plain.begin)
    let end = plain.begin + .seconds(150 * 86_400)
    while let moment = next, moment.ring < end {
      found.append(moment.ring)
      #expect(all.contains { $0.at == moment.ring && $0.thing == moment.thing })
      let course = recurrence.course(from: moment.ring, to: moment.ring)
      #expect(course.elapsed == 1)
      recurrence = recurrence.after(course.used)
      next = course.next
    }
    #expect(found == expected.filter { $0 < end }, "\(plain)")
  }

  @Test("What was missed together is counted by things, and the next ring follows it", arguments: 1...200)
  func missed(seed: Int) throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    let plain = try Plain(&dice)
    let recurrence = try plain.recurrence()
    let all = plain.rings()
    guard let due = all.first?.at else { return }
    let now = due + .seconds(Int64.random(in: 0..<60 * 86_400, using: &dice))
    let course = recurrence.course(from: due, to: now)
    let passed = all.filter { $0.at <= now }
    let first = Set(all.filter { $0.at == due }.map(\.thing))
    let others = Set(passed.map(\.thing)).subtracting(first)
    #expect(course.elapsed == Int64(1 + others.count), "\(plain)")
    #expect(course.last == passed.last?.at)
    #expect(course.next?.ring == all.first { $0.at > now }?.at)
    // What is left is as if it had rung one after the other.
    let rest = recurrence.after(course.used).next(after: now)
    #expect(rest == course.next)
  }

  @Test("A lead of days is on the calendar, one of hours is elapsed time")
  func daysAndHours() throws {
    let zone = try Zone.named("Europe/Paris")
    let moment = zone.resolve(CivilDateTime(year: 2027, month: 3, day: 28, hour: 12)).instant
    let day = try #require(Lead(days: 1)).ring(before: moment, in: zone)
    #expect(zone.civil(at: day) == CivilDateTime(year: 2027, month: 3, day: 27, hour: 12))
    let hours = try #require(Lead(seconds: 86_400)).ring(before: moment, in: zone)
    #expect(zone.civil(at: hours) == CivilDateTime(year: 2027, month: 3, day: 27, hour: 11))
  }

  @Test("Days that are all quiet end an alarm without a search of centuries")
  func allQuiet() throws {
    let event = try #require(CalendarEvent("*-*-* *:*:00"))
    let day = try #require(CivilDate("2026-11-20"))
    let only = DaySet([try #require(DayRange(day, through: day))])
    let recurrence = Recurrence(.every(.event(event)), zone: .utc, quiet: QuietDays(onlyOn: [only]))
    #expect(recurrence.next(after: day.instant) != nil)
    #expect(recurrence.next(after: day.instant + .seconds(86_400)) == nil)
  }
}

extension CivilDate {
  fileprivate var instant: Instant { Zone.utc.resolve(midnight).instant }
}
