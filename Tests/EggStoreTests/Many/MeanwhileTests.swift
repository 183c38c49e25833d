import Alarms
import Dispatch
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Synchronization
import Testing

@testable import EggStore

@Suite("Beside a change of many alarms")
struct MeanwhileTests {
  /// Does something once, while the scheduler is asked by a change.
  private func once(_ bench: StoreBench, _ body: @escaping @Sendable () -> Void) {
    let isDone = Mutex(false)
    bench.observer.answer { _ in
      let isFirst = isDone.withLock { done in
        defer { done = true }
        return !done
      }
      if isFirst { body() }
      return []
    }
  }

  @Test(
    "What was submitted before it is made first, what comes later goes next, each with its sequence",
    arguments: ManyBench.Kind.allCases)
  func order(kind: ManyBench.Kind) throws {
    let bench = try ManyBench.make()
    let sequence = bench.store.sequence
    let change = try kind.change(bench)
    bench.observer.heard.clear()
    let sequences = Kept<Int64>()
    bench.queue.sync {
      for change in [ScheduleChange(bench.new("before")), change, ScheduleChange(bench.new("after"))] {
        bench.ask(change) { sequences.append((try? $0.get().sequence) ?? -1) }
      }
    }
    _ = eventually { sequences.all.count == 3 ? true : nil }
    #expect(sequences.all == [sequence + 1, sequence + 2, sequence + 3])
    // In one transaction: the head is read once.
    #expect(bench.observer.words.filter { $0 == "refilled" }.count == 1)
    #expect(try bench.list().alarms.contains { $0.label == "after" })
  }

  @Test("Rings and marks that come during it are recorded right after it, before later changes")
  func recorded() throws {
    let bench = try ManyBench.make(few: 2)
    let rung = try #require(bench.alarm(4)?.latest)
    let mark = RingMark.journaled(try bench.ring(of: rung.id), at: bench.now)
    bench.clock.advance(.seconds(600))
    let ring = try bench.ring(try #require(bench.alarm(1)), occurrence: bench.tick())
    let later = Kept<Int64>()
    let sequence = bench.store.sequence
    once(bench) {
      bench.ask(ScheduleChange(bench.new("later"))) { later.append((try? $0.get().sequence) ?? -1) }
      bench.store.record([ring], marks: [mark])
    }
    bench.observer.heard.clear()
    // It leaves these two as they are.
    try bench.submit(DeleteChange(Selection(ranges: [2...3, 5...14])))
    _ = eventually { later.all.isEmpty ? nil : true }
    bench.queue.sync {}
    #expect(
      bench.observer.words
        == ["hold", "refilled", "held", "ringingUnknown", "recorded", "changed"])
    // The ring, its mark, and the change.
    #expect(later.all == [sequence + 4])
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(bench.alarm(4)?.latest?.journaledAt != nil)
  }

  @Test("Rings and marks are recorded though no other change comes")
  func recordedAlone() throws {
    let bench = try ManyBench.make()
    let rung = try #require(bench.alarm(4)?.latest)
    let mark = RingMark.journaled(try bench.ring(of: rung.id), at: bench.now)
    bench.clock.advance(.seconds(600))
    let ring = try bench.ring(try #require(bench.alarm(1)), occurrence: bench.tick())
    let answers = Kept<Bool>()
    bench.queue.sync {
      // These go before it, those of the second turn after it.
      bench.store.record([try? bench.ring(try #require(bench.alarm(2)))].compactMap { $0 })
      bench.ask(DeleteChange(Selection(ranges: [2...3, 5...14]))) { _ in answers.append(true) }
      bench.queue.async { bench.store.record([ring], marks: [mark]) }
    }
    _ = eventually { answers.all.isEmpty ? nil : true }
    #expect(eventually { bench.alarm(1)?.phase == .ringing ? true : nil } == true)
    #expect(eventually { bench.alarm(4)?.latest?.journaledAt == nil ? nil : true } == true)
  }

  @Test("An endless stream of rings does not keep it waiting")
  func stream() throws {
    let bench = try ManyBench.make()
    let ring = try bench.ring(try #require(bench.alarm(1)))
    let answered = Mutex(false)
    let turns = Mutex(0)
    @Sendable func stream() {
      bench.queue.async {
        guard !answered.withLock({ $0 }), turns.withLock({ $0 }) < 1_000 else { return }
        turns.withLock { $0 += 1 }
        bench.store.record([ring])
        stream()
      }
    }
    bench.queue.sync {
      stream()
      bench.ask(MarkDoneChange(Selection(all: true), true)) { _ in answered.withLock { $0 = true } }
    }
    #expect(eventually { answered.withLock { $0 } ? true : nil } == true)
    #expect(turns.withLock { $0 } < 20)
  }

  @Test("Closing records rings that wait for it")
  func closing() throws {
    let bench = try ManyBench.make()
    bench.clock.advance(.seconds(600))
    let alarm = try #require(bench.alarm(1))
    let ring = try bench.ring(alarm, occurrence: bench.tick())
    let closed = DispatchSemaphore(value: 0)
    bench.queue.sync {
      bench.store.record([try? bench.ring(alarm, occurrence: 77)].compactMap { $0 })
      bench.ask(DeleteChange(Selection(ranges: [2...14]))) { _ in }
      bench.queue.async {
        bench.queue.async {
          bench.store.record([ring])
          bench.store.close { closed.signal() }
        }
      }
    }
    closed.wait()
    try bench.reopen()
    #expect(bench.alarm(1)?.phase == .ringing)
  }

  @Test("A label holds nobody, a deletion holds its alarms alone")
  func holds() throws {
    let bench = try ManyBench.make()
    bench.observer.heard.clear()
    try bench.submit(try ManyBench.Kind.edit.change(bench))
    #expect(!bench.observer.words.contains("hold"))
    bench.observer.heard.clear()
    try bench.submit(DeleteChange(Selection(ranges: [4...11])))
    let held = bench.observer.heard.all.compactMap { heard in
      if case .hold(let numbers, _) = heard { numbers } else { nil }
    }
    #expect(held == [NumberSet(ranges: [4...11])])
  }

  @Test("During a deletion others ring at their moments, and its own never")
  func ringing() throws {
    let bench = try StoreBench(startsNow: false)
    let desk = RingingObserver(bench)
    desk.start()
    for _ in 1...4 { try bench.schedule(after: .seconds(10)) }
    bench.store.fewAlarms = 1
    desk.settle()
    // The disk takes its time.
    desk.whenHeld = { bench.clock.advance(.seconds(12)) }
    let outcome = try bench.submit(DeleteChange(Selection(ranges: [2...3])))
    desk.settle()
    #expect(outcome.deleted == [2, 3] && outcome.rang.isEmpty)
    #expect(desk.rings.all.map(\.key.number) == [1, 4])
    #expect(desk.rings.all.allSatisfy { $0.reason == .busy })
  }

  @Test("An alarm of 2 s that is scheduled during it rings once it is stored, late because of the store")
  func late() throws {
    let bench = try StoreBench(startsNow: false)
    let desk = RingingObserver(bench)
    desk.start()
    for _ in 1...4 { try bench.schedule(after: .seconds(600)) }
    bench.store.fewAlarms = 1
    desk.settle()
    let made = Kept<Int64>()
    desk.whenHeld = {
      var short = bench.new("short")
      short.timing = .countdown(.seconds(2))
      short.due = DuePoint(
        clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 2_000_000)
      bench.ask(ScheduleChange(short)) { made.append((try? $0.get().alarms.first?.number) ?? -1) }
      bench.clock.advance(.seconds(5))
    }
    try bench.submit(DeleteChange(Selection(all: true)))
    _ = eventually { made.all.isEmpty ? nil : true }
    desk.settle()
    #expect(made.all == [5])
    #expect(desk.rings.all.map(\.key.number) == [5])
    #expect(desk.rings.all.first?.lateness == .seconds(3))
    #expect(desk.rings.all.first?.reason == .store)
  }
}

/// The scheduler, as the daemon joins it to the store. All on the store's queue.
private final class RingingObserver: ScheduleObserver, @unchecked Sendable {
  let rings = Kept<RingRecord>()
  /// Called once, during the first hold from now on, and before the timer fires.
  var whenHeld: (() -> Void)?
  private unowned let bench: StoreBench
  private var scheduler: Scheduler
  private var news: [StoreNews] = []

  init(_ bench: StoreBench) {
    self.bench = bench
    scheduler = Scheduler(
      currentBoot: bench.store.currentBoot, lastOccurrence: 0, started: bench.clock.read())
  }

  func start() {
    bench.store.start(observer: self) { _ in }
    bench.queue.sync { perform(scheduler.wake(at: bench.clock.read())) }
    settle()
  }

  /// Takes what was told until there is nothing more.
  func settle() {
    for _ in 1...20 { bench.queue.sync { take() } }
  }

  private func take() {
    while !news.isEmpty { perform(scheduler.take(news.removeFirst(), at: bench.clock.read())) }
    perform(scheduler.wake(at: bench.clock.read()))
  }

  func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
    while !news.isEmpty { perform(scheduler.take(news.removeFirst(), at: bench.clock.read())) }
    let records = scheduler.hold(numbers, as: hold)
    if let body = whenHeld {
      whenHeld = nil
      body()
      perform(scheduler.wake(at: bench.clock.read()))
    }
    return records
  }

  func takeUp(_ head: Refill) { deliver(.refilled(head)) }
  func unrecorded(_ numbers: NumberSet) -> [RingRecord] { scheduler.unrecorded(numbers) }
  func deliver(_ news: StoreNews) { self.news.append(news) }

  private func perform(_ effects: [SchedulerEffect]) {
    for effect in effects {
      switch effect {
      case .journal(let rung): for ring in rung { rings.append(ring.record) }
      case .record(let records): bench.store.record(records)
      case .refill(let size): bench.store.refill(size)
      default: break
      }
    }
  }
}
