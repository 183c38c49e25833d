import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Answers and rings while the store cannot write")
struct KeptAnswerTests {
  /// An answer on the bubble of alarm 1, and the phase that it leads to.
  private static let answers:
    [(change: @Sendable (StoreBench, [Int64: Int64]) -> any Change, leadsTo: Alarm.Phase)] = [
      ({ DismissChange(selection, seen: $1) }, .rung), ({ snooze($0, seen: $1) }, .snoozed),
    ]
  private static let selection = Selection(ranges: [1...1])

  private static func snooze(
    _ bench: StoreBench, seen: [Int64: Int64], isOver: @escaping @Sendable () -> Bool = { false }
  ) -> SnoozeChange {
    let end = bench.clock.read().boot + 300_000_000
    return SnoozeChange(
      selection, until: DuePoint(clock: bench.store.currentBoot, microseconds: end), seen: seen,
      isOver: isOver)
  }

  @Test(
    "An answer on a bubble is kept until it can be stored; any other change is refused",
    arguments: answers.indices)
  func kept(_ index: Int) throws {
    let answer = Self.answers[index]
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    try bench.fire(alarm, occurrence: 8)
    let stranger = try bench.stranger()
    try stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let answers = Kept<Bool>()
    bench.store.submit(onBubble(answer.change(bench, [1: 8]), bench)) {
      answers.append((try? $0.get()) != nil)
    }
    #expect(throws: ChangeError.self) { try bench.schedule() }
    #expect(answers.all == [])
    #expect(bench.alarm(1)?.phase == .ringing)
    try stranger.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(eventually { answers.all.first } == true)
    #expect(bench.alarm(1)?.phase == answer.leadsTo)
  }

  @Test("A snooze that is over before it can be stored changes nothing")
  func over() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(), occurrence: 8)
    let sequence = bench.store.sequence
    let change = Self.snooze(bench, seen: [1: 8], isOver: { true })
    let outcome = bench.wait { bench.store.submit(onBubble(change, bench), completion: $0) }
    let alarms = try outcome.get().alarms
    #expect(alarms == [])
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(bench.store.sequence == sequence)
  }

  @Test("A kept answer ends what its bubble showed, and no later ring", arguments: answers.indices)
  func rangSince(_ index: Int) throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    try bench.fire(alarm, occurrence: 8)
    try bench.stranger().write {
      try $0.execute(
        sql: "INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt) VALUES (10, 1, 5, 'rung', 5)")
    }
    let change = Self.answers[index].change(bench, [1: 8])
    let outcome = bench.wait { bench.store.submit(onBubble(change, bench), completion: $0) }
    _ = try outcome.get()
    let ringing = try bench.stranger().read {
      try Int64.fetchAll(
        $0, sql: "SELECT id FROM occurrence WHERE dismissedAt IS NULL AND snoozedUntil IS NULL")
    }
    #expect(ringing == [10])
  }

  private func onBubble(_ change: any Change, _ bench: StoreBench) -> ChangeRequest {
    ChangeRequest(change, readAt: bench.clock.read(), client: .bubble)
  }

  @Test("An unrecorded ring does not make the next ring say that eggd was down")
  func rangBefore() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    let late = try bench.schedule(after: .seconds(100))
    let stranger = try bench.stranger()
    bench.clock.advance(.seconds(60))
    try stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    bench.store.record([try bench.ring(alarm)])
    #expect(eventually { bench.observer.words.contains("unstored") ? true : nil } == true)
    // Killed: the record is lost.
    bench.queue.sync { bench.store.commits.pending = Batch() }
    try stranger.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    bench.clock.advance(.seconds(60))
    try bench.reopen()
    var scheduler = Scheduler(
      currentBoot: bench.store.currentBoot, lastOccurrence: bench.store.lastOccurrence,
      started: bench.clock.read(), rangUntil: bench.store.rangUntil)
    bench.observer.heard.clear()
    bench.store.refill()
    let head: Refill = try #require(eventually { bench.observer.refills.last })
    var reasons: [Int64: LateReason?] = [:]
    for case .record(let records) in scheduler.take(.refilled(head), at: bench.clock.read()) {
      for record in records { reasons[record.key.number] = record.reason }
    }
    #expect(reasons == [alarm.number: .store, late.number: .down])
  }

  @Test("The scheduler keeps no more rings of an alarm than the database, and drops those that are recorded")
  func boundedInMemory() {
    var unrecorded = UnrecordedRings()
    let rings = (1...1_500).map { Self.ring($0) }
    let card = AlarmCard(id: AlarmID(), expression: "")
    for ring in rings {
      unrecorded.append(ring, of: HeadEntry(key: ring.key, due: ring.due, card: card))
    }
    #expect(unrecorded[1].count == 100)
    #expect(unrecorded.firstEntries.values.map(\.due) == [rings[0].due])
    unrecorded.forget([rings[1_400]])
    #expect(unrecorded[1] == Array(rings[1_401...]))
    unrecorded.forget([rings[1_499]])
    #expect(!unrecorded.hasRings)
  }

  /// The n-th ring of an alarm that elapses each microsecond.
  private static func ring(_ n: Int64) -> RingRecord {
    let due = Instant(microseconds: n)
    return RingRecord(
      occurrence: 2 * n, key: EntryKey(number: 1), due: .wall(due), dueAt: due, firedAt: due, lateness: .zero,
      reason: nil, next: .wall(due + TimeSpan(microseconds: 1)))
  }
}
