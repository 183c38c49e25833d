import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("Redo in the store")
struct RedoTests {
  private func undo(_ bench: StoreBench) throws -> UndoStep? {
    try bench.submit(UndoChange(expected: nil)).undone
  }

  private func redo(_ bench: StoreBench, expected: Int64? = nil) throws -> UndoStep? {
    try bench.submit(UndoChange(expected: expected, redoes: true)).undone
  }

  @Test("The last twenty changes can be undone and made again, one after the other, as often as one likes")
  func all() throws {
    let bench = try StoreBench()
    for number in 1...20 { try bench.schedule("egg \(number)", after: .seconds(60 + Int64(number))) }
    let whole = try bench.list().alarms
    for _ in 1...3 {
      for _ in 1...20 { _ = try undo(bench) }
      #expect(try bench.list().alarms.isEmpty)
      #expect(bench.submitted(UndoChange(expected: nil)).failure == .nothingToUndo)
      for number in 1...20 { #expect(try redo(bench)?.label == "egg \(number)") }
      #expect(try bench.list().alarms == whole)
      #expect(bench.submitted(UndoChange(expected: nil, redoes: true)).failure == .nothingToUndo)
    }
  }

  @Test("The journal tells an undo from a redo", arguments: [false, true])
  func told(redoes: Bool) throws {
    let bench = try StoreBench()
    try bench.schedule("one")
    if redoes { _ = try undo(bench) }
    let request = ChangeRequest(
      UndoChange(expected: nil, redoes: redoes), readAt: bench.clock.read(),
      client: ChangeClient(name: nil, session: nil))
    let outcome = try bench.wait { bench.store.submit(request, completion: $0) }.get()
    #expect(MadeChange.all(request, outcome).map(\.redoes) == [redoes])
  }

  @Test("Another change ends what can be redone, and nothing is left of it")
  func ended() throws {
    let bench = try StoreBench()
    try bench.schedule("one")
    try bench.schedule("two")
    _ = try undo(bench)
    try bench.schedule("three")
    #expect(bench.submitted(UndoChange(expected: nil, redoes: true)).failure == .nothingToUndo)
    try bench.schedule("four")
    let left = try bench.stranger().read {
      try Int64.fetchOne(
        $0, sql: "SELECT count(*) FROM alarm_image WHERE holder NOT IN (SELECT holder FROM undo)")
    }
    #expect(left == 0)
    #expect(try undo(bench)?.label == "four")
    #expect(try redo(bench)?.label == "four")
    #expect(try bench.list().alarms.map(\.label) == ["one", "three", "four"])
  }

  @Test("A ring does not end it; an alarm that is made again past its moment is missed, and never rings")
  func missed() throws {
    let bench = try StoreBench()
    let other = try bench.schedule("other", after: .seconds(30))
    try bench.schedule("late", after: .seconds(60))
    _ = try undo(bench)
    bench.clock.advance(.seconds(30))
    try bench.fire(other)
    bench.clock.advance(.seconds(60))
    bench.observer.heard.clear()
    #expect(try redo(bench)?.missed == [2])
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(bench.alarm(2)?.phase == .missed)
    #expect(bench.observer.moments.flatMap(\.waiting).isEmpty)
  }

  @Test("Deleting again holds the alarm first")
  func holds() throws {
    let bench = try StoreBench()
    try bench.schedule()
    try bench.submit(DeleteChange(Selection(numbers: [1])))
    _ = try undo(bench)
    bench.observer.heard.clear()
    #expect(try redo(bench)?.kind == .delete)
    #expect(bench.observer.words == ["hold", "changed", "held"])
    #expect(try bench.list().alarms.isEmpty)
  }

  @Test("Redo makes again the change that the caller saw, or none; it survives a restart")
  func expected() throws {
    let bench = try StoreBench()
    try bench.schedule("one")
    _ = try undo(bench)
    let last = try #require(try bench.wait { bench.store.ask({ try $0.lastUndone() }, completion: $0) }.get())
    #expect(last.sequence == bench.store.sequence)
    #expect(last.label == "one")
    #expect(
      bench.submitted(UndoChange(expected: last.sequence + 1, redoes: true)).failure
        == .changedSince(last.sequence))
    #expect(try redo(bench, expected: last.sequence)?.label == "one")
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
