import Alarms
import EggTestSupport
import EggTime
import GRDB
import GRDBSQLite
import Testing

@testable import EggStore

@Suite("Applying imports")
struct ImportingTests {
  private func stage(
    _ bench: StoreBench, _ alarms: [Alarm], groups: [Group] = [], into id: ImportID? = nil, first: Int64 = 1
  ) throws -> ImportID {
    let id = id ?? bench.store.beginImport()
    let items = try alarms.map { alarm in
      (alarm: alarm, occurrences: bench.alarm(alarm.number) == nil ? [] : try bench.occurrences(alarm.number))
    }
    try bench.submit(ImportAlarmsChange(id, groups: groups, alarms: items, first: first))
    return id
  }

  @Test("A list that is deleted and imported is the same list")
  func same() throws {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday", color: .cyan)))
    var new = bench.new("one")
    new.group = "Sunday"
    try bench.submit(ScheduleChange(new))
    try bench.count(down: .seconds(500), label: "two")
    try bench.every("*:0/10", count: 7)
    let rung = try bench.schedule("four", after: .seconds(1))
    bench.clock.advance(.seconds(1))
    try bench.fire(rung)
    try bench.every("2w Mon,Thu 07:30:00 from 2026-11-23", from: bench.now + .seconds(900_000))
    try bench.submit(PauseChange(Selection(numbers: [2])))
    try bench.submit(MoveChange(Selection(numbers: [3]), .before(2)))
    try bench.submit(MarkDoneChange(Selection(numbers: [4]), true))
    let before = try bench.list().alarms
    let past = try bench.occurrences(4)
    let id = try stage(bench, before, groups: [Group(name: "Sunday", color: .cyan)])
    #expect(try bench.list().alarms == before)
    try bench.submit(DeleteChange(Selection(all: true)))
    try bench.submit(DeleteGroupChange(name: "Sunday", withAlarms: false))
    let outcome = try bench.submit(CommitImportChange(id))
    #expect(outcome.imported == Imported(count: 5, existed: 0, missed: 0))
    #expect(try bench.list().alarms == before)
    #expect(try bench.occurrences(4) == past)
    #expect(try bench.groups().map(\.group) == [Group(name: "Sunday", color: .cyan)])
    // One change: one undo reverts it, with the group that it created.
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == 5)
    #expect(try bench.list().alarms == [])
    #expect(try bench.groups() == [])
  }

  @Test("Of two alarms with one key, the first gets it")
  func keys() throws {
    let bench = try StoreBench()
    var alarms = [try bench.schedule("one"), try bench.schedule("two")]
    try bench.submit(DeleteChange(Selection(all: true)))
    for index in alarms.indices { alarms[index].key = "tea" }
    let id = try stage(bench, alarms)
    #expect(try bench.submit(CommitImportChange(id)).imported?.count == 2)
    #expect(try bench.list().alarms.map(\.key) == ["tea", nil])
  }

  @Test("Numbers, identities and keys are told apart across the parts in which many alarms become rows")
  func many() throws {
    let bench = try StoreBench()
    let model = try bench.schedule("model")
    try bench.submit(DeleteChange(Selection(all: true)))
    var alarms = (1...5_000).map { number in
      var alarm = model
      (alarm.number, alarm.id, alarm.label) = (Int64(number), AlarmID(), "egg \(number)")
      alarm.position = Int64(number) << 20
      return alarm
    }
    alarms[4_999].number = 1
    alarms[4_998].id = alarms[0].id
    (alarms[1].key, alarms[4_997].key) = ("tea", "tea")
    alarms[4_996].number = 0
    var first: Int64 = 1
    var id: ImportID?
    for start in stride(from: 0, to: alarms.count, by: 1_000) {
      id = try stage(bench, Array(alarms[start..<(start + 1_000)]), into: id, first: first)
      first += 1_000
    }
    let outcome = try bench.submit(CommitImportChange(try #require(id)))
    #expect(outcome.imported == Imported(count: 4_999, existed: 1, missed: 0))
    func rows() throws -> [String] {
      try bench.stranger().read {
        try String.fetchAll(
          $0, sql: "SELECT number || ' ' || label || coalesce(key, '') FROM alarm ORDER BY position")
      }
    }
    // The two that had no number of their own follow the greatest one, in their order.
    let expected =
      ["1 egg 1", "2 egg 2tea"] + (3...4_996).map { "\($0) egg \($0)" }
      + ["5000 egg 4997", "4998 egg 4998", "5001 egg 5000"]
    let present = try rows()
    #expect(present.count == expected.count)
    #expect(Array(zip(present, expected).filter { $0 != $1 }.map(\.0).prefix(5)) == [])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == 4_999)
    #expect(try bench.list().alarms.isEmpty)
    #expect(try bench.submit(UndoChange(expected: nil, redoes: true)).undone?.count == 4_999)
    #expect((try rows() == present) as Bool)
  }

  @Test("Existing alarms stay, taken numbers are replaced, and imported alarms go to the end")
  func besideOthers() throws {
    let bench = try StoreBench()
    try bench.schedule("one")
    try bench.schedule("two")
    var same = try #require(bench.alarm(1))
    (same.label, same.group) = ("changed", "unused")
    var other = same
    (other.id, other.label, other.group) = (AlarmID(), "other", "tea")
    var third = other
    (third.id, third.number, third.label) = (AlarmID(), 0, "third")
    var far = other
    (far.id, far.number, far.label) = (AlarmID(), 9, "far")
    let id = bench.store.beginImport()
    for (index, alarm) in [same, other, third, far].enumerated() {
      try bench.submit(ImportAlarmsChange(id, alarms: [(alarm, [])], first: Int64(index + 1)))
    }
    #expect(try bench.submit(CommitImportChange(id)).imported == Imported(count: 3, existed: 1, missed: 0))
    let list = try bench.list().alarms
    #expect(list.map(\.label) == ["one", "two", "other", "third", "far"])
    #expect(list.map(\.number) == [1, 2, 10, 11, 9])
    #expect(list.map(\.group) == [nil, nil, "tea", "tea", "tea"])
    #expect(try bench.groups().map(\.group.name) == ["tea"])
    #expect(try bench.schedule().number == 12)
  }

  @Test("An import rings nothing: past moments are missed")
  func past() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule(after: .seconds(60))
    let id = try stage(bench, [alarm])
    try bench.submit(DeleteChange(Selection(numbers: [1])))
    bench.clock.advance(.seconds(61))
    #expect(try bench.submit(CommitImportChange(id)).imported == Imported(count: 1, existed: 0, missed: 1))
    #expect(bench.alarm(1)?.phase == .missed)
  }

  @Test("A floating alarm adopts this machine's zone, by its present data")
  func floating() throws {
    let bench = try StoreBench()
    var new = bench.new()
    let civil = try #require(CivilDateTime("2030-07-01 07:30:00"))
    new.timing = .civil(civil, zone: "Asia/Tokyo", floats: true)
    let alarm = try #require(try bench.submit(ScheduleChange(new)).alarms.first)
    var foreign = alarm
    foreign.id = AlarmID()
    foreign.timing = .civil(civil, zone: "Asia/Tokyo", floats: true)
    foreign.due = .wall(try Zone.named("Asia/Tokyo").resolve(civil).instant)
    let id = bench.store.beginImport()
    try bench.submit(ImportAlarmsChange(id, alarms: [(foreign, [])]))
    try bench.submit(CommitImportChange(id))
    #expect(bench.alarm(2)?.due == alarm.due)
    #expect(bench.alarm(2)?.timing == alarm.timing)
  }

  @Test(
    "Later changes delete staged alarms that were not committed, except those of their own connection"
  )
  func abandoned() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    let id = try stage(bench, [alarm])
    try bench.schedule()
    func left() throws -> Int64? {
      try bench.stranger().read {
        try Int64.fetchOne($0, sql: "SELECT count(*) FROM alarm_image WHERE holder < 0")
      }
    }
    #expect(try left() == 1)
    bench.store.endImport(id)
    try bench.schedule()
    #expect(try left() == 0)
  }

  @Test("Staged alarms of others cost a change nothing, however many, and released ones are found")
  func others() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    let ids = try (1...3).map { _ in
      let id = try stage(bench, [alarm])
      bench.clock.advance(.seconds(1))
      return id
    }
    let stranger = try bench.stranger()
    func sweep(_ imports: [ImportID]) throws -> Int {
      try stranger.writeWithoutTransaction { database in
        let steps = Steps()
        sqlite3_progress_handler(
          database.sqliteConnection, 10,
          { steps in
            steps.map { Unmanaged<Steps>.fromOpaque($0).takeUnretainedValue().count += 10 }
            return 0
          }, Unmanaged.passUnretained(steps).toOpaque())
        defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
        _ = try Images.sweep(database, imports: Set(imports.map(\.holder)), atMost: 500)
        return steps.count
      }
    }
    _ = try sweep(ids)
    let few = try sweep(ids)
    try stranger.write { database in
      let columns = AlarmColumn.list()
      for id in ids {
        try database.execute(
          sql: """
            WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO alarm_image (holder, side, place, \(columns))
            SELECT holder, side, i, \(columns) FROM n, alarm_image WHERE holder = ? AND place = 1
            """, arguments: [id.holder])
      }
    }
    #expect(try sweep(ids) <= few + 10)
    func left() throws -> [Int64] {
      try stranger.read {
        try Int64.fetchAll($0, sql: "SELECT count(*) FROM alarm_image WHERE holder < 0 GROUP BY holder")
      }
    }
    #expect(try left() == [2_000, 2_000, 2_000])
    // Newer holders come first.
    _ = try sweep([ids[0], ids[2]])
    #expect(try left() == [2_000, 1_500, 2_000])
    for _ in 1...4 { _ = try sweep([ids[2]]) }
    #expect(try left() == [2_000, 1_500])
    for _ in 1...7 { _ = try sweep([]) }
    #expect(try left() == [])
  }

  private final class Steps { var count = 0 }

  @Test("A large import is one commit, after which the list is read again")
  func large() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    let id = bench.store.beginImport()
    let many = (0..<3_000).map { _ in
      var copy = alarm
      (copy.id, copy.number) = (AlarmID(), 0)
      return (alarm: copy, occurrences: [Occurrence]())
    }
    try bench.submit(ImportAlarmsChange(id, alarms: many))
    bench.changes.clear()
    let sequence = bench.store.sequence
    #expect(try bench.submit(CommitImportChange(id)).sequence == sequence + 1)
    #expect(bench.changes.all.map { $0.alarms == nil } == [true])
    #expect(try bench.list(ListQuery(limit: 1)).totals?.alarms == 3_001)
  }
}
