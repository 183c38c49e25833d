import Alarms
import Dispatch
import EggDaemon
import EggTestSupport
import EggTime
import Testing

@Suite("The scheduler with store and journal")
struct SchedulerLoopTests {
  @Test("What rings while journald takes nothing is recorded, and what it has; the rest when it takes it")
  func stalled() throws {
    let journald = try ListeningJournald()
    let bench = try StoreBench(startsNow: false)
    let queue = DispatchQueue(label: "scheduler")
    let journal = Journal(queue: DispatchQueue(label: "journal"), clock: bench.clock, socket: journald.path)
    let notifier = DesktopNotifier(
      queue: queue, clock: bench.clock, environment: [:], wording: .plain, log: { _ in },
      report: { _ in })
    let loop = SchedulerLoop(
      queue: queue, clock: bench.clock, store: bench.store, journal: journal, notifier: notifier,
      onFirstHead: {}, onClockStep: {})
    bench.store.start(observer: loop) { _ in }
    // more than a socket holds, net.unix.max_dgram_qlen
    let count = 700
    for _ in 0..<count { try bench.schedule(after: .seconds(1)) }
    bench.clock.advance(.seconds(1))
    queue.sync { loop.start() }
    func rung(_ isOne: (Occurrence) -> Bool) -> Int? {
      try? bench.list().alarms.count { $0.latest.map(isOne) ?? false }
    }
    let recorded: Int? = eventually {
      rung { $0.firedAt != nil } == count ? rung { $0.journaledAt != nil } : nil
    }
    let journaled = try #require(recorded, "not all are recorded")
    #expect(journaled > 0 && journaled < count)
    #expect(journal.isBusy)
    let isWritten: Bool? = eventually {
      while journald.received() != nil {}
      return rung { $0.journaledAt != nil } == count ? true : nil
    }
    #expect(isWritten == true)
    queue.sync { loop.stop() }
  }
}
