import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Testing

@testable import EggStore
@testable import Ringing

/// Store and scheduler joined as in the daemon, on a clock that stands still and with the test's own zone
/// files. The time is 2026-11-20 21:34:30 UTC: 22:34 in Berlin, 06:34 of the next day in Tokyo, 16:34 in New
/// York.
final class ZoneRig {
  let folder: ZoneFolder
  let bench: StoreBench
  private(set) var loop: RingingLoop
  /// Of all runs, in order.
  let rings = Kept<RingRecord>()
  /// Shown on the desktop in all runs, in order.
  let shows = Kept<Show>()

  /// Alarms that share a bubble when they are more than five: a new one, or that of the previous slice.
  struct Show: Hashable {
    var alarms: Int
    var joins: Bool
  }

  init(_ zone: String = "Europe/Berlin", clock: FakeClock = FakeClock()) throws {
    folder = try ZoneFolder(zone)
    bench = try StoreBench(clock: clock, zones: folder.source, startsNow: false)
    loop = RingingLoop(bench, rings, shows)
    start()
  }

  deinit { loop.stop() }

  private func start() {
    bench.store.start(observer: loop) { [changes = bench.changes] in changes.append($0) }
    bench.store.followZones()
    loop.wake()
    settle()
  }

  func stop() {
    loop.stop()
    bench.close()
  }

  /// Starts the next eggd on the same files, possibly after a reboot.
  func restart(bootID: String = "boot-1") throws {
    loop.stop()
    try bench.reopen(bootID: bootID, startsNow: false)
    loop = RingingLoop(bench, rings, shows)
    start()
  }

  /// Lets store and scheduler finish their work.
  func settle() {
    repeat {
      for _ in 1...4 {
        bench.queue.sync {}
        loop.settle()
      }
    } while bench.queue.sync(execute: { bench.store.zoneFollower.isBusy })
    for _ in 1...4 {
      bench.queue.sync {}
      loop.settle()
    }
  }

  /// Checks the zones without waiting for inotify, and lets all alarms follow.
  func look() {
    bench.queue.sync { bench.store.zoneFollower.check() }
    settle()
  }

  func move(to zone: String) throws {
    try folder.move(to: zone)
    look()
  }

  /// Advances the time; the timer fires at its end.
  func advance(_ span: TimeSpan) {
    bench.clock.advance(span)
    wake()
  }

  func wake() {
    loop.wake()
    settle()
  }

  /// Schedules an alarm at that time of day (`2026-11-21 07:30:00`) in a zone; a floating one by default.
  @discardableResult
  func at(_ text: String, zone name: String? = nil) throws -> Int64 {
    let civil = try #require(CivilDateTime(text))
    let zone = try name.map { try folder.source.zone(named: $0) } ?? folder.source.local()
    var alarm = bench.new(nil)
    alarm.timing = .civil(civil, zone: zone.identifier, floats: name == nil)
    alarm.expression = text
    alarm.due = .wall(zone.resolve(civil).instant)
    defer { settle() }
    return try #require(try bench.submit(ScheduleChange(alarm)).alarms.first).number
  }

  /// The alarm's moment; nil when nothing is to come.
  func due(_ number: Int64) -> Instant? {
    bench.alarm(number)?.due.map { Instant(microseconds: $0.microseconds) }
  }

  var rung: [Int64] { rings.all.map(\.key.number) }

  /// The journaled events about zones.
  var zoneEvents: [StoreEvent] {
    bench.events.all.filter { event in
      switch event {
      case .zoneChanged, .zoneDataChanged, .zoneUnusable: true
      default: false
      }
    }
  }

  static func utc(_ text: String) throws -> Instant {
    Zone.utc.resolve(try #require(CivilDateTime(text))).instant
  }
}

/// The scheduler on a queue of its own, as in the daemon, without timer, journal and desktop.
final class RingingLoop: ScheduleObserver, @unchecked Sendable {
  private let queue = DispatchQueue(label: "scheduler")
  private let clock: FakeClock
  /// nil once stopped, which releases the store.
  private var store: AlarmStore?
  private let rings: Kept<RingRecord>
  private let shows: Kept<ZoneRig.Show>
  private var scheduler: Scheduler
  private var armed: Instant?
  private var heldBefore: (() -> Void)?

  init(_ bench: StoreBench, _ rings: Kept<RingRecord>, _ shows: Kept<ZoneRig.Show>) {
    (clock, store, self.rings, self.shows) = (bench.clock, bench.store, rings, shows)
    scheduler = Scheduler(
      currentBoot: bench.store.currentBoot, lastOccurrence: bench.store.lastOccurrence,
      started: bench.clock.read())
  }

  func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
    queue.sync {
      heldBefore?()
      heldBefore = nil
      return scheduler.hold(numbers, as: hold)
    }
  }

  /// Runs on the scheduler's queue before the next hold is answered.
  func beforeHold(_ action: @escaping () -> Void) { queue.sync { heldBefore = action } }

  func takeUp(_ head: Refill) {
    queue.sync { if store != nil { perform(scheduler.take(.refilled(head), at: clock.read())) } }
  }

  func unrecorded(_ numbers: NumberSet) -> [RingRecord] { queue.sync { scheduler.unrecorded(numbers) } }

  func stored() -> [HeadEntry] { queue.sync { scheduler.stored } }

  func deliver(_ news: StoreNews) {
    queue.async { [self] in
      if store != nil { perform(scheduler.take(news, at: clock.read())) }
    }
  }

  func wake() { queue.async { [self] in wakeNow() } }

  /// On the scheduler's queue.
  func wakeNow() {
    if store != nil { perform(scheduler.wake(at: clock.read())) }
  }

  /// The moment for which the timer is armed.
  var nextWake: Instant? { queue.sync { armed } }

  func settle() { queue.sync {} }

  func stop() { queue.sync { store = nil } }

  private func perform(_ effects: [SchedulerEffect]) {
    for effect in effects {
      switch effect {
      case .journal(let rung): for ring in rung { rings.append(ring.record) }
      case .show(let rung, let joins): shows.append(ZoneRig.Show(alarms: rung.count, joins: joins))
      case .record(let records): store?.record(records)
      case .refill(let size): store?.refill(size)
      case .clockStepped: store?.clockStepped(clock.read())
      case .arm(let moment): armed = moment
      default: break
      }
    }
    if scheduler.isRinging { perform(scheduler.wake(at: clock.read())) }
  }
}
