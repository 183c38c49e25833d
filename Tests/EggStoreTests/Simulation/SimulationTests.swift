import Alarms
import Dispatch
import EggTestSupport
import EggTime
import GRDB
import Synchronization
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Changes, clocks, restarts and rings in any order")
struct SimulationTests {
  /// What may be rung, and what was: both sides' view of one run.
  private final class Ledger: Sendable {
    struct State {
      var rung: [Int64: Int] = [:]
      /// Rings that each alarm may have: one, and one for each snooze and new timing.
      var allowed: [Int64: Int] = [:]
      var deleted: Set<Int64> = []
      var rungAfterDeletion: [Int64] = []
    }

    let state = Mutex(State())

    func rang(_ number: Int64) {
      state.withLock {
        $0.rung[number, default: 0] += 1
        if $0.deleted.contains(number) { $0.rungAfterDeletion.append(number) }
      }
    }
  }

  /// The scheduler on a queue of its own, as the daemon runs it, but for timer, journal and desktop.
  private final class Loop: ScheduleObserver, @unchecked Sendable {
    private let queue = DispatchQueue(label: "scheduler")
    private let clock: FakeClock
    /// Until the loop is stopped: the store is released then.
    private var store: AlarmStore?
    private let ledger: Ledger
    private var scheduler: Scheduler

    init(_ bench: StoreBench, _ ledger: Ledger) {
      (clock, self.ledger, store) = (bench.clock, ledger, bench.store)
      scheduler = Scheduler(
        currentBoot: bench.store.currentBoot, lastOccurrence: bench.store.lastOccurrence,
        started: bench.clock.read())
    }

    func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
      queue.sync { scheduler.hold(numbers, as: hold) }
    }

    func takeUp(_ head: Refill) {
      queue.sync { if store != nil { perform(scheduler.take(.refilled(head), at: clock.read())) } }
    }

    func unrecorded(_ numbers: NumberSet) -> [RingRecord] { queue.sync { scheduler.unrecorded(numbers) } }

    func deliver(_ news: StoreNews) {
      queue.async { [self] in
        if store != nil { perform(scheduler.take(news, at: clock.read())) }
      }
    }

    func wake() {
      queue.async { [self] in
        if store != nil { perform(scheduler.wake(at: clock.read())) }
      }
    }

    func settle() { queue.sync {} }

    func stop() { queue.sync { store = nil } }

    private func perform(_ effects: [SchedulerEffect]) {
      for effect in effects {
        switch effect {
        case .journal(let rings): for ring in rings { ledger.rang(ring.record.key.number) }
        case .record(let rings): store?.record(rings)
        case .refill: store?.refill()
        case .extend(let gap): store?.extend(gap)
        case .clockStepped: store?.clockStepped(clock.read())
        default: break
        }
      }
      if scheduler.isRinging { perform(scheduler.wake(at: clock.read())) }
    }
  }

  @Test("No alarm rings after its deletion was acknowledged, none twice, and none is lost", arguments: 1...24)
  func run(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = try StoreBench(startsNow: false)
    let ledger = Ledger()
    // One bad change rolls back all that share its transaction.
    try bench.stranger().write {
      try $0.execute(
        sql: """
          CREATE TRIGGER bad BEFORE INSERT ON alarm WHEN new.label = 'bad'
          BEGIN SELECT RAISE(ROLLBACK, 'no'); END
          """)
    }
    var boots = 1
    var loop = Loop(bench, ledger)
    bench.store.start(observer: loop) { _ in }
    loop.wake()

    func submit(_ change: any Change) {
      bench.store.submit(ChangeRequest(change, readAt: bench.clock.read())) { result in
        guard case .success(let outcome) = result else { return }
        ledger.state.withLock { state in
          for number in outcome.deleted { state.deleted.insert(number) }
          if change is DismissChange { return }
          for alarm in outcome.alarms { state.allowed[alarm.number, default: 0] += 1 }
        }
      }
    }
    func soon() -> TimeSpan { .milliseconds(Int64.random(in: 1...3_000, using: &random)) }
    func numbers() -> [Int64] {
      let last = max(ledger.state.withLock { $0.allowed.keys.max() ?? 1 }, 1)
      return (0..<Int.random(in: 1...3, using: &random)).map { _ in
        Int64.random(in: 1...last, using: &random)
      }
    }
    func new() -> NewAlarm {
      var alarm = bench.new(Int.random(in: 0..<8, using: &random) == 0 ? "bad" : nil, after: soon())
      if Bool.random(using: &random) {
        let span = soon()
        alarm.timing = .countdown(span)
        alarm.due = DuePoint(
          clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + span.microseconds)
      }
      return alarm
    }

    for _ in 1...250 {
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<7: submit(ScheduleChange(new()))
      case 7..<10: submit(DeleteChange(Selection(ranges: numbers().map { $0...$0 })))
      case 10:
        var edit = AlarmEdit()
        let alarm = new()
        edit.timing = AlarmEdit.NewTiming(
          timing: alarm.timing, expression: "x", forcedKind: nil, readingZone: "UTC", due: alarm.due)
        submit(EditChange(Selection(ranges: numbers().map { $0...$0 }), edit))
      case 11:
        let until = DuePoint(
          clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + soon().microseconds)
        submit(SnoozeChange(Selection(all: true), until: until))
      case 12: submit(DismissChange(Selection(ranges: numbers().map { $0...$0 })))
      case 13:
        bench.queue.suspend()
        for _ in 1...4 { submit(ScheduleChange(new())) }
        submit(DeleteChange(Selection(ranges: numbers().map { $0...$0 })))
        bench.clock.advance(soon())
        loop.wake()
        bench.queue.resume()
      case 14:
        bench.clock.step(.milliseconds(Int64.random(in: -5_000...5_000, using: &random)))
        loop.wake()
      case 15:
        // Everything that rang goes to the store before it closes.
        loop.stop()
        if Bool.random(using: &random) {
          boots += 1
          bench.clock.advance(soon())
        }
        try bench.reopen(bootID: "boot-\(boots)")
        loop = Loop(bench, ledger)
        bench.store.start(observer: loop) { _ in }
        loop.wake()
        bench.store.moveEarlierBoots()
      case 16: bench.queue.sync {}
      default:
        bench.clock.advance(.milliseconds(Int64.random(in: 1...900, using: &random)))
        loop.wake()
      }
    }
    // Twice: the store's answers may ask for more.
    for _ in 1...3 {
      for _ in 1...6 {
        bench.queue.sync {}
        loop.settle()
      }
      bench.clock.advance(.seconds(60))
      loop.wake()
    }
    let alarms = try bench.list().alarms
    ledger.state.withLock { state in
      #expect(state.rungAfterDeletion == [])
      for (number, count) in state.rung { #expect(count <= state.allowed[number, default: 0], "#\(number)") }
      #expect(!state.rung.isEmpty && !state.deleted.isEmpty)
      for alarm in alarms where alarm.state != .over || state.rung[alarm.number] == nil {
        Issue.record("#\(alarm.number) did not ring: \(alarm)")
      }
    }
    loop.stop()
  }
}
