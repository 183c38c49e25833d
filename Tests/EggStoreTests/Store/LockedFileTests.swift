import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Another program's write lock")
struct LockedFileTests {
  @Test("An eggd that starts during a lock rings, and writes after it", arguments: [false, true])
  func start(logIsEmpty: Bool) throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    bench.close()
    let stranger = try bench.stranger()
    try stranger.writeWithoutTransaction { database in
      if logIsEmpty { _ = try database.checkpoint(.truncate) }
      try database.execute(sql: "BEGIN IMMEDIATE")
    }
    try bench.reopen()
    bench.observer.heard.clear()
    bench.store.refill()
    let head: Refill? = eventually { bench.observer.refills.last }
    #expect(head?.entries.map(\.key.number) == [1])
    bench.store.record([try bench.ring(alarm)])
    #expect(eventually { bench.observer.words.contains("unstored") ? true : nil } == true)
    try stranger.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(eventually { bench.observer.words.contains("recorded") ? true : nil } == true)
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(try bench.schedule().number == 2)
  }

  @Test(
    "An older eggd's file rings from memory during a lock, and is migrated after it with what that program commits",
    arguments: ["migrated", "plain", "importing-listed", "deleting-range", "changing-done"])
  func startOfOlder(name: String) throws {
    let (file, holder) = (FrozenFile(name: name), Kept<DatabaseQueue>())
    let expected = try file.expected()
    let last = try #require(expected.order.max())
    let bench = try file.bench { path in
      var configuration = GRDB.Configuration()
      configuration.allowsUnsafeTransactions = true
      let stranger = try DatabaseQueue(path: path, configuration: configuration)
      try stranger.writeWithoutTransaction {
        try $0.execute(sql: "BEGIN IMMEDIATE; UPDATE alarm SET label = 'changed' WHERE number = \(last)")
      }
      holder.append(stranger)
    }
    #expect(bench.events.all == [.readOnly(reason: StoreFailure.lockedReason)])
    bench.store.refill()
    let head: Refill? = eventually { bench.observer.refills.last }
    #expect(head?.entries.isEmpty == false)
    #expect(try bench.list().alarms.map(\.number) == expected.order)
    #expect(throws: ChangeError.self) { try bench.schedule() }
    try holder.all[0].writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    #expect(eventually { bench.store.condition == .writable ? true : nil } == true)
    #expect(eventually { bench.events.all.contains(.availableAgain) ? true : nil } == true)
    let copy = try bench.kept().path
    #expect(bench.events.all.contains(.migrated(from: 11, to: Schema().version, copy: copy)))
    if name == "migrated" {
      let isMoved = eventually {
        bench.events.all.contains { if case .movedBoots = $0 { true } else { false } } ? true : nil
      }
      #expect(isMoved == true, "countdowns of earlier boots are moved now")
    }
    #expect(try bench.list().alarms.map(\.number) == expected.order)
    #expect(bench.alarm(last)?.label == "changed")
    #expect(try bench.schedule().number == expected.next)
  }

  @Test("Another program's deletion is told before eggd's own change that waited for the same lock")
  func deletedBefore() throws {
    let bench = try StoreBench()
    for _ in 1...3 { try bench.schedule() }
    let stranger = try bench.stranger()
    bench.observer.heard.clear()
    try bench.queue.sync {
      try stranger.write { try $0.execute(sql: "DELETE FROM alarm WHERE number = 1") }
      let request = ChangeRequest(DeleteChange(Selection(numbers: [2])), readAt: bench.clock.read())
      bench.store.commits.pending.changes.append(Batch.Submitted(request: request) { _ in })
      bench.store.commits.commit()
    }
    #expect(eventually { bench.observer.words.contains("ringingUnknown") ? true : nil } == true)
    // Before the change's own hold, and so before its COMMIT.
    #expect(bench.observer.words == ["takenUp", "hold", "changed", "held", "ringingUnknown"])
    #expect(bench.observer.refills.isEmpty)
    #expect(bench.observer.heads.last?.entries.map(\.key.number) == [2, 3])
    #expect(bench.events.all == [.foreignWrite])
  }

  @Test("A transaction that stays open is polled less and less often")
  func openTransaction() {
    var noticing = Noticing()
    #expect((1...13).map { _ in noticing.next().pause }.suffix(3) == [51_200, 60_000, 60_000])
    let planned = noticing.turn
    noticing.begin()
    let next = noticing.next()
    #expect(next.pause == 50 && next.turn != planned)
  }

  @Test("Another program's write that could not be read at first is read later")
  func unreadable() throws {
    let bench = try StoreBench()
    try bench.schedule()
    let stranger = try bench.stranger()
    try bench.queue.sync {
      try stranger.write {
        try $0.execute(sql: "ALTER TABLE occurrence RENAME TO elsewhere")
      }
      bench.observer.heard.clear()
      bench.changes.clear()
      bench.store.file.noticeWrites()
    }
    #expect(Set(bench.observer.words) == ["refillFailed"])
    try stranger.write { try $0.execute(sql: "ALTER TABLE elsewhere RENAME TO occurrence") }
    #expect(eventually { bench.changes.all.last } != nil)
    #expect(bench.observer.words.suffix(2) == ["refilled", "ringingUnknown"])
  }
}
