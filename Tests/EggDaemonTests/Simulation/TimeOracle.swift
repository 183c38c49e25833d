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
    /// For how many elapses.
    var elapsed: Int64 = 1
  }

  /// How one goes on. What it waits for is fixed until it rings or its zone changes.
  struct Recurring: Hashable {
    var event: CalendarEvent
    /// nil: the machine's.
    var zone: String?
    /// How often it elapses yet.
    var left: Int64
    var until: Instant
    /// It was made or resumed; whichever the clock showed later.
    var made: Instant
    /// The last elapse, or when it rang if that was later.
    var last: Instant?

    var base: Instant { max(made, last ?? made) }
  }

  /// What stands still.
  enum Paused: Hashable {
    case left(Int64)
    case every(due: Instant, at: Instant, zone: String)
  }

  private let source: ZoneSource
  private(set) var waiting: [Int64: Moment] = [:]
  /// Also those that are over by now.
  private(set) var recurring: [Int64: Recurring] = [:]
  private(set) var paused: [Int64: Paused] = [:]
  /// Those that were ever snoozed: a pause does not hold the end of a snooze.
  private(set) var snoozed: Set<Int64> = []
  private var zones: [String?: Zone] = [:]

  init(_ source: ZoneSource) throws {
    self.source = source
    try readZones(at: Instant(microseconds: 0))
  }

  /// The machine's zone or the data of one is another.
  mutating func readZones(at now: Instant) throws {
    let old = zones
    zones = [nil: try source.local()]
    for name in ZoneFolder.names { zones[name] = try source.zone(named: name) }
    for (number, alarm) in recurring where waiting[number] != nil {
      let zone = zone(alarm.zone)
      guard let was = old[alarm.zone], was.digest != zone.digest || was.identifier != zone.identifier else {
        continue
      }
      let next = alarm.event.next(after: isWrong(alarm.base, now) ? now : alarm.base, in: zone)
      if let next, next <= alarm.until { waiting[number] = .instant(next) }
    }
  }

  private func isWrong(_ moment: Instant, _ now: Instant) -> Bool { moment - now > .seconds(86_400) }

  /// The clock was set: what rang more than a day ahead of it rang by a wrong one.
  mutating func followClock(_ now: Instant) {
    for (number, alarm) in recurring where isWrong(alarm.base, now) {
      guard case .instant(let due) = waiting[number], isWrong(due, now) else { continue }
      if let next = alarm.event.next(after: now, in: zone(alarm.zone)) {
        waiting[number] = .instant(min(next, due))
      }
    }
  }

  mutating func set(_ number: Int64, every alarm: Recurring) {
    recurring[number] = alarm
    waiting[number] = alarm.event.next(after: alarm.made, in: zone(alarm.zone)).map { .instant($0) }
  }

  mutating func snooze(_ number: Int64) { snoozed.insert(number) }

  mutating func pause(_ number: Int64, _ now: ClockReading) {
    guard let moment = waiting.removeValue(forKey: number) else { return }
    let due = instant(moment, now)
    paused[number] =
      recurring[number] == nil
      ? .left((due - now.wall).microseconds)
      : .every(due: due, at: now.wall, zone: zone(recurring[number]?.zone).identifier)
  }

  mutating func resume(_ number: Int64, _ now: ClockReading) {
    switch paused.removeValue(forKey: number) {
    case .left(let left): waiting[number] = .elapsed(now.boot + left)
    case .every(let due, let at, let was):
      guard var alarm = recurring[number] else { return }
      defer { recurring[number] = alarm }
      let base = isWrong(at, now.wall) ? now.wall : due - TimeSpan(microseconds: 1)
      waiting[number] = alarm.event.next(after: base, in: zone(alarm.zone)).flatMap {
        $0 <= alarm.until ? .instant($0) : nil
      }
      // Elsewhere it may come sooner.
      if alarm.zone == nil, was != zone(nil).identifier,
        waiting[number].map({ instant($0, now) > now.wall }) ?? true,
        let next = alarm.event.next(after: max(now.wall, alarm.last ?? now.wall), in: zone(nil)),
        next <= alarm.until
      {
        waiting[number] = .instant(min(next, waiting[number].map { instant($0, now) } ?? next))
      }
      alarm.made = max(alarm.made, now.wall)
      if let first = waiting[number].map({ instant($0, now) }), first <= now.wall {
        _ = elapse(number, first, now, &alarm)
      }
    case nil: break
    }
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
    var due = waiting.map { Due(number: $0.key, at: instant($0.value, now)) }.filter { $0.at <= now.wall }
    for index in due.indices {
      let number = due[index].number
      waiting[number] = nil
      guard var alarm = recurring[number] else { continue }
      due[index].elapsed = elapse(number, due[index].at, now, &alarm)
      recurring[number] = alarm
    }
    return Set(due)
  }

  /// All that elapsed from `first` until now is over.
  private mutating func elapse(
    _ number: Int64, _ first: Instant, _ now: ClockReading, _ alarm: inout Recurring
  ) -> Int64 {
    var elapsed: Int64 = 0
    var next: Instant? = first
    while let moment = next, moment <= now.wall, moment <= alarm.until, alarm.left > 0 {
      elapsed += 1
      alarm.left -= 1
      next = alarm.event.next(after: moment, in: zone(alarm.zone))
    }
    alarm.last = max(first, now.wall)
    waiting[number] = alarm.left > 0 ? next.flatMap { $0 <= alarm.until ? .instant($0) : nil } : nil
    return elapsed
  }
}
