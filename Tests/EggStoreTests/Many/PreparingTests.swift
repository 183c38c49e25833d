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
  @Test("Nobody sees a part of them, and other changes go in between")
  func allAtOnce() throws {
    let (bench, change) = try ManyAlarms.bench()
    let answered = Kept<Int64>()
    var asked = 0
    var written: Set<Int> = []
    let outcome = try bench.make(change) { () throws in
      let added = answered.all.count
      let rows = try bench.rows() - added
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
    #expect(outcome.imported == Imported(count: Int64(ManyAlarms.count), existed: 0, missed: 0))
    #expect(added.count == 10)
    #expect(written.contains { $0 > 2 && $0 < ManyAlarms.count })
    let list = try bench.list().alarms
    #expect(
      list.map(\.label) == ["model"] + (0..<ManyAlarms.count).map { "egg \($0)" }
        + Array(repeating: "added", count: 10))
    #expect(list.map(\.number) == (1...Int64(ManyAlarms.count + 11)).map { $0 })
    #expect(added == ((Int64(ManyAlarms.count) + 2)...(Int64(ManyAlarms.count) + 11)).map { $0 })
    #expect(bench.changes.all.count { $0.alarms == nil } == 1)
    // The additions were made before it.
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == Int64(ManyAlarms.count))
    #expect(try bench.list().alarms.count == 11)
  }

  @Test("An import has all that was sent for it before, also what still waits to be stored")
  func sentAhead() throws {
    let bench = try StoreBench()
    bench.store.prepareChanges(of: 2, atOnce: 1)
    try bench.schedule("model")
    let id = bench.store.beginImport()
    let chunks = try (0..<40).map { try ManyAlarms.staged(in: bench, ($0 * 10)..<($0 * 10 + 10)) }
    let stored = Kept<Bool>()
    bench.queue.suspend()
    for chunk in chunks {
      bench.ask(ImportAlarmsChange(chunk, id)) { result in stored.append((try? result.get()) != nil) }
    }
    let outcome = Kept<Int64>()
    bench.ask(CommitImportChange(id)) { result in outcome.append((try? result.get().imported?.count) ?? -1) }
    bench.queue.resume()
    #expect(eventually { outcome.all.first } == Int64(ManyAlarms.count))
    #expect(stored.all == chunks.map { _ in true })
  }

  @Test("Steps do not wait for the disk, and all that is promised does")
  func synced() throws {
    let (bench, change) = try ManyAlarms.bench()
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
    let (bench, change) = try ManyAlarms.bench(group: "Sunday")
    try bench.submit(change)
    let before = try bench.list().alarms
    #expect(before.count == ManyAlarms.count + 1)
    try bench.submit(DeleteChange(Selection(all: true)))
    var others = 0
    let outcome = try bench.make(UndoChange(expected: nil)) { () throws in
      #expect(try bench.list().alarms == [])
      #expect(try bench.groups().map(\.alarms) == [0])
      others += 1
    }
    #expect(outcome.undone?.count == Int64(ManyAlarms.count + 1))
    #expect(others > 2)
    #expect(try bench.list().alarms == before)
    #expect(try bench.groups().map(\.alarms) == [Int64(ManyAlarms.count)])
  }

  @Test(
    "An undo undoes what was last when it began, however many changes are made meanwhile",
    arguments: [false, true])
  func undoneAmongOthers(redoes: Bool) throws {
    let (bench, change) = try ManyAlarms.bench()
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
    #expect(outcome.undone?.count == Int64(redoes ? ManyAlarms.count : ManyAlarms.count + 1))
    #expect(try bench.list().alarms.count == 1 + ManyAlarms.count + added)
  }

  @Test("A change of groups waits, for the alarms may name them")
  func groups() throws {
    let (bench, change) = try ManyAlarms.bench(group: "Sunday")
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
    #expect(outcome.imported?.count == Int64(ManyAlarms.count))
    #expect(eventually { answered.all.first } == "exists")
    #expect(try bench.groups().map(\.alarms) == [Int64(ManyAlarms.count)])
  }

  @Test("What an end leaves half done never shows, goes, and can be made again")
  func ended() throws {
    let (bench, change) = try ManyAlarms.bench(firstNumber: 100)
    var steps = 0
    #expect(throws: ChangeError.self) {
      try bench.make(change) { () throws in
        steps += 1
        if steps == 20 { bench.store.stopChanges() }
      }
    }
    let left = try bench.rows()
    #expect(left > 1 && left < ManyAlarms.count)
    try bench.reopen()
    #expect(try bench.list().alarms.map(\.label) == ["model"])
    #expect(try bench.list().totals?.alarms == 1)
    bench.store.moveEarlierBoots()
    #expect(try eventually { try bench.rows() == 1 ? true : nil } == true)
    let hidden = try bench.stranger()
    #expect(
      try eventually {
        try hidden.read { try Int64.fetchOne($0, sql: "SELECT hiddenFrom FROM schedule") } == nil ? true : nil
      } == true)
  }

  @Test("A change that makes some waits until what an earlier eggd left is gone")
  func leftovers() throws {
    let (bench, _) = try ManyAlarms.bench(firstNumber: 100)
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
    #expect(try bench.rows() == 51)
    bench.clock.advance(.seconds(1))
    let change = try ManyAlarms.stage(in: bench, firstNumber: 100)
    #expect(
      try bench.submit(change).imported == Imported(count: Int64(ManyAlarms.count), existed: 0, missed: 0))
    #expect(try bench.list().alarms.count == ManyAlarms.count + 1)
  }

  @Test("If the clock is set meanwhile, the change begins anew")
  func spoiled() throws {
    let (bench, change) = try ManyAlarms.bench()
    var steps = 0
    let outcome = try bench.make(change) { () throws in
      steps += 1
      if steps == 20 { bench.store.clockStepped(bench.clock.read()) }
      #expect(try bench.list().alarms.count == 1)
    }
    #expect(outcome.imported?.count == Int64(ManyAlarms.count))
    #expect(try bench.list().alarms.count == ManyAlarms.count + 1)
    #expect(try bench.rows() == ManyAlarms.count + 1)
  }

  @Test("Where other alarms have numbers among theirs, nobody sees a part of them either")
  func among() throws {
    let (bench, change) = try ManyAlarms.bench(firstNumber: 1)
    var most = 0
    let outcome = try bench.make(change) { () throws in
      most = max(most, try bench.rows())
      #expect(try bench.list().alarms.map(\.label) == ["model"])
    }
    #expect(most > 100)
    #expect(outcome.imported?.count == Int64(ManyAlarms.count))
    let alarms = try bench.list().alarms
    #expect(alarms.map(\.label) == ["model"] + (0..<ManyAlarms.count).map { "egg \($0)" })
    #expect(Set(alarms.map(\.number)).count == ManyAlarms.count + 1)
    #expect(try bench.rowsLeftHidden() == 0)
  }
}
