import Alarms
import Dispatch
import EggTestSupport
import EggTime
import GRDB
import Synchronization
import Testing

@testable import EggStore

@Suite("Deleting many alarms")
struct DeletingManyTests {
  @Test("A deletion of many counts at once; its rows go bit by bit, and undo waits for them")
  func deleted() throws {
    let (bench, change) = try ManyAlarms.bench(firstNumber: 100)
    try bench.submit(change)
    let before = try bench.list().alarms
    let left = Mutex(0)
    let outcome = try bench.wait { done in
      bench.ask(DeleteChange(Selection(ranges: [100...1_000]))) { result in
        // Before the first step.
        left.withLock { $0 = (try? bench.rows()) ?? 0 }
        done(result)
      }
    }.get()
    #expect(outcome.deleted.count == ManyAlarms.count)
    #expect(left.withLock { $0 } == ManyAlarms.count + 1)
    #expect(try bench.list().alarms.map(\.number) == [1])
    #expect(try bench.schedule("added").number == 500)
    #expect(bench.alarm(499) == nil)
    #expect(throws: ChangeError.self) { try bench.submit(EditChange(Selection(numbers: [499]), AlarmEdit())) }
    try bench.submit(DeleteChange(Selection(numbers: [500])))
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.kind == .schedule)
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(ManyAlarms.count))
    #expect(try bench.list().alarms == before)
    #expect(try bench.rows() == ManyAlarms.count + 1)
  }

  @Test(
    "Undoing an import and redoing a deletion hide many alarms too, and they come back",
    arguments: [false, true])
  func deletedByUndo(redoes: Bool) throws {
    let (bench, change) = try ManyAlarms.bench(group: "Sunday")
    try bench.submit(change)
    let before = try bench.list().alarms
    if redoes {
      try bench.submit(DeleteChange(Selection(ranges: [2...1_000])))
      try bench.submit(UndoChange(expected: nil))
    }
    let left = Mutex(0)
    let outcome = try bench.wait { done in
      bench.ask(UndoChange(expected: nil, redoes: redoes)) { result in
        left.withLock { $0 = (try? bench.rows()) ?? 0 }
        done(result)
      }
    }.get()
    #expect(outcome.undone?.count == Int64(ManyAlarms.count))
    #expect(left.withLock { $0 } == ManyAlarms.count + 1)
    #expect(try bench.list().alarms.map(\.label) == ["model"])
    #expect(try bench.groups().map(\.alarms) == (redoes ? [0] : []))
    #expect(try bench.schedule("added").number > Int64(ManyAlarms.count))
    try bench.submit(UndoChange(expected: nil))
    // The addition was a change: what was undone cannot be redone. What was redone can be undone.
    if redoes {
      #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(ManyAlarms.count))
      #expect(try bench.list().alarms == before)
    } else {
      #expect(try bench.submit(UndoChange(expected: nil, redoes: true)).undone?.kind == .schedule)
      #expect(throws: ChangeError.self) { try bench.submit(UndoChange(expected: nil, redoes: true)) }
    }
  }

  @Test("What an undo of an import has hidden is made again by redo")
  func redone() throws {
    let (bench, change) = try ManyAlarms.bench(group: "Sunday")
    try bench.submit(change)
    let before = try bench.list().alarms
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.list().alarms.count == 1)
    #expect(
      try bench.submit(UndoChange(expected: nil, redoes: true)).undone?.count == Int64(ManyAlarms.count))
    #expect(try bench.list().alarms == before)
    #expect(try bench.groups().map(\.alarms) == [Int64(ManyAlarms.count)])
    #expect(try bench.rows() == ManyAlarms.count + 1)
  }

  @Test("After an end amid a deletion of many, the next eggd goes on, and undo has all")
  func endedDeleting() throws {
    let (bench, change) = try ManyAlarms.bench(firstNumber: 100)
    try bench.submit(change)
    let before = try bench.list().alarms
    try bench.submit(DeleteChange(Selection(all: true)))
    try bench.reopen()
    let left = try bench.rows()
    #expect(left > 1 && left <= ManyAlarms.count + 1)
    #expect(try bench.list().alarms == [])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(ManyAlarms.count + 1))
    #expect(try bench.list().alarms == before)
  }

  @Test("A new alarm takes the key of one that is on its way out")
  func key() throws {
    let (bench, change) = try ManyAlarms.bench(firstNumber: 100)
    try bench.schedule("keyed", key: "tea")
    try bench.submit(change)
    try bench.submit(DeleteChange(Selection(all: true)))
    #expect(try bench.schedule("another", key: "tea").key == "tea")
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(ManyAlarms.count + 2))
    #expect(try bench.list().alarms.count == ManyAlarms.count + 2)
  }

  @Test("Alarms among others are deleted at once, their rows bit by bit; undo and redo likewise")
  func deletedAmong() throws {
    let (bench, change) = try ManyAlarms.bench(firstNumber: 100)
    try bench.submit(change)
    let before = try bench.list().alarms
    let gone = before.map(\.number).filter { !$0.isMultiple(of: 3) }
    let kept = before.map(\.number).filter { $0.isMultiple(of: 3) }
    var steps = 0
    let left = Mutex(0)
    let outcome = try bench.make(DeleteChange(Selection(ranges: gone.map { $0...$0 }))) { () throws in
      steps += 1
      if steps == 3 { bench.ask(DeleteChange(Selection(numbers: [gone[7]]))) { _ in } }
      if steps == 3 { bench.ask(ScheduleChange(bench.new("added"))) { _ in } }
      left.withLock { $0 = (try? bench.rows()) ?? 0 }
      guard steps > 6 else { return }
      #expect(try bench.list().alarms.count == ManyAlarms.count + 1)
    }
    #expect(outcome.deleted == gone.filter { $0 != gone[7] })
    #expect(left.withLock { $0 } == ManyAlarms.count + 1)
    let after = kept + [500]
    #expect(try bench.list().alarms.map(\.number) == after)
    #expect(try bench.list().totals?.alarms == Int64(after.count))
    #expect(bench.alarm(gone[0]) == nil && bench.alarm(kept[0]) != nil)
    try bench.make(UndoChange(expected: nil)) { () throws in
      #expect(try bench.list().alarms.map(\.number) == after)
    }
    #expect(
      try bench.list().alarms.map(\.number).sorted() == (gone + after).filter { $0 != gone[7] }.sorted())
    try bench.make(UndoChange(expected: nil, redoes: true)) { () throws in
      #expect(try bench.list().alarms.count > after.count)
    }
    #expect(try bench.list().alarms.map(\.number) == after)
    try bench.reopen()
    #expect(try bench.list().alarms.map(\.number) == after)
    bench.store.moveEarlierBoots()
    #expect(try bench.rowsLeftHidden() == 0)
    #expect(try bench.rows() == after.count)
  }

  @Test("Of many that have rung, those are deleted that have nothing to come at the end")
  func deletedRung() throws {
    let bench = try StoreBench()
    for index in 1...8 {
      let alarm = try bench.schedule("egg \(index)")
      if index % 4 != 0 { try bench.fire(alarm, occurrence: bench.clock.read().wall.microseconds) }
      bench.clock.advance(.seconds(1))
    }
    try bench.submit(DismissChange(Selection(all: true)))
    bench.store.prepareChanges(of: 2, atOnce: 1)
    let before = try bench.list().alarms
    // 7 rang later; 2 is to ring again, and 4 rings meanwhile.
    let moment = try #require(bench.alarm(6)?.latest?.firedAt)
    let waits = try #require(bench.alarm(4))
    var asked = 0
    let change = DeleteChange(Selection(all: true), rungBefore: moment)
    let outcome = try bench.make(change) { () throws in
      guard bench.store.turns.deletion != nil else { return }
      asked += 1
      if asked == 4 {
        var edit = AlarmEdit()
        let due = bench.clock.read().wall + .seconds(7_200)
        edit.timing = AlarmEdit.NewTiming(
          timing: .instant(due), expression: "later", forcedKind: nil, readingZone: "Europe/Berlin",
          due: .wall(due))
        bench.ask(EditChange(Selection(numbers: [2]), edit)) { _ in }
        var ring = try bench.ring(waits, occurrence: moment.microseconds - 1)
        ring.firedAt = moment - .seconds(1)
        bench.store.record([ring])
        bench.ask(DismissChange(Selection(numbers: [4]))) { _ in }
      }
    }
    #expect(asked > 4)
    #expect(outcome.deleted == [1, 3, 4, 5, 6])
    #expect(outcome.rang == [1, 3, 4, 5, 6])
    #expect(try bench.list().alarms.map(\.number) == [2, 7, 8])
    #expect(bench.alarm(2)?.phase == .scheduled)
    let history = try bench.stranger().read { try Int64.fetchAll($0, sql: "SELECT alarm FROM history") }
    #expect(history.sorted() == [1, 3, 4, 5, 6])
    try bench.make(UndoChange(expected: nil)) { () throws in }
    #expect(try bench.list().alarms.map(\.number) == before.map(\.number))
  }

  /// Deletes the group with its alarms. #1 joins it meanwhile; then `joined` is called.
  private func deleteSunday(
    _ bench: StoreBench, joined: @escaping @Sendable () -> Void = {}
  ) throws -> ChangeOutcome {
    var asked = false
    defer { #expect(asked) }
    return try bench.make(DeleteGroupChange(name: "Sunday", withAlarms: true)) { () throws in
      guard !asked, bench.store.turns.deletion != nil else { return }
      asked = true
      var edit = AlarmEdit()
      edit.group = "Sunday"
      bench.ask(EditChange(Selection(numbers: [1]), edit)) { _ in joined() }
    }
  }

  @Test("A group of many is deleted with its alarms at once, and with what joins it meanwhile")
  func deletedGroup() throws {
    let (bench, change) = try ManyAlarms.bench(group: "Sunday")
    try bench.submit(change)
    let before = try bench.list().alarms
    let outcome = try deleteSunday(bench)
    #expect(outcome.deleted.sorted() == before.map(\.number))
    #expect(try bench.list().alarms == [])
    #expect(try bench.groups() == [])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.kind == .deleteGroup)
    #expect(try bench.list().alarms.map(\.number) == before.map(\.number))
    #expect(try bench.groups().map(\.alarms) == [Int64(ManyAlarms.count + 1)])
  }

  @Test("What is added while many are being deleted, and rings before they are, goes as one that rang")
  func addedRings() throws {
    let (bench, change) = try ManyAlarms.bench(firstNumber: 100)
    try bench.submit(change)
    var asked = false
    let outcome = try bench.make(DeleteChange(Selection(all: true))) { () throws in
      // All others are found.
      guard !asked, bench.store.turns.deletion?.numbers.count == Int64(ManyAlarms.count + 1) else { return }
      asked = true
      bench.ask(ScheduleChange(bench.new("added"))) { result in
        guard let added = try? result.get().alarms.first, let ring = try? bench.ring(added) else { return }
        bench.observer.answer { held in held.contains(ring.key.number) ? [ring] : [] }
      }
    }
    #expect(asked)
    #expect(outcome.deleted.count == ManyAlarms.count + 2)
    #expect(outcome.rang == outcome.deleted.suffix(1))
  }

  @Test("What joins a group of many that is being deleted, and rings before, goes as one that rang")
  func joinedRings() throws {
    let (bench, change) = try ManyAlarms.bench(group: "Sunday")
    try bench.submit(change)
    let ring = try bench.ring(try #require(bench.alarm(1)))
    let outcome = try deleteSunday(bench) { bench.observer.answer { held in held.contains(1) ? [ring] : [] } }
    #expect(outcome.deleted.count == ManyAlarms.count + 1)
    #expect(outcome.rang == [1])
  }
}
