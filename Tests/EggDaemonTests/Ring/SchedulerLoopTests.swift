import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Testing

@testable import EggDaemon
@testable import EggStore
@testable import Ringing

@Suite("The scheduler with store and journal")
struct SchedulerLoopTests {
  private let journald: ListeningJournald
  private let bench: StoreBench
  private let queue = DispatchQueue(label: "scheduler")
  private let journal: Journal

  init() throws {
    journald = try ListeningJournald()
    bench = try StoreBench(startsNow: false)
    journal = Journal(queue: DispatchQueue(label: "journal"), clock: bench.clock, socket: journald.path)
  }

  @Test("A ring is recorded at once, with the entries that journald has taken")
  func atOnce() throws {
    let store = bench.store
    try ring { _ in
      // The record, and the commit that it requests.
      for _ in 1...2 { store.queue.sync {} }
      let latest = try? bench.list().alarms.first?.latest
      #expect(latest?.firedAt != nil)
      #expect(latest?.journaledAt != nil)
    }
  }

  @Test("A bubble's mark is stored after its ring, however early it comes")
  func shownSoon() throws {
    try ring { $0.mark([shown()]) }
    let latest: Occurrence? = eventually {
      let latest = try? bench.list().alarms.first?.latest
      return latest?.shownAt == nil ? nil : latest
    }
    #expect(latest?.shownAt != nil)
  }

  @Test("A ring just before the end is recorded when eggd ends")
  func stoppedSoon() throws {
    try ring { $0.stop() }
    let fired: Instant? = eventually { try? bench.list().alarms.first?.latest?.firedAt }
    #expect(fired != nil)
  }

  @Test("A ring that journald does not take is recorded, with its bubble and the entries it has")
  func stalled() throws {
    // More than a socket holds, net.unix.max_dgram_qlen.
    let count = 700
    for _ in 1..<count { try bench.schedule(after: .seconds(1)) }
    let loop = try ring { _ in }
    let isMarked: Bool? = eventually {
      queue.sync { () -> Bool? in
        guard journal.isBusy else { return nil }
        loop.mark([shown()])
        return true
      }
    }
    #expect(isMarked == true)
    func rung(_ isOne: (Occurrence) -> Bool) -> Int? {
      try? bench.list().alarms.count { $0.latest.map(isOne) ?? false }
    }
    let recorded: Int? = eventually {
      rung { $0.firedAt != nil } == count ? rung { $0.journaledAt != nil } : nil
    }
    let journaled = try #require(recorded, "not all are recorded")
    #expect(journaled > 0 && journaled < count)
    #expect(journal.isBusy)
    let isShown: Bool? = eventually { rung { $0.shownAt != nil } == 1 ? true : nil }
    #expect(isShown == true)
    let isWritten: Bool? = eventually {
      while journald.received() != nil {}
      return rung { $0.journaledAt != nil } == count ? true : nil
    }
    #expect(isWritten == true)
    queue.sync { loop.stop() }
  }

  /// Adds an alarm; all alarms ring, and `then` runs in the same turn of the loop's queue.
  @discardableResult
  private func ring(then: @escaping (SchedulerLoop) -> Void) throws -> SchedulerLoop {
    try bench.schedule(after: .seconds(1))
    bench.clock.advance(.seconds(1))
    let notifier = DesktopNotifier(
      queue: queue, clock: bench.clock, environment: [:], wording: .plain, log: { _ in },
      report: { _ in })
    var rung: (() -> Void)?
    let loop = SchedulerLoop(
      queue: queue, clock: bench.clock, store: bench.store, journal: journal, notifier: notifier,
      onFirstHead: { rung?() }, onClockStep: {})
    rung = { [unowned loop] in then(loop) }
    bench.store.start(observer: loop) { _ in }
    queue.sync { loop.start() }
    return loop
  }

  /// The bubble of the first ring, whose key is its moment.
  private func shown() -> RingMark {
    let now = bench.clock.read().wall
    let ring = RingID(occurrence: now.microseconds, firedAt: now)
    return .shown([ring], bubble: 7, server: ":1.7", at: now)
  }
}
