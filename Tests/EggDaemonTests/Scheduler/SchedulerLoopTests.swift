import Alarms
import Dispatch
import EggDaemon
import EggTestSupport
import EggTime
import Testing

@Suite("The scheduler with store and journal")
struct SchedulerLoopTests {
  @Test("What rings while journald takes nothing is recorded, with its bubble and the entries it has")
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
    // the key of the first ring is its moment
    let shown = RingMark.shown(
      occurrences: [bench.clock.read().wall.microseconds], bubble: 7, server: ":1.7",
      at: bench.clock.read().wall)
    let isMarked: Bool? = eventually {
      queue.sync { () -> Bool? in
        guard journal.isBusy else { return nil }
        loop.mark([shown])
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
    #expect(rung { $0.shownAt != nil } == 1)
    let isWritten: Bool? = eventually {
      while journald.received() != nil {}
      return rung { $0.journaledAt != nil } == count ? true : nil
    }
    #expect(isWritten == true)
    queue.sync { loop.stop() }
  }
}
