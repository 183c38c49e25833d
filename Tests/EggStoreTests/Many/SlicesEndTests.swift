import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Ringing
import Synchronization
import Testing

@testable import EggStore

@Suite("Slices after an end")
struct SlicesEndTests {
  @Test(
    "An end amid the slices changes nothing, and the next eggd takes them back",
    arguments: SlicesBench.Kind.allCases)
  func ended(kind: SlicesBench.Kind) throws {
    let bench = try SlicesBench.make()
    let before = try bench.view()
    var steps = 0
    _ = try? bench.make(kind.change(bench)) { () throws in
      guard try bench.mark() != nil else { return }
      steps += 1
      if steps == 2 { bench.store.stopChanges() }
    }
    #expect(try bench.mark() != nil)
    try bench.reopen()
    #expect(try bench.view() == before)
    // A change meanwhile.
    try bench.submit(ExtendChange(Selection(numbers: [1]), by: .seconds(5)))
    try bench.submit(UndoChange(expected: nil))
    bench.store.moveEarlierBoots()
    #expect(try eventually { try bench.mark() == nil ? true : nil } == true)
    var now = try bench.view()
    now.alarms[0].modifiedAt = before.alarms[0].modifiedAt
    #expect(now == before)
    let images = try bench.stranger().read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm_image WHERE holder >= \(Images.slices)")
    }
    #expect(images == 0)
  }

  @Test("A salvage of the file amid the slices keeps what is to be taken back")
  func salvaged() throws {
    let bench = try SlicesBench.make()
    let before = try bench.view()
    var steps = 0
    _ = try? bench.make(SlicesBench.Kind.skip.change(bench)) { () throws in
      guard try bench.mark() != nil else { return }
      steps += 1
      if steps == 4 { bench.store.stopChanges() }
    }
    #expect(try bench.mark() != nil)
    bench.close()
    try bench.stranger().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    let page = try bench.stranger().read {
      try Int64.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'alarm_due'")
    }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: bench.path))
    try file.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
    try file.write(contentsOf: Data(repeating: 0xa5, count: 4_096))
    try file.close()
    bench.events.clear()
    try bench.reopen()
    // This may meet the damage first.
    _ = bench.wait { bench.store.list(ListQuery(order: .due), completion: $0) }
    #expect(
      eventually {
        bench.events.all.contains { if case .salvaged = $0 { true } else { false } } ? true : nil
      } == true)
    #expect(try bench.view().alarms == before.alarms)
    #expect(try eventually { try bench.mark() == nil ? true : nil } == true)
    #expect(try bench.view() == before)
  }

  @Test("Another eggd's boots and zones wait until the slices are taken back, and nothing is lost")
  func otherBoot() throws {
    let bench = try SlicesBench.make()
    var steps = 0
    _ = try? bench.make(MarkDoneChange(Selection(all: true), true)) { () throws in
      guard try bench.mark() != nil else { return }
      steps += 1
      if steps == 5 { bench.store.stopChanges() }
    }
    try bench.reopen(bootID: "boot-2")
    bench.store.moveEarlierBoots()
    #expect(try eventually { try bench.mark() == nil ? true : nil } == true)
    #expect(
      try eventually {
        let clocks = try bench.list().alarms.compactMap { $0.due?.clock ?? $0.latest?.due?.clock }
        return clocks.allSatisfy { $0 == .wall } ? true : nil
      } == true)
    #expect(try bench.list(ListQuery(filter: ListFilter(phases: [.scheduled]))).totals?.alarms == 6)
  }

  @Test("Another program's deletion of an alarm that a slice has changed counts")
  func foreign() throws {
    let bench = try SlicesBench.make()
    var steps = 0
    try bench.make(MarkDoneChange(Selection(all: true), true)) { () throws in
      guard try bench.mark() != nil else { return }
      steps += 1
      if steps == 5 {
        try bench.stranger().write { try $0.execute(sql: "DELETE FROM alarm WHERE number IN (1, 13)") }
      }
      if steps > 5 {
        #expect(try bench.list().alarms.map(\.number) == [Int64](2...14).filter { $0 != 13 })
        #expect(try !bench.head().contains { $0.key.number == 1 || $0.key.number == 13 })
      }
    }
    #expect(steps > 6)
    #expect(try bench.list().alarms.map(\.number) == [Int64](2...14).filter { $0 != 13 })
    #expect(try bench.list().alarms.allSatisfy { $0.doneAt != nil })
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.list().alarms.map(\.number) == [Int64](2...14).filter { $0 != 13 })
  }
}
