import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Testing

@testable import EggStore

@Suite("Files of earlier versions")
struct SchemaTests {
  private static func fixture(_ version: Int) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/schedule-v\(version).db").standardizedFileURL
  }

  @Test("A file of version 1 opens unchanged")
  func version1() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(1), to: URL(fileURLWithPath: path))
    }
    let created = Instant(microseconds: 1_795_210_470_000_000)
    func id(_ digit: Int) throws -> AlarmID {
      try #require(AlarmID("00000000-0000-4000-8000-00000000000\(digit)"))
    }
    let page = try bench.list()
    #expect(
      page.alarms == [
        Alarm(
          number: 3, id: try id(3), label: "two soft ones", category: .soft, eggs: 2, position: 3 << 20,
          timing: .countdown(.seconds(390)), expression: "6m30s", readingZone: "Europe/Berlin",
          key: "breakfast", createdAt: created, due: .wall(created + .seconds(390))),
        Alarm(
          number: 5, id: try id(5), position: 5 << 20, summary: "Up!", body: "Now.", icon: "clock",
          timing: .countdown(.seconds(5)), expression: "5s", forcedKind: .in, readingZone: "UTC",
          state: .over,
          createdAt: created, modifiedAt: created + .seconds(1),
          latest: Occurrence(
            id: 1_795_210_475_000_100, dueAt: created + .seconds(5), outcome: .rung,
            firedAt: Instant(microseconds: 1_795_210_475_000_100),
            journaledAt: Instant(microseconds: 1_795_210_475_000_200),
            shownAt: Instant(microseconds: 1_795_210_475_000_300), lateness: TimeSpan(microseconds: 100),
            lateReason: .busy, bubble: 17, bubbleServer: ":1.42")),
        Alarm(
          number: 7, id: try id(7), position: 7 << 20,
          timing: .civil(
            CivilDateTime(year: 2026, month: 12, day: 24, hour: 18, microsecond: 250_000), zone: "Asia/Tokyo",
            floats: true), expression: "2026-12-24 18:00", readingZone: "Asia/Tokyo", createdAt: created,
          due: .wall(Instant(microseconds: 1_798_102_800_250_000))),
      ])
    #expect(page.sequence == 41)
    #expect(try bench.schedule().number == 10)
    #expect(try bench.submit(ScheduleChange(bench.new(key: "breakfast", request: "request"))).existed)
  }

  @Test("A file of version 3 opens unchanged, and new features work with it")
  func version3() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(3), to: URL(fileURLWithPath: path))
    }
    let created = Instant(microseconds: 1_795_210_470_000_000)
    let alarms = try bench.list().alarms
    #expect(alarms.map(\.number) == [4, 2, 3, 5, 6])
    #expect(alarms.map(\.phase) == [.scheduled, .scheduled, .paused, .snoozed, .missed])
    #expect(alarms.map(\.label) == ["up", "two", nil, nil, nil])
    #expect(alarms[0].timing.kind == .every)
    #expect(alarms[0].count == 9)
    #expect(alarms[0].ifMissed == .ringWithin(.seconds(600)))
    #expect(alarms[1].due == .wall(created + .seconds(390)))
    #expect(alarms[2].remaining == .seconds(590))
    #expect(alarms[3].latest?.due == .wall(Instant(microseconds: 1_795_210_775_000_000)))
    #expect(alarms[4].doneAt == created + .seconds(30))
    #expect(try bench.list().sequence == 99)
    try bench.submit(CreateGroupChange(Group(name: "Sunday")))
    try bench.submit(MoveChange(Selection(numbers: [6]), .top))
    try bench.submit(DeleteChange(Selection(all: true)))
    for _ in 1...3 { try bench.submit(UndoChange(expected: nil)) }
    #expect(try bench.list().alarms == alarms)
    #expect(try bench.schedule().number == 9)
  }

  @Test("A file of version 4 opens unchanged, and its changes can be undone")
  func version4() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(4), to: URL(fileURLWithPath: path))
    }
    let alarms = try bench.list().alarms
    #expect(alarms.map(\.number) == [4, 2, 3, 5, 6, 7])
    #expect(alarms.map(\.phase) == [.scheduled, .scheduled, .paused, .snoozed, .missed, .scheduled])
    #expect(alarms.map(\.group) == [nil, "Sunday", nil, nil, nil, nil])
    #expect(alarms.allSatisfy { $0.from == nil })
    #expect((alarms[0].timing.kind, alarms[0].count) == (.every, 9))
    #expect((alarms[5].label, alarms[5].anniversary) == ("Ada", CivilDate("2020-05-01")))
    #expect(try bench.list().sequence == 123)
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(7)?.label == "Eda")
    #expect(bench.alarm(7)?.due == alarms[5].due)
    try bench.every("3d 08:00:00 from 2026-11-25", from: bench.now)
    try bench.submit(DeleteChange(Selection(all: true)))
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.list().alarms.map(\.number) == [4, 2, 3, 5, 6, 7, 9])
    #expect(bench.alarm(9)?.from == bench.now)
  }

  @Test("A file of version 5 opens unchanged, and its alarms take a sound")
  func version5() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(5), to: URL(fileURLWithPath: path))
    }
    let alarms = try bench.list().alarms
    #expect(alarms.map(\.number) == [4, 2, 3, 5, 6, 7, 8])
    #expect(alarms.allSatisfy { $0.sound == nil })
    #expect(bench.alarm(8)?.from == Instant(microseconds: 1_795_478_400_000_000))
    var edit = AlarmEdit()
    edit.sound = .some(.named("bell"))
    try bench.submit(EditChange(Selection(numbers: [8]), edit))
    try bench.submit(DeleteChange(Selection(all: true)))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(8)?.sound == .named("bell"))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(8)?.sound == nil)
  }

  @Test("A file of version 6 opens unchanged, and its alarms take a command")
  func version6() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(6), to: URL(fileURLWithPath: path))
    }
    #expect(try bench.list().alarms.map(\.number) == [4, 2, 3, 5, 6, 7, 8, 9])
    let alarm = try #require(bench.alarm(9))
    #expect((alarm.sound, alarm.note, alarm.insist) == (.named("bell"), "lid on", .seconds(60)))
    #expect(alarm.run == nil)
    #expect(bench.alarm(6)?.latest?.hooks == [])
    let past = try bench.wait { bench.store.history(of: .number(10), before: nil, limit: 9, completion: $0) }
      .get()
    #expect(past.past.map(\.label) == ["gone"])
    var edit = AlarmEdit()
    edit.run = .some(AlarmCommand("/bin/true"))
    try bench.submit(EditChange(Selection(numbers: [9]), edit))
    #expect(bench.alarm(9)?.run == AlarmCommand("/bin/true"))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(9) == alarm)
  }

  @Test("A file of version 7 opens unchanged, and takes rules")
  func version7() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(7), to: URL(fileURLWithPath: path))
    }
    #expect(try bench.list().alarms.map(\.number) == [4, 2, 3, 5, 6, 7, 8, 9, 11])
    #expect(bench.alarm(11)?.run == AlarmCommand("/bin/true"))
    let before = try #require(bench.alarm(8))
    let set = try #require(RecurrenceSet("DTSTART:20261125T080000 RRULE:FREQ=MONTHLY;BYSETPOS=2;BYDAY=MO,TU"))
    var edit = AlarmEdit()
    edit.timing = AlarmEdit.NewTiming(
      timing: .every(.rule(set), zone: "UTC", floats: false), expression: "\(set)", forcedKind: nil,
      readingZone: "UTC", due: .wall(try #require(set.next(after: bench.now, in: .utc))))
    try bench.submit(EditChange(Selection(numbers: [8]), edit))
    #expect(bench.alarm(8)?.timing == .every(.rule(set), zone: "UTC", floats: false))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(8)?.expression == before.expression)
    #expect(bench.alarm(8)?.due == before.due)
  }

  @Test("A file of version 8 opens unchanged")
  func version8() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(8), to: URL(fileURLWithPath: path))
    }
    #expect(try bench.list().alarms.filter(\.wake).map(\.number) == [9])
    #expect(bench.alarm(11)?.run == AlarmCommand("/bin/true"))
  }

  @Test("A file of version 9 opens unchanged")
  func version9() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(9), to: URL(fileURLWithPath: path))
    }
    #expect(bench.alarm(12)?.timing.kind == .every)
    #expect(bench.alarm(12)?.due == .wall(Instant(microseconds: 1_796_023_800_000_000)))
  }

  @Test("A file of version 10 opens unchanged, and what is over is found")
  func version10() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(10), to: URL(fileURLWithPath: path))
    }
    #expect(try bench.filtered { $0.phases = [.rung] }.numbers == [13])
    #expect(try bench.filtered { $0.phases = [.paused] }.numbers == [3])
    let marked = try bench.stranger().read { try String.fetchAll($0, sql: "SELECT mark FROM synced") }
    #expect(marked == ["seven"])
  }

  @Test("What rang of the alarms of an earlier version outlasts them")
  func historyOfEarlier() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(5), to: URL(fileURLWithPath: path))
    }
    try bench.submit(DeleteChange(Selection(all: true)))
    let past = try bench.wait { bench.store.history(of: nil, before: nil, limit: 9, completion: $0) }.get()
    #expect(past.past.map(\.number) == [6, 5])
    #expect(past.past.allSatisfy { $0.deletedAt != nil })
  }

  @Test("A file of version 2 opens unchanged")
  func version2() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(2), to: URL(fileURLWithPath: path))
    }
    let created = Instant(microseconds: 1_795_210_470_000_000)
    let alarms = try bench.list().alarms
    #expect(alarms.map(\.number) == [4, 2, 3, 5, 6])
    #expect(alarms.map(\.phase) == [.scheduled, .scheduled, .scheduled, .snoozed, .rung])
    #expect(alarms[0].summary == "Up!")
    #expect(alarms[1].due == .wall(created + .seconds(390)))
    #expect(
      alarms[2].timing
        == .civil(
          CivilDateTime(year: 2026, month: 12, day: 24, hour: 18), zone: "Europe/Berlin", floats: false))
    #expect(alarms[3].latest?.due == .wall(Instant(microseconds: 1_795_210_775_000_000)))
    #expect(alarms[4].latest?.bubbleServer == ":1.42")
    #expect(try bench.list().sequence == 77)
    #expect(try bench.schedule().number == 9)
  }

  @Test("What a kill during a copy left is neither an obstacle nor a copy")
  func unfinishedCopy() throws {
    let copy = AlarmStore.stamp(FakeClock().read().wall)
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(3), to: URL(fileURLWithPath: path))
      for name in [".copying", ".copying-journal", ".v3-\(copy)"] {
        try Data("half of a copy".utf8).write(to: URL(fileURLWithPath: path + name))
      }
    }
    #expect(try bench.list().alarms.count == 5)
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.root.appending(path: "eggd").path)
    #expect(!names.contains { $0.contains(".copying") })
    let queue = try DatabaseQueue(path: bench.path + ".v3-\(copy)")
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm") } == 5)
    #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 3)
  }

  @Test("All tables and columns are known")
  func columns() throws {
    let bench = try StoreBench()
    let made = try bench.stranger().read { database in
      try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
      )
      .map { table in (table, try database.columns(in: table).map(\.name)) }
    }
    let known = Schema.tables.map { table, columns in
      (table, columns.split { ", \n\"".contains($0) }.map(String.init))
    }
    #expect(Dictionary(uniqueKeysWithValues: known) == Dictionary(uniqueKeysWithValues: made))
  }

  @Test(
    "A new file has the same tables as a migrated old one", arguments: [1, 2, 3, 4, 5, 6, 7, 10])
  func sameTables(version: Int) throws {
    let old = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture(version), to: URL(fileURLWithPath: path))
    }
    let new = try StoreBench()
    let tables = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
    let expected = try new.stranger().read { try String.fetchAll($0, sql: tables) }
    #expect(try old.stranger().read { try String.fetchAll($0, sql: tables) } == expected)
  }
}
