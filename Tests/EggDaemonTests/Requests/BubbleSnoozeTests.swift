import Alarms
import Dispatch
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggDaemon
@testable import EggStore
@testable import Ringing

@Suite("Snooze on a bubble while the database takes no writes")
struct BubbleSnoozeTests {
  private let bench: StoreBench
  private let stranger: DatabaseQueue
  private let handler: RequestHandler
  private let failures = Kept<String>()

  /// Alarm 1 rings, and another program has locked the database.
  init() throws {
    bench = try StoreBench()
    try bench.fire(try bench.schedule(), occurrence: 8)
    handler = RequestHandler(
      queue: DispatchQueue(label: "wire"), store: bench.store, clock: bench.clock, machineZone: { .utc },
      status: { $0(WireRig.plainStatus) })
    stranger = try bench.stranger()
    try stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  private func snooze(for span: TimeSpan) {
    handler.queue.sync { handler.configuration.settings.snooze = [.span(span)] }
    handler.perform(.snooze(nil), numbers: [1], seen: [1: 8]) { [failures] in failures.append("\($0) \($1)") }
    handler.queue.sync {}
  }

  private func unlock() throws { try stranger.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") } }

  /// Waits until the store has answered all that was asked for.
  private func settle() throws { try bench.schedule() }

  @Test("It is kept, and stored when the database takes writes, until the end that was chosen")
  func kept() throws {
    let end = bench.clock.read().boot + 300_000_000
    snooze(for: .seconds(300))
    try unlock()
    #expect(eventually { bench.alarm(1)?.phase == .snoozed ? true : nil } == true)
    #expect(bench.alarm(1)?.latest?.due == DuePoint(clock: bench.store.currentBoot, microseconds: end))
    #expect(failures.all == [])
  }

  @Test("Its bubble comes back at its end, and storing it then changes nothing")
  func comesBack() throws {
    snooze(for: .seconds(1))
    #expect(eventually { failures.all.first } == "[1] io.eggd.Schedule.StoreUnavailable")
    try unlock()
    try settle()
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(failures.all.count == 1)
  }

  @Test("A second snooze, on the bubble that came back, holds")
  func again() throws {
    snooze(for: .seconds(1))
    #expect(eventually { failures.all.first } != nil)
    snooze(for: .seconds(300))
    try unlock()
    #expect(eventually { bench.alarm(1)?.phase == .snoozed ? true : nil } == true)
    #expect(failures.all.count == 1)
  }

  @Test("A dismissal of the bubble that came back holds")
  func dismissed() throws {
    snooze(for: .seconds(1))
    #expect(eventually { failures.all.first } != nil)
    handler.perform(.dismiss, numbers: [1], seen: [1: 8]) { [failures] in failures.append("\($0) \($1)") }
    handler.queue.sync {}
    try unlock()
    #expect(eventually { bench.alarm(1)?.phase == .rung ? true : nil } == true)
    #expect(failures.all.count == 1)
  }
}
