import Alarms
import EggTime

@testable import EggDaemon

/// When alarms have to ring, worked out in the plainest way: every alarm is looked at, at every step, by the clocks
/// and the zone files as they are. No head, no horizon, no timer, no database.
struct TimeOracle {
  /// When one is to ring.
  enum Moment: Hashable {
    /// CLOCK_BOOTTIME, µs.
    case elapsed(Int64)
    case instant(Instant)
    /// On the clock of that zone; nil: of the machine's.
    case civil(CivilDateTime, zone: String?)
  }

  /// What has to have rung.
  struct Due: Hashable {
    var number: Int64
    var at: Instant
  }

  private let source: ZoneSource
  private(set) var waiting: [Int64: Moment] = [:]
  private var zones: [String?: Zone] = [:]

  init(_ source: ZoneSource) throws {
    self.source = source
    try readZones()
  }

  /// The machine's zone or the data of one is another.
  mutating func readZones() throws {
    zones = [nil: try source.local()]
    for name in ZoneFolder.names { zones[name] = try source.zone(named: name) }
  }

  /// That zone as its file now is; nil: the machine's.
  func zone(_ name: String?) -> Zone { zones[name] ?? .utc }

  mutating func set(_ number: Int64, _ moment: Moment) { waiting[number] = moment }

  mutating func delete(_ number: Int64) { waiting[number] = nil }

  /// The machine was switched off: what was left of countdowns goes on, on the wall clock.
  mutating func reboot(last: ClockReading) {
    for (number, moment) in waiting {
      guard case .elapsed(let end) = moment else { continue }
      waiting[number] = .instant(Instant(microseconds: end + last.bootOffset))
    }
  }

  /// The moment of one on the wall clock as it now stands.
  func instant(_ moment: Moment, _ now: ClockReading) -> Instant {
    switch moment {
    case .elapsed(let end): Instant(microseconds: end + now.bootOffset)
    case .instant(let instant): instant
    case .civil(let civil, let name): zone(name).resolve(civil).instant
    }
  }

  /// The next moment of all.
  func next(_ now: ClockReading) -> Instant? { waiting.values.map { instant($0, now) }.min() }

  /// Takes out what has to have rung by now.
  mutating func take(_ now: ClockReading) -> Set<Due> {
    let due = waiting.map { Due(number: $0.key, at: instant($0.value, now)) }.filter { $0.at <= now.wall }
    for one in due { waiting[one.number] = nil }
    return Set(due)
  }
}
