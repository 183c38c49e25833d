import Alarms
import Dispatch
import EggTestSupport
import EggTime
import GRDB
import Synchronization
import Testing

@testable import EggStore

@Suite("Preparing what makes many alarms")
struct PreparingTests {
  private static let many = 400

  /// One alarm, and many that are staged.
  private func bench(firstNumber: Int64 = 0, group: String? = nil) throws -> (StoreBench, CommitImportChange)
  {
    let bench = try StoreBench()
    bench.store.prepareChanges(of: 2, atOnce: 1)
    try bench.schedule("model")
    return (bench, try stage(bench, firstNumber: firstNumber, group: group))
  }

  private func stage(_ bench: StoreBench, firstNumber: Int64, group: String? = nil) throws
    -> CommitImportChange
  {
    let id = bench.store.beginImport()
    try bench.submit(
      ImportAlarmsChange(staged(bench, 0..<Self.many, firstNumber: firstNumber, group: group), id))
    return CommitImportChange(id)
  }

  private func staged(
    _ bench: StoreBench, _ indices: Range<Int>, firstNumber: Int64 = 0, group: String? = nil
  ) throws -> StagedAlarms {
    let alarms = try indices.map { index in
      var alarm = try #require(bench.alarm(1))
      alarm.number = firstNumber == 0 ? 0 : firstNumber + Int64(index)
      alarm.id = try #require(AlarmID("00000000-0000-4000-8000-000000\(100_000 + index)"))
      (alarm.label, alarm.group) = ("egg \(index)", group)
      return (alarm: alarm, occurrences: [Occurrence]())
    }
    return StagedAlarms(groups: [], alarms: alarms, first: Int64(indices.lowerBound + 1))
  }

  private func rows(_ bench: StoreBench) throws -> Int {
    try bench.stranger().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm") ?? -1 }
  }

  @Test("Nobody sees a part of them, and other changes go in between")
  func allAtOnce() throws {
    let (bench, change) = try bench()
    let answered = Kept<Int64>()
    var asked = 0
    var written: Set<Int> = []
    let outcome = try bench.make(change) { () throws in
      let added = answered.all.count
      let rows = try rows(bench) - added
      written.insert(rows)
      #expect(try bench.list().alarms.count == 1 + added)
      #expect(try bench.list(ListQuery(order: .due)).totals?.alarms == Int64(1 + added))
      guard rows > 1, asked < 10 else { return }
      asked += 1
      bench.ask(ScheduleChange(bench.new("added"))) { result in
        answered.append((try? result.get().alarms.first?.number) ?? 0)
      }
    }
    let added = answered.all
    #expect(outcome.imported == Imported(count: Int64(Self.many), existed: 0, missed: 0))
    #expect(added.count == 10)
    #expect(written.contains { $0 > 2 && $0 < Self.many })
    let list = try bench.list().alarms
    #expect(
      list.map(\.label) == ["model"] + (0..<Self.many).map { "egg \($0)" }
        + Array(repeating: "added", count: 10))
    #expect(list.map(\.number) == (1...Int64(Self.many + 11)).map { $0 })
    #expect(added == ((Int64(Self.many) + 2)...(Int64(Self.many) + 11)).map { $0 })
    #expect(bench.changes.all.count { $0.alarms == nil } == 1)
    // The additions were made before it.
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(Self.many))
    #expect(try bench.list().alarms.count == 11)
  }

  @Test("An import has all that was sent for it before, also what still waits to be stored")
  func sentAhead() throws {
    let bench = try StoreBench()
    bench.store.prepareChanges(of: 2, atOnce: 1)
    try bench.schedule("model")
    let id = bench.store.beginImport()
    let chunks = try (0..<40).map { try staged(bench, ($0 * 10)..<($0 * 10 + 10)) }
    let stored = Kept<Bool>()
    bench.queue.suspend()
    for chunk in chunks {
      bench.ask(ImportAlarmsChange(chunk, id)) { result in stored.append((try? result.get()) != nil) }
    }
    let outcome = Kept<Int64>()
    bench.ask(CommitImportChange(id)) { result in outcome.append((try? result.get().imported?.count) ?? -1) }
    bench.queue.resume()
    #expect(eventually { outcome.all.first } == Int64(Self.many))
    #expect(stored.all == chunks.map { _ in true })
  }

  @Test("Steps do not wait for the disk, and all that is promised does")
  func synced() throws {
    let (bench, change) = try bench()
    // FULL is 2, NORMAL 1.
    @Sendable func mode() throws -> Int? {
      try bench.store.opened?.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }
    var modes: [Int?] = []
    var asked = 0
    try bench.make(change) { () throws in
      modes.append(try mode())
      asked += 1
      if asked == 20 { bench.ask(ScheduleChange(bench.new("added"))) { _ in } }
    }
    #expect(modes.count { $0 == 1 } > 20)
    // After the addition.
    #expect(modes.dropFirst(20).contains(2))
    let last = Kept<Int?>()
    bench.ask(ScheduleChange(bench.new("last"))) { _ in last.append(try? mode()) }
    #expect(eventually { last.all.first } == 2)
  }

  @Test("Undoing a deletion of many shows all of them at once, as they were")
  func undone() throws {
    let (bench, change) = try bench(group: "Sunday")
    try bench.submit(change)
    let before = try bench.list().alarms
    #expect(before.count == Self.many + 1)
    try bench.submit(DeleteChange(Selection(all: true)))
    var others = 0
    let outcome = try bench.make(UndoChange(expected: nil)) { () throws in
      #expect(try bench.list().alarms == [])
      #expect(try bench.groups().map(\.alarms) == [0])
      others += 1
    }
    #expect(outcome.undone?.count == Int64(Self.many + 1))
    #expect(others > 2)
    #expect(try bench.list().alarms == before)
    #expect(try bench.groups().map(\.alarms) == [Int64(Self.many)])
  }

  @Test(
    "An undo undoes what was last when it began, however many changes are made meanwhile",
    arguments: [false, true])
  func undoneAmongOthers(redoes: Bool) throws {
    let (bench, change) = try bench()
    try bench.submit(change)
    if redoes {
      try bench.submit(UndoChange(expected: nil))
    } else {
      try bench.submit(DeleteChange(Selection(all: true)))
    }
    let answered = Kept<Bool>()
    var added = 0
    let outcome = try bench.make(UndoChange(expected: nil, redoes: redoes)) { () throws in
      // None before it has begun: it may wait for the deletion's rows.
      guard added < 25, bench.store.turns.preparation != nil else { return }
      added += 1
      bench.ask(ScheduleChange(bench.new("added"))) { _ in answered.append(true) }
    }
    #expect(eventually { answered.all.count == 25 ? true : nil } == true)
    #expect(added == 25)
    #expect(outcome.undone?.count == Int64(redoes ? Self.many : Self.many + 1))
    #expect(try bench.list().alarms.count == 1 + Self.many + added)
  }

  @Test("A change of groups waits, for the alarms may name them")
  func groups() throws {
    let (bench, change) = try bench(group: "Sunday")
    let answered = Kept<String>()
    var asked = false
    let outcome = try bench.make(change) { () throws in
      #expect(try bench.groups() == [])
      guard !asked else { return }
      asked = true
      bench.store.submit(ChangeRequest(CreateGroupChange(Group(name: "Sunday")), readAt: bench.clock.read()))
      {
        if case .failure(.groupExists) = $0 { answered.append("exists") }
      }
    }
    #expect(outcome.imported?.count == Int64(Self.many))
    #expect(eventually { answered.all.first } == "exists")
    #expect(try bench.groups().map(\.alarms) == [Int64(Self.many)])
  }

  @Test("What an end leaves half done never shows, goes, and can be made again")
  func ended() throws {
    let (bench, change) = try bench(firstNumber: 100)
    var steps = 0
    #expect(throws: ChangeError.self) {
      try bench.make(change) { () throws in
        steps += 1
        if steps == 20 { bench.store.stopChanges() }
      }
    }
    let left = try rows(bench)
    #expect(left > 1 && left < Self.many)
    try bench.reopen()
    #expect(try bench.list().alarms.map(\.label) == ["model"])
    #expect(try bench.list().totals?.alarms == 1)
    bench.store.moveEarlierBoots()
    #expect(try eventually { try rows(bench) == 1 ? true : nil } == true)
    let hidden = try bench.stranger()
    #expect(
      try eventually {
        try hidden.read { try Int64.fetchOne($0, sql: "SELECT hiddenFrom FROM schedule") } == nil ? true : nil
      } == true)
  }

  @Test("A change that makes some waits until what an earlier eggd left is gone")
  func leftovers() throws {
    let (bench, _) = try bench(firstNumber: 100)
    bench.close()
    try bench.stranger().write { database in
      try database.execute(
        sql: """
          INSERT INTO alarm (\(AlarmColumn.list())) SELECT \(AlarmColumn.list()) FROM alarm_image WHERE place <= 50;
          UPDATE schedule SET hiddenFrom = 100, hiddenTo = 499
          """)
    }
    try bench.reopen()
    bench.store.prepareChanges(of: 2, atOnce: 1)
    #expect(try rows(bench) == 51)
    bench.clock.advance(.seconds(1))
    let change = try stage(bench, firstNumber: 100)
    #expect(try bench.submit(change).imported == Imported(count: Int64(Self.many), existed: 0, missed: 0))
    #expect(try bench.list().alarms.count == Self.many + 1)
  }

  @Test("If the clock is set meanwhile, the change begins anew")
  func spoiled() throws {
    let (bench, change) = try bench()
    var steps = 0
    let outcome = try bench.make(change) { () throws in
      steps += 1
      if steps == 20 { bench.store.clockStepped(bench.clock.read()) }
      #expect(try bench.list().alarms.count == 1)
    }
    #expect(outcome.imported?.count == Int64(Self.many))
    #expect(try bench.list().alarms.count == Self.many + 1)
    #expect(try rows(bench) == Self.many + 1)
  }

  @Test("A deletion of many counts at once; its rows go bit by bit, and undo waits for them")
  func deleted() throws {
    let (bench, change) = try bench(firstNumber: 100)
    try bench.submit(change)
    let before = try bench.list().alarms
    let left = Mutex(0)
    let outcome = try bench.wait { done in
      bench.ask(DeleteChange(Selection(ranges: [100...1_000]))) { result in
        // Before the first step.
        left.withLock { $0 = (try? rows(bench)) ?? 0 }
        done(result)
      }
    }.get()
    #expect(outcome.deleted.count == Self.many)
    #expect(left.withLock { $0 } == Self.many + 1)
    #expect(try bench.list().alarms.map(\.number) == [1])
    #expect(try bench.schedule("added").number == 500)
    #expect(bench.alarm(499) == nil)
    #expect(throws: ChangeError.self) { try bench.submit(EditChange(Selection(numbers: [499]), AlarmEdit())) }
    try bench.submit(DeleteChange(Selection(numbers: [500])))
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.kind == .schedule)
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(Self.many))
    #expect(try bench.list().alarms == before)
    #expect(try rows(bench) == Self.many + 1)
  }

  @Test(
    "Undoing an import and redoing a deletion hide many alarms too, and they come back",
    arguments: [false, true])
  func deletedByUndo(redoes: Bool) throws {
    let (bench, change) = try bench(group: "Sunday")
    try bench.submit(change)
    let before = try bench.list().alarms
    if redoes {
      try bench.submit(DeleteChange(Selection(ranges: [2...1_000])))
      try bench.submit(UndoChange(expected: nil))
    }
    let left = Mutex(0)
    let outcome = try bench.wait { done in
      bench.ask(UndoChange(expected: nil, redoes: redoes)) { result in
        left.withLock { $0 = (try? rows(bench)) ?? 0 }
        done(result)
      }
    }.get()
    #expect(outcome.undone?.count == Int64(Self.many))
    #expect(left.withLock { $0 } == Self.many + 1)
    #expect(try bench.list().alarms.map(\.label) == ["model"])
    #expect(try bench.groups().map(\.alarms) == (redoes ? [0] : []))
    #expect(try bench.schedule("added").number > Int64(Self.many))
    try bench.submit(UndoChange(expected: nil))
    // The addition was a change: what was undone cannot be redone. What was redone can be undone.
    if redoes {
      #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(Self.many))
      #expect(try bench.list().alarms == before)
    } else {
      #expect(try bench.submit(UndoChange(expected: nil, redoes: true)).undone?.kind == .schedule)
      #expect(throws: ChangeError.self) { try bench.submit(UndoChange(expected: nil, redoes: true)) }
    }
  }

  @Test("What an undo of an import has hidden is made again by redo")
  func redone() throws {
    let (bench, change) = try bench(group: "Sunday")
    try bench.submit(change)
    let before = try bench.list().alarms
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.list().alarms.count == 1)
    #expect(try bench.submit(UndoChange(expected: nil, redoes: true)).undone?.count == Int64(Self.many))
    #expect(try bench.list().alarms == before)
    #expect(try bench.groups().map(\.alarms) == [Int64(Self.many)])
    #expect(try rows(bench) == Self.many + 1)
  }

  @Test("After an end amid a deletion of many, the next eggd goes on, and undo has all")
  func endedDeleting() throws {
    let (bench, change) = try bench(firstNumber: 100)
    try bench.submit(change)
    let before = try bench.list().alarms
    try bench.submit(DeleteChange(Selection(all: true)))
    try bench.reopen()
    let left = try rows(bench)
    #expect(left > 1 && left <= Self.many + 1)
    #expect(try bench.list().alarms == [])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(Self.many + 1))
    #expect(try bench.list().alarms == before)
  }

  @Test("A new alarm takes the key of one that is on its way out")
  func key() throws {
    let (bench, change) = try bench(firstNumber: 100)
    try bench.schedule("keyed", key: "tea")
    try bench.submit(change)
    try bench.submit(DeleteChange(Selection(all: true)))
    #expect(try bench.schedule("another", key: "tea").key == "tea")
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(Self.many + 2))
    #expect(try bench.list().alarms.count == Self.many + 2)
  }

  @Test("Where other alarms have numbers among theirs, nobody sees a part of them either")
  func among() throws {
    let (bench, change) = try bench(firstNumber: 1)
    var most = 0
    let outcome = try bench.make(change) { () throws in
      most = max(most, try rows(bench))
      #expect(try bench.list().alarms.map(\.label) == ["model"])
    }
    #expect(most > 100)
    #expect(outcome.imported?.count == Int64(Self.many))
    let alarms = try bench.list().alarms
    #expect(alarms.map(\.label) == ["model"] + (0..<Self.many).map { "egg \($0)" })
    #expect(Set(alarms.map(\.number)).count == Self.many + 1)
    #expect(try listed(bench) == 0)
  }

  /// What is listed as hidden, once nothing is left to do.
  private func listed(_ bench: StoreBench) throws -> Int {
    try eventually {
      let left = try bench.stranger().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM hidden_alarm") }
      return left == 0 ? 0 : nil
    } ?? -1
  }

  @Test("Alarms among others are deleted at once, their rows bit by bit; undo and redo likewise")
  func deletedAmong() throws {
    let (bench, change) = try bench(firstNumber: 100)
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
      left.withLock { $0 = (try? rows(bench)) ?? 0 }
      guard steps > 6 else { return }
      #expect(try bench.list().alarms.count == Self.many + 1)
    }
    #expect(outcome.deleted == gone.filter { $0 != gone[7] })
    #expect(left.withLock { $0 } == Self.many + 1)
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
    #expect(try listed(bench) == 0)
    #expect(try rows(bench) == after.count)
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

  @Test("A group of many is deleted with its alarms at once, and with what joins it meanwhile")
  func deletedGroup() throws {
    let (bench, change) = try bench(group: "Sunday")
    try bench.submit(change)
    let before = try bench.list().alarms
    var asked = false
    let outcome = try bench.make(DeleteGroupChange(name: "Sunday", withAlarms: true)) { () throws in
      guard !asked, bench.store.turns.deletion != nil else { return }
      asked = true
      var edit = AlarmEdit()
      edit.group = "Sunday"
      bench.ask(EditChange(Selection(numbers: [1]), edit)) { _ in }
    }
    #expect(asked)
    #expect(outcome.deleted.sorted() == before.map(\.number))
    #expect(try bench.list().alarms == [])
    #expect(try bench.groups() == [])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.kind == .deleteGroup)
    #expect(try bench.list().alarms.map(\.number) == before.map(\.number))
    #expect(try bench.groups().map(\.alarms) == [Int64(Self.many + 1)])
  }
}
