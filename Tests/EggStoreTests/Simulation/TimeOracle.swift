import Ringing
import Alarms
import EggTestSupport
import EggTime

/// When alarms have to ring: every one of them is looked at, at every step.
struct TimeOracle {
  /// What has to have rung.
  struct Due: Hashable {
    var number: Int64
    var at: Instant
    /// For how many elapses.
    var elapsed: Int64 = 1
  }

  private var zones: OracleZones
  private var courses: [Int64: Course] = [:]
  /// Those that were ever snoozed: a pause does not hold the end of a snooze.
  private(set) var snoozed: Set<Int64> = []

  init(_ source: ZoneSource) throws { zones = try OracleZones(source) }

  var waiting: [Int64: Course.Moment] { courses.compactMapValues(\.moments.first) }
  /// Also those that are over by now.
  var recurring: [Int64: Course.Recurring] { courses.compactMapValues(\.recurring) }
  var paused: [Int64: Course.Paused] { courses.compactMapValues(\.paused) }

  /// The machine's zone or the data of one is another.
  mutating func readZones(at now: Instant) throws {
    let old = zones
    try zones.read()
    for number in courses.keys { courses[number]?.followZones(from: old, to: zones, at: now) }
  }

  /// The clock was set.
  mutating func followClock(_ now: Instant) {
    for number in courses.keys { courses[number]?.followClock(now, zones) }
  }

  mutating func set(_ number: Int64, every alarm: Course.Recurring) {
    courses[number] = Course(every: alarm, zones)
  }

  mutating func set(_ number: Int64, _ moment: Course.Moment) { courses[number] = Course(moment) }

  mutating func snooze(_ number: Int64) { snoozed.insert(number) }

  mutating func pause(_ number: Int64, _ now: ClockReading) { courses[number]?.pause(now, zones) }

  mutating func resume(_ number: Int64, _ now: ClockReading) { courses[number]?.resume(now, zones) }

  /// That zone as its file now is; nil: the machine's.
  func zone(_ name: String?) -> Zone { zones.zone(name) }

  /// Nothing is to come of it; that it recurred is still known.
  mutating func delete(_ number: Int64) { courses[number]?.own = nil }

  /// The machine was switched off.
  mutating func reboot(last: ClockReading) {
    for number in courses.keys { courses[number]?.reboot(offset: last.bootOffset) }
  }

  /// The next moment of all.
  func next(_ now: ClockReading) -> Instant? {
    courses.values.flatMap { $0.moments.map { $0.instant(now, zones) } }.min()
  }

  /// Takes out what has to have rung by now.
  mutating func take(_ now: ClockReading) -> Set<Due> {
    var due: Set<Due> = []
    for number in courses.keys {
      guard let one = courses[number]?.elapse(now, zones) else { continue }
      due.insert(Due(number: number, at: one.at, elapsed: one.elapsed))
    }
    return due
  }
}
