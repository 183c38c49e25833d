import Alarms
import Dispatch
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Synchronization
import Testing

@testable import EggStore

@Suite("Changes of many alarms in slices")
struct SlicesTests {
  @Test(
    "Nobody sees a part of it; then it is what it would be as one, and undo and redo are too",
    arguments: SlicesBench.Kind.allCases)
  func allAtOnce(kind: SlicesBench.Kind) throws {
    let whole = try SlicesBench.make()
    whole.store.prepareChanges(of: 1_000, atOnce: 1_000)
    let expected = try whole.submit(kind.change(whole))
    let bench = try SlicesBench.make()
    let before = try bench.view()
    let sequence = bench.store.sequence
    bench.changes.clear()
    var steps = 0
    var looks = 0
    /// Some of the steps: a look takes longer than they do.
    func expect(_ view: StoreBench.View) throws {
      looks += 1
      if looks % 5 == 2 { #expect(try bench.view() == view) }
    }
    let outcome = try bench.make(kind.change(bench)) { () throws in
      try expect(before)
      steps += try bench.mark() == nil ? 0 : 1
    }
    #expect(steps >= 2)
    #expect(outcome.changed == expected.changed)
    #expect(outcome.alarms.map(\.number) == expected.alarms.map(\.number))
    #expect(bench.store.sequence == sequence + 1)
    #expect(bench.changes.all.map(\.sequence) == [sequence + 1])
    try expectSame(bench, whole)
    let after = try bench.view()
    try whole.submit(UndoChange(expected: nil))
    let undone = try bench.make(UndoChange(expected: nil)) { () throws in try expect(after) }
    #expect(undone.undone?.kind == (kind == .move ? .edit : Alarms.ChangeKind(rawValue: kind.rawValue)))
    try expectSame(bench, whole)
    try whole.submit(UndoChange(expected: nil, redoes: true))
    let again = try bench.view()
    try bench.make(UndoChange(expected: nil, redoes: true)) { () throws in try expect(again) }
    try expectSame(bench, whole)
    #expect(looks > 15)
    #expect(try bench.mark() == nil)
  }

  /// But for identities and creation.
  private func expectSame(_ bench: StoreBench, _ whole: StoreBench, _ comment: Comment? = nil) throws {
    func plain(_ view: StoreBench.View) -> StoreBench.View {
      var plain = view
      for index in plain.alarms.indices { plain.alarms[index].id = .zero }
      for index in plain.head.indices { plain.head[index].card.id = .zero }
      return plain
    }
    #expect(plain(try bench.view()) == plain(try whole.view()), comment)
  }

  @Test(
    "What others change meanwhile is there at once, and the change respects it",
    arguments: SlicesBench.Kind.allCases)
  func others(kind: SlicesBench.Kind) throws {
    let bench = try SlicesBench.make()
    let before = try bench.list().alarms
    let answered = Kept<Int64>()
    var asked = 0
    try bench.make(kind.change(bench)) { () throws in
      guard try bench.mark() != nil else { return }
      asked += 1
      switch asked {
      case 2:
        bench.ask(DeleteChange(Selection(numbers: [1]))) {
          answered.append((try? $0.get().deleted.first) ?? -1)
        }
      case 4:
        var edit = AlarmEdit()
        edit.note = "changed"
        bench.ask(EditChange(Selection(numbers: [2]), edit)) {
          answered.append((try? $0.get().changed) ?? -1)
        }
      case 5: #expect(bench.alarm(1) == nil)
      case 6:
        #expect(bench.alarm(2)?.note == "changed")
        bench.ask(ScheduleChange(bench.new("added"))) {
          answered.append((try? $0.get().alarms.count).map(Int64.init) ?? -1)
        }
      case 9: #expect(try bench.list().alarms.map(\.number) == before.map(\.number).filter { $0 != 1 } + [15])
      default: break
      }
    }
    #expect(asked >= 3)
    #expect(eventually { answered.all.count == [2, 4, 6].count { $0 <= asked } ? true : nil } == true)
    #expect(!answered.all.contains(-1))
    #expect(bench.alarm(1) == nil)
    let same = try bench.view()
    try bench.reopen()
    #expect(try bench.view() == same)
    #expect(try bench.mark() == nil)
  }

  @Test("A ring meanwhile is recorded, and the change is judged by it")
  func rings() throws {
    let bench = try SlicesBench.make()
    let first = try #require(bench.alarm(1))
    var asked = 0
    let outcome = try bench.make(ExtendChange(Selection(all: true), by: .seconds(30))) { () throws in
      guard try bench.mark() != nil else { return }
      asked += 1
      if asked == 3 { bench.store.record([try bench.ring(first, occurrence: bench.tick())]) }
      if asked == 6 { #expect(bench.alarm(1)?.phase == .ringing) }
    }
    #expect(asked > 6)
    let alarm = try #require(bench.alarm(1))
    #expect(alarm.phase == .ringing)
    #expect(alarm.due == nil)
    #expect(!outcome.alarms.map(\.number).contains(1))
    #expect(outcome.changed == Int64(outcome.alarms.count))
  }

  @Test("A ring that nobody has recorded yet is, when the change counts")
  func unrecorded() throws {
    let bench = try SlicesBench.make()
    let ring = try bench.ring(try #require(bench.alarm(8)), occurrence: bench.tick())
    let steps = Mutex(0)
    try bench.make(DismissChange(Selection(all: true))) { () throws in
      guard try bench.mark() != nil else { return }
      steps.withLock { $0 += 1 }
      if steps.withLock({ $0 }) == 2 { bench.observer.answer { $0.contains(8) ? [ring] : [] } }
    }
    #expect(steps.withLock { $0 } >= 2)
    #expect(bench.alarm(8)?.phase == .rung)
    #expect(bench.alarm(8)?.latest?.dismissedAt != nil)
  }

  @Test("What another client adds while an undo of many is looked at is not what it undoes")
  func addedBeforeUndo() throws {
    let bench = try SlicesBench.make()
    let before = try bench.list().alarms.map(\.doneAt)
    try bench.submit(MarkDoneChange(Selection(all: true), true))
    let added = Kept<Bool>()
    var asked = false
    let outcome = try bench.make(UndoChange(expected: nil)) { () throws in
      guard !asked, bench.store.turns.slices?.isSurveying == true else { return }
      asked = true
      bench.ask(ScheduleChange(bench.new("added"))) { added.append((try? $0.get()) != nil) }
    }
    #expect(asked)
    #expect(outcome.undone?.kind == .done)
    #expect(eventually { added.all.first } == true)
    #expect(try bench.list().alarms.map(\.doneAt) == before + [nil])
  }

  @Test("If it is refused amid the slices, nothing has changed")
  func refused() throws {
    let bench = try SlicesBench.make()
    let before = try bench.view()
    var asked = 0
    // 4 rings, and nothing can be skipped of it.
    #expect(throws: ChangeError.wrongState(number: 4, .ringing)) {
      try bench.make(SkipChange(Selection(numbers: Array(1...4), ranges: [5...10_000]))) { () throws in
        #expect(try bench.view() == before)
        if try bench.mark() != nil { asked += 1 }
      }
    }
    #expect(asked > 1)
    #expect(try bench.view() == before)
    #expect(try eventually { try bench.mark() == nil ? true : nil } == true)
    #expect(try bench.view() == before)
    // The next one takes its turn after that.
    #expect(try bench.submit(MarkDoneChange(Selection(all: true), true)).changed == 12)
  }

  @Test("Where few of many can change, it is made as one")
  func few() throws {
    let bench = try SlicesBench.make()
    bench.store.prepareChanges(of: 4, atOnce: 1)
    var marks = 0
    let outcome = try bench.make(DismissChange(Selection(ranges: [1...10]))) { () throws in
      marks += try bench.mark() == nil ? 0 : 1
    }
    #expect(marks == 0)
    #expect(outcome.alarms.map(\.number) == [4, 5])
    #expect(bench.changes.all.last?.alarms?.count == 2)
    #expect(throws: ChangeError.self) { try bench.submit(SkipChange(Selection(ranges: [1_000...2_000]))) }
  }

  @Test("The images of what can no longer be undone go")
  func images() throws {
    let bench = try SlicesBench.make()
    try bench.submit(MarkDoneChange(Selection(all: true), true))
    for _ in 1...21 { try bench.schedule("added") }
    #expect(
      try eventually {
        let left = try bench.stranger().read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm_image WHERE holder >= \(Images.slices)")
        }
        return left == 0 ? true : nil
      } == true)
  }
}
