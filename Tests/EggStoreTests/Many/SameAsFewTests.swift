import Alarms
import EggTestSupport
import EggTime
import Ringing
import Testing

@testable import EggStore

@Suite("A change of many alarms")
struct SameAsFewTests {
  /// What a reply says, but for identities.
  private struct Reply: Equatable {
    var alarms: [Alarm]
    var changed: Int64
    var deleted: [Int64]
    var rang: [Int64]
    var missing: [Int64]
    var imported: Imported?
    var undone: ChangeKind?
    var count: Int64?
    var missed: [Int64]?

    init(_ outcome: ChangeOutcome) {
      alarms = outcome.alarms.map { alarm in
        var plain = alarm
        plain.id = .zero
        return plain
      }
      (changed, deleted, rang, missing) = (outcome.changed, outcome.deleted, outcome.rang, outcome.missing)
      imported = outcome.imported
      (undone, count, missed) = (outcome.undone?.kind, outcome.undone?.count, outcome.undone?.missed)
    }
  }

  @Test(
    "It gives what it gives when few are many, as one change; undo and redo of it do too",
    arguments: ManyBench.Kind.allCases)
  func same(kind: ManyBench.Kind) throws {
    let few = try ManyBench.make(few: 256)
    let many = try ManyBench.make()
    #expect(try many.view().plain == few.view().plain)
    var (one, other) = (try kind.change(few), try kind.change(many))
    for step in ["change", "undo", "redo", "undo"] {
      let sequence = many.store.sequence
      many.changes.clear()
      let (expected, outcome) = (try few.submit(one), try many.submit(other))
      #expect(Reply(outcome) == Reply(expected), "\(step)")
      if step != "change" { #expect(outcome.undone?.kind == kind.kind) }
      #expect(outcome.sequence == sequence + 1)
      #expect(many.store.sequence == sequence + 1)
      #expect(many.changes.all.map(\.sequence) == [sequence + 1])
      #expect(try many.view().plain == few.view().plain, "\(step)")
      let redoes = step == "undo"
      (one, other) = (UndoChange(expected: nil, redoes: redoes), UndoChange(expected: nil, redoes: redoes))
    }
  }

  @Test(
    "Undo gives back the list as it was, with its keys, numbers and places",
    arguments: ManyBench.Kind.allCases)
  func undone(kind: ManyBench.Kind) throws {
    let bench = try ManyBench.make()
    let before = try bench.view()
    try bench.submit(kind.change(bench))
    let after = try bench.view()
    #expect(after != before)
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.view() == before)
    try bench.submit(UndoChange(expected: nil, redoes: true))
    #expect(try bench.view() == after)
  }

  @Test("Scheduler and subscribers read everything again: bubbles of what no longer rings are found")
  func told() throws {
    let bench = try ManyBench.make()
    bench.observer.heard.clear()
    bench.changes.clear()
    try bench.submit(DeleteChange(Selection(all: true)))
    #expect(bench.observer.words == ["hold", "refilled", "held", "ringingUnknown"])
    #expect(bench.changes.all.map { $0.alarms == nil } == [true])
  }

  @Test(
    "One of more alarms than the most is refused, and changes nothing",
    arguments: [ManyBench.Kind.done, .edit, .toTop, .delete, .deleteRange, .ungroup, .deleteGroup, .imported])
  func tooMany(kind: ManyBench.Kind) throws {
    let bench = try ManyBench.make()
    let before = try bench.view()
    let change = try kind.change(bench)
    let other = try ManyBench.make()
    try other.submit(kind.change(other))
    let count = Int(try #require(try other.submit(UndoChange(expected: nil)).undone).count)
    bench.store.commits.mostAlarms = count - 1
    #expect(throws: ChangeError.tooMany(most: Int64(count - 1))) { try bench.submit(change) }
    #expect(try bench.view() == before)
    bench.store.commits.mostAlarms = count
    try bench.submit(change)
    #expect(try bench.view() != before)
  }

  @Test("The most alarms of one change are a million")
  func most() throws {
    #expect(try StoreBench().store.commits.mostAlarms == 1_000_000)
  }
}
