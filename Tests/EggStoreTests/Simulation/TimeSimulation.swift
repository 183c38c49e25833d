import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggStore
@testable import Ringing

/// A machine that is suspended, moved between zones, set, switched off and updated, with the real scheduler on a real
/// database, beside an oracle. After each step exactly that has rung which had to, and the timer is armed for the next.
final class TimeSimulation {
  private let rig: ZoneRig
  private var oracle: TimeOracle
  private var random: SeededGenerator
  private var boots = 1
  /// Rings that were compared.
  private(set) var compared = 0
  /// Of those, what stood for several elapses.
  private(set) var coalesced = 0
  /// Recurring alarms that were resumed.
  private(set) var resumed = 0
  /// By what happened when they came due; nil: nothing, they were on time.
  private(set) var reasons: [LateReason?: Int] = [:]

  private var now: ClockReading { rig.bench.clock.read() }

  init(seed: UInt64, start: String) throws {
    random = SeededGenerator(seed: seed)
    rig = try ZoneRig("Europe/Berlin", clock: FakeClock(wall: try ZoneRig.utc(start)))
    oracle = try TimeOracle(rig.folder.source)
  }

  /// Runs until so much time has passed for the machine; steps of the clock are none.
  func run(_ span: TimeSpan, disturbances: Int) throws {
    var left = span
    for count in stride(from: disturbances, to: 0, by: -1) {
      let mean = left.microseconds / Int64(count)
      let pause = TimeSpan(microseconds: Int64.random(in: 0...2 * mean, using: &random))
      try pass(pause)
      left = left - pause
      left = left - (try disturb())
      if left < .zero { break }
    }
    let waiting = try rig.bench.list(ListQuery(limit: 100_000)).alarms.filter {
      $0.due != nil || $0.latest?.due != nil
    }.map(
      \.number)
    #expect(Set(waiting) == Set(oracle.waiting.keys))
  }

  /// Time passes, awake: the timer fires when it was armed for.
  private func pass(_ span: TimeSpan) throws {
    let end = now.boot + span.microseconds
    while true {
      let next = oracle.next(now)
      #expect(rig.loop.nextWake == next)
      guard let next, now.boot + (next - now.wall).microseconds <= end else { break }
      rig.advance(next - now.wall)
      try compare(late: [nil])
    }
    rig.bench.clock.advance(TimeSpan(microseconds: end - now.boot))
  }

  /// What rang since the last time is what had to, each when it was due, and late only for these reasons.
  private func compare(late allowed: Set<LateReason?>) throws {
    let due = oracle.take(now)
    let rung = rig.rings.all.dropFirst(compared)
    compared += rung.count
    #expect(rung.count == due.count)
    #expect(Set(rung.map { TimeOracle.Due(number: $0.key.number, at: $0.dueAt, elapsed: $0.elapsed) }) == due)
    coalesced += rung.filter { $0.elapsed > 1 }.count
    for ring in rung {
      #expect(ring.firedAt == now.wall)
      #expect(allowed.contains(ring.reason), "\(ring)")
      #expect((ring.reason == nil) == (ring.lateness == .zero), "\(ring)")
      reasons[ring.reason, default: 0] += 1
    }
  }

  /// - Returns: How much time passed.
  private func disturb() throws -> TimeSpan {
    switch Int.random(in: 0..<22, using: &random) {
    case 20: try pause()
    case 21: try resume()
    case 0..<8:
      for _ in 0..<Int.random(in: 1...4, using: &random) { try schedule() }
    case 8: try delete()
    case 9: try snooze()
    case 10..<13:
      let span = time(upTo: 9 * 3_600)
      rig.bench.clock.suspend(span)
      rig.wake()
      try compare(late: [nil, .asleep])
      return span
    case 13, 14:
      rig.bench.clock.step(step())
      oracle.followClock(now.wall)
      rig.wake()
      try compare(late: [nil, .clockStep])
    case 15:
      try rig.folder.move(to: zone())
      try zonesChanged()
    case 16:
      try rig.folder.update(zone(), to: zone())
      try zonesChanged()
    case 17:
      // Resumed elsewhere: asleep, moved, and set, before anything is noticed.
      let span = time(upTo: 9 * 3_600)
      rig.bench.clock.suspend(span)
      rig.bench.clock.step(step())
      oracle.followClock(now.wall)
      rig.wake()
      try compare(late: [nil, .asleep, .clockStep])
      try rig.folder.move(to: zone())
      try zonesChanged()
      return span
    default: return try stopAndStart()
    }
    return .zero
  }

  private func zonesChanged() throws {
    try oracle.readZones(at: now.wall)
    rig.look()
    try compare(late: [nil, .zoneChange])
  }

  /// eggd ends; everything happens meanwhile; it starts, maybe on a machine that was switched off.
  private func stopAndStart() throws -> TimeSpan {
    let last = now
    rig.stop()
    let span = time(upTo: 6 * 3_600)
    if Bool.random(using: &random) { rig.bench.clock.suspend(span) } else { rig.bench.clock.advance(span) }
    if Bool.random(using: &random) { rig.bench.clock.step(step()) }
    if Bool.random(using: &random) { try rig.folder.move(to: zone()) }
    if Bool.random(using: &random) { try rig.folder.update(zone(), to: zone()) }
    if Bool.random(using: &random) {
      boots += 1
      oracle.reboot(last: last)
      rig.bench.clock.reboot(wall: now.wall)
    }
    oracle.followClock(now.wall)
    try oracle.readZones(at: now.wall)
    try rig.restart(bootID: "boot-\(boots)")
    rig.bench.store.moveEarlierBoots()
    rig.settle()
    try compare(late: [nil, .down, .zoneChange])
    return span
  }

  private func schedule() throws {
    var alarm = rig.bench.new()
    let span = TimeSpan.seconds(Int64.random(in: 60...3 * 86_400, using: &random))
    let moment: Course.Moment
    switch Int.random(in: 0..<7, using: &random) {
    case 5, 6: return try scheduleEvery()
    case 0:
      moment = .elapsed(now.boot + span.microseconds)
      alarm.timing = .countdown(span)
      alarm.due = DuePoint(clock: rig.bench.store.currentBoot, microseconds: now.boot + span.microseconds)
    case 1:
      moment = .instant(now.wall + span)
      alarm.timing = .instant(now.wall + span)
      alarm.due = .wall(now.wall + span)
    default:
      let name = Bool.random(using: &random) ? zone() : nil
      let zone = oracle.zone(name)
      let civil = zone.civil(at: now.wall + span)
      moment = .civil(civil, zone: name)
      alarm.timing = .civil(civil, zone: zone.identifier, floats: name == nil)
      alarm.due = .wall(zone.resolve(civil).instant)
      // The second of a fold: its first is over, and a call that asks for it refused.
      if zone.resolve(civil).instant <= now.wall { return }
    }
    oracle.set(try #require(try rig.bench.submit(ScheduleChange(alarm)).alarms.first).number, moment)
    rig.settle()
  }

  /// One that elapses once a day or oftener, or every few days, ten times or for some days.
  private func scheduleEvery() throws {
    let name = Bool.random(using: &random) ? zone() : nil
    let zone = oracle.zone(name)
    let time = try recurringTime(in: zone)
    let from = Int.random(in: 0..<3, using: &random) == 0 ? now.wall + self.time(upTo: 3 * 86_400) : nil
    guard let due = Recurrence(time: time, zone: zone, from: from).next(after: now.wall) else { return }
    let left = Bool.random(using: &random) ? Int64.random(in: 1...10, using: &random) : nil
    let until = left == nil ? due + .seconds(Int64.random(in: 0...432_000, using: &random)) : nil
    var alarm = rig.bench.new()
    alarm.timing = .every(time, zone: zone.identifier, floats: name == nil)
    (alarm.due, alarm.from, alarm.count, alarm.until) = (.wall(due), from, left, until)
    let number = try #require(try rig.bench.submit(ScheduleChange(alarm)).alarms.first).number
    oracle.set(
      number,
      every: Course.Recurring(
        time: time, zone: name, from: from, left: left ?? .max, until: until ?? .latest, made: now.wall))
    rig.settle()
  }

  private func recurringTime(in zone: Zone) throws -> RecurringTime {
    guard Bool.random(using: &random) else {
      let minute = Int.random(in: 0...59, using: &random)
      let hour =
        ["\(Int.random(in: 0...23, using: &random))", "0/6", "0..3,20"].randomElement(using: &random) ?? "0"
      return .event(try #require(CalendarEvent("\(hour):\(minute)")))
    }
    // Begun some days ago, or to begin in some.
    let start = now.wall + time(upTo: 10 * 86_400) - .seconds(7 * 86_400)
    let count = Int.random(in: 1...3, using: &random)
    let days = Set((0..<count).compactMap { _ in Weekday.allCases.randomElement(using: &random) })
    var civil = zone.civil(at: start)
    if Bool.random(using: &random) { civil.hour = Int.random(in: 0...3, using: &random) }
    let interval: RecurringInterval? =
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1, 2: RecurringInterval(every: max(.seconds(1_200), time(upTo: 43_200)), from: start)
      case 3, 4: RecurringInterval(.days(count), from: civil)
      case 5: RecurringInterval(.weeks(count, on: days), from: civil)
      default: RecurringInterval(.months(1, on: .day(Int.random(in: 1...31, using: &random))), from: civil)
      }
    return .interval(try #require(interval))
  }

  private func pause() throws {
    let numbers = oracle.waiting.filter { number, moment in
      if case .elapsed = moment, oracle.snoozed.contains(number) { return false }
      if case .elapsed = moment { return true }
      return oracle.recurring[number] != nil
    }.keys.sorted()
    guard let number = numbers.randomElement(using: &random) else { return }
    try rig.bench.submit(PauseChange(Selection(numbers: [number])))
    oracle.pause(number, now)
    rig.settle()
  }

  private func resume() throws {
    for number in oracle.paused.keys.sorted().prefix(2) {
      try rig.bench.submit(ResumeChange(Selection(numbers: [number])))
      oracle.resume(number, now)
      if oracle.recurring[number] != nil { resumed += 1 }
      rig.settle()
    }
    try compare(late: [nil])
  }

  private func delete() throws {
    guard let number = oracle.waiting.keys.sorted().randomElement(using: &random) else { return }
    try rig.bench.submit(DeleteChange(Selection(numbers: [number])))
    oracle.delete(number)
    rig.settle()
  }

  /// What rang last is snoozed for five minutes, where it rings.
  private func snooze() throws {
    let last = Set(rig.rung.suffix(5)).filter { oracle.recurring[$0] == nil }.map { $0...$0 }
    guard !last.isEmpty else { return }
    let until = DuePoint(clock: rig.bench.store.currentBoot, microseconds: now.boot + 300_000_000)
    for alarm in try rig.bench.submit(SnoozeChange(Selection(ranges: last), until: until)).alarms {
      oracle.set(alarm.number, .elapsed(until.microseconds))
      oracle.snooze(alarm.number)
    }
    rig.settle()
  }

  private func zone() -> String { ZoneFolder.names.randomElement(using: &random) ?? "" }

  private func time(upTo seconds: Int64) -> TimeSpan {
    .milliseconds(Int64.random(in: 1_000...seconds * 1_000, using: &random))
  }

  private func step() -> TimeSpan {
    .milliseconds(Int64.random(in: -10_800_000...10_800_000, using: &random))
  }
}
