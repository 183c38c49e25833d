import Alarms
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Testing

@testable import EggStore

@Suite("The history of deleted alarms")
struct DeletedHistoryTests {
  private func past(_ bench: StoreBench, of which: AlarmReference? = nil) throws -> [HistoryPage.Past] {
    try bench.wait { bench.store.ask({ try $0.history(of: which, before: nil, limit: 100) }, completion: $0) }
      .get().past
  }

  private func places(_ bench: StoreBench) throws -> [Int64] {
    try bench.stranger().read { try Int64.fetchAll($0, sql: "SELECT place FROM history ORDER BY place") }
  }

  @Test("What rang of a deleted alarm stays, and says that the alarm was deleted")
  func deleted() throws {
    let bench = try StoreBench.withFive()
    let before = try past(bench)
    #expect(before.allSatisfy { $0.deletedAt == nil })
    let id = try #require(bench.alarm(4)?.id)
    try bench.submit(DeleteChange(Selection(numbers: [2, 4])))
    let after = try past(bench)
    #expect(after.map(\.number) == before.map(\.number))
    #expect(after.map(\.occurrence.id) == before.map(\.occurrence.id))
    #expect(after.map { $0.deletedAt != nil } == [false, true, false])
    #expect(try past(bench, of: .number(4)).map(\.occurrence.id) == [11])
    #expect(try past(bench, of: .id(id)).map(\.number) == [4])
    // It never rang.
    #expect(throws: ChangeError.noSuchAlarm(numbers: [2], ids: [])) { try past(bench, of: .number(2)) }
  }

  @Test("Pages go through both kinds in one order")
  func pages() throws {
    let bench = try StoreBench.withFive()
    try bench.submit(DeleteChange(Selection(numbers: [4])))
    var before: Int64?
    var ids: [Int64] = []
    repeat {
      let page = try bench.wait {
        bench.store.ask({ [before] in try $0.history(of: nil, before: before, limit: 1) }, completion: $0)
      }
      .get()
      ids += page.past.map(\.occurrence.id)
      before = page.before
    } while before != nil
    #expect(ids == [12, 11, 10])
  }

  @Test("A row that another program deletes leaves its history too")
  func foreign() throws {
    let bench = try StoreBench.withFive()
    try bench.stranger().write { try $0.execute(sql: "DELETE FROM alarm WHERE number = 1") }
    #expect(try past(bench, of: .number(1)).map { $0.deletedAt != nil } == [true])
  }

  @Test("Undo of a deletion brings the occurrences back, once")
  func undone() throws {
    let bench = try StoreBench.withFive()
    let before = try past(bench)
    try bench.submit(DeleteChange(Selection(numbers: [1, 4, 5])))
    #expect(try places(bench).count == 3)
    try bench.submit(UndoChange(expected: nil))
    #expect(try places(bench).isEmpty)
    #expect(try past(bench).map(\.occurrence) == before.map(\.occurrence))
  }

  @Test("At most 10 000 occurrences are kept, the latest deleted")
  func bounded() throws {
    let bench = try StoreBench()
    try bench.stranger().write { database in
      try database.execute(
        sql: """
          INSERT INTO history (place, id, alarm, alarmID, deletedAt, dueAt, outcome)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
          SELECT i, i, 1, 'x', 1795210470000000, i, 'rung' FROM n
          """)
    }
    for label in ["one", "two"] {
      let alarm = try bench.schedule(label)
      bench.clock.advance(.seconds(60))
      try bench.fire(alarm)
      try bench.submit(DeleteChange(Selection(numbers: [alarm.number])))
    }
    let places = try places(bench)
    #expect((places.count, places.first, places.last) == (10_000, 3, 10_002))
  }

  @Test("Of many alarms deleted at once the latest 10 000 occurrences stay, and undo brings all back")
  func many() throws {
    let bench = try StoreBench()
    try bench.stranger().write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
          INSERT INTO alarm (number, id, label, position, kind, instant, expression, readingZone, state, createdAt)
          SELECT i, printf('00000000-0000-4000-8000-%012d', i), 'egg ' || i, i, 'at', i, '@1', 'UTC', 'over', 1 FROM n;
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
          INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, dismissedAt)
          SELECT i, 1 + i % 300, i, iif(i % 3, 'rung', 'skipped'), i, i FROM n;
          INSERT INTO occurrence (id, alarm, dueAt, outcome) SELECT 12000 + id, alarm, dueAt, 'missed' FROM occurrence
          WHERE id <= 4000
          """)
    }
    func rows(_ sql: String) throws -> [Int64] {
      try bench.stranger().read { try Int64.fetchAll($0, sql: sql) }
    }
    let rang = try rows("SELECT id FROM occurrence WHERE outcome <> 'skipped' ORDER BY id")
    let whole = try rows("SELECT count(*) FROM occurrence")
    #expect(rang.count == 12_000)
    try bench.submit(DeleteChange(Selection(all: true)))
    #expect(try rows("SELECT id FROM history ORDER BY place") == Array(rang.suffix(10_000)))
    #expect(try rows("SELECT DISTINCT deletedAt FROM history") == [bench.now.microseconds])
    #expect(try eventually { try rows("SELECT count(*) FROM occurrence") == [0] ? true : nil } == true)
    #expect(try past(bench, of: .number(42)).allSatisfy { $0.label == "egg 42" && $0.deletedAt != nil })
    try bench.submit(UndoChange(expected: nil))
    #expect(try rows("SELECT count(*) FROM history") == [0])
    #expect(try rows("SELECT count(*) FROM occurrence") == whole)
  }

  @Test("What is older than a year is not shown, and goes with the next change")
  func old() throws {
    let bench = try StoreBench.withFive()
    try bench.submit(DeleteChange(Selection(numbers: [1, 4])))
    let year = TimeSpan.seconds(366 * 86_400)
    try bench.stranger().write { [old = (bench.now - year - .seconds(1)).microseconds] in
      try $0.execute(sql: "UPDATE history SET deletedAt = ? WHERE alarm = 1", arguments: [old])
    }
    #expect(try past(bench).map(\.number) == [5, 4])
    #expect(try places(bench) == [1, 2])
    try bench.schedule()
    #expect(try places(bench) == [2])
  }

  @Test("Pruning forgets deleted alarms: of one, of those deleted before a moment, or all")
  func pruned() throws {
    let bench = try StoreBench.withFive()
    try bench.submit(DeleteChange(Selection(numbers: [1, 4, 5])))
    try bench.stranger().write { [now = bench.now.microseconds] in
      try $0.execute(sql: "UPDATE history SET deletedAt = ? + alarm", arguments: [now])
    }
    let sequence = try bench.list().sequence
    #expect(try bench.submit(PruneHistoryChange(number: 4)).changed == 1)
    #expect(try past(bench).map(\.number) == [5, 1])
    let between = bench.now + TimeSpan(microseconds: 5)
    #expect(try bench.submit(PruneHistoryChange(deletedBefore: between)).changed == 1)
    #expect(try past(bench).map(\.number) == [5])
    #expect(try bench.submit(PruneHistoryChange()).changed == 1)
    #expect(try past(bench).isEmpty)
    #expect(try bench.list().sequence == sequence)
  }
}

@Suite("What clients changed")
struct MadeChangeTests {
  /// A store that tells what was made.
  private func bench() throws -> (StoreBench, Kept<MadeChange>) {
    let bench = try StoreBench(startsNow: false)
    let made = Kept<MadeChange>()
    bench.store.start(
      observer: bench.observer, changes: { _ in }, made: { for one in $0 { made.append(one) } })
    bench.queue.sync {}
    return (bench, made)
  }

  @Test("Each change is told after its commit, with the alarms as they are, deleted ones as they were")
  func told() throws {
    let (bench, made) = try bench()
    let alarm = try bench.schedule("pills")
    var edit = AlarmEdit()
    edit.label = .some("other pills")
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    try bench.submit(DeleteChange(Selection(numbers: [1])))
    #expect(made.all.map(\.kind) == [.schedule, .edit, .delete])
    #expect(made.all.map { $0.alarms?.map(\.label) } == [["pills"], ["other pills"], ["other pills"]])
    #expect(made.all.map(\.deletes) == [false, false, true])
    #expect(made.all.first?.alarms == [alarm])
    #expect(made.all.allSatisfy { $0.count == 1 && $0.numbers == [1] })
  }

  @Test("What changes nothing is not told")
  func nothing() throws {
    let (bench, made) = try bench()
    try bench.schedule(key: "k", request: "r")
    try bench.schedule(key: "k", request: "r")
    try bench.submit(MarkDoneChange(Selection(numbers: [1]), true))
    try bench.submit(MarkDoneChange(Selection(numbers: [1]), true))
    _ = bench.submitted(DeleteChange(Selection(numbers: [7])))
    try bench.submit(PruneHistoryChange())
    #expect(made.all.map(\.kind) == [.schedule, .done])
  }

  @Test("More than five alarms are told as a count, with their numbers, but each deleted one by itself")
  func many() throws {
    let (bench, made) = try bench()
    for _ in 1...6 { try bench.schedule() }
    try bench.submit(DeleteChange(Selection(all: true)))
    try bench.submit(UndoChange(expected: nil))
    let (deleted, undone) = (made.all[6], made.all[7])
    #expect(deleted.alarms?.count == 6)
    #expect(undone.alarms == nil)
    #expect((deleted.count, deleted.numbers) == (6, [1, 2, 3, 4, 5, 6]))
    #expect((undone.kind, undone.undone?.kind, undone.numbers) == (nil, .delete, [1, 2, 3, 4, 5, 6]))
  }

  @Test("A move tells the moved alarm alone, not those that made room")
  func moved() throws {
    let (bench, made) = try bench()
    for _ in 1...3 { try bench.schedule() }
    try bench.submit(MoveChange(Selection(numbers: [3]), .top))
    #expect(made.all.last?.numbers == [3])
  }

  @Test("A group's change names the group")
  func groups() throws {
    let (bench, made) = try bench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday")))
    try bench.schedule()
    var edit = AlarmEdit()
    edit.group = .some("Sunday")
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    try bench.submit(DeleteGroupChange(name: "Sunday", withAlarms: true))
    #expect(made.all.map(\.group) == ["Sunday", nil, nil, nil, "Sunday"])
    #expect((made.all.last?.deletes, made.all.last?.numbers) == (true, [1]))
  }
}

@Suite("What the head knows of groups")
struct GroupOnCardTests {
  @Test("A waiting alarm's ring names its category and its group, by the group's present name")
  func renamed() throws {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday")))
    try bench.schedule()
    var edit = AlarmEdit()
    edit.group = .some("Sunday")
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    #expect(bench.observer.moments.last?.waiting.first?.card.group == "Sunday")
    #expect(bench.observer.moments.last?.waiting.first?.card.category == .soft)
    var renamed = GroupEdit()
    renamed.name = "brunch"
    try bench.submit(EditGroupChange(name: "Sunday", renamed))
    #expect(bench.observer.moments.last?.waiting.first?.card.group == "brunch")
  }
}
