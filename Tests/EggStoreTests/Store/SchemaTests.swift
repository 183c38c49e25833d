import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Testing

@testable import EggStore

@Suite("Files of earlier versions")
struct SchemaTests {
  @Test(
    "An alarm, its history, order and group are as that version left them", arguments: FrozenFile.allVersions)
  func takenOver(file: FrozenFile) throws {
    let (bench, expected) = (try file.bench(), try file.expected())
    bench.settleBoots()
    #expect(try bench.list(ListQuery(limit: 1_000)).alarms.map(\.number) == expected.order)
    #expect(try bench.groups().map(\.group.name) == expected.groups)
    #expect(try bench.list().sequence >= expected.sequence)
    let rows = try bench.alarmRows()
    #expect(rows.map(\.number) == expected.alarms.map(\.number))
    for (row, expected) in zip(rows, expected.alarms) { #expect(row == expected) }
    try bench.stranger().read { database in
      let history = try FrozenFile.HistoryRow.fetchAll(
        database, sql: "SELECT alarm, id, outcome FROM history ORDER BY place")
      #expect(history == expected.history)
      #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
      let strays = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM occurrence WHERE alarm NOT IN (SELECT number FROM alarm)")
      #expect(strays == 0)
      for table in ["alarm_image", "occurrence_image", "alarm_group_image"] {
        let holders = try Int.fetchOne(
          database, sql: "SELECT count(*) FROM \(table) WHERE holder NOT IN (SELECT holder FROM undo)")
        #expect(holders == 0, "\(table) has images of no change")
      }
    }
    // No number is ever given again, those that a killed import had taken neither.
    #expect(try bench.schedule().number == expected.next)
  }

  @Test("Changes of that version are undone and redone", arguments: FrozenFile.allVersions)
  func undone(file: FrozenFile) throws {
    let expected = try file.expected()
    for (kinds, after, redoes) in [
      (expected.undo, expected.afterUndo, false), (expected.redo, expected.afterRedo, true),
    ] {
      let bench = try file.bench()
      bench.settleBoots()
      var found: [String] = []
      while let step = try? bench.submit(UndoChange(expected: nil, redoes: redoes)).undone {
        found.append(step.kind.rawValue)
        guard found.count == 1 else { continue }
        let alarms = try bench.list(ListQuery(limit: 1_000)).alarms.sorted { $0.number < $1.number }
        #expect(alarms.map(\.number) == after)
        if !redoes { #expect(alarms.map(\.phase.rawValue) == expected.afterUndoPhases) }
      }
      #expect(found == kinds)
    }
  }

  @Test(
    "The new file has the tables of one that was made by this eggd, on the same pages",
    arguments: FrozenFile.all)
  func sameTables(file: FrozenFile) throws {
    let (old, new) = (try file.bench(), try StoreBench())
    #expect(try old.tables() == new.tables())
    let pragmas = ["application_id", "user_version", "auto_vacuum", "page_size", "journal_mode"]
    for pragma in pragmas {
      let values = try [old, new].map { bench in
        try bench.stranger().read { try String.fetchOne($0, sql: "PRAGMA \(pragma)") }
      }
      #expect(values[0] == values[1], "\(pragma)")
    }
  }

  @Test("The old file is set aside whole and private, and the journal names it", arguments: FrozenFile.all)
  func setAside(file: FrozenFile) throws {
    let bench = try file.bench { #expect(chmod($0, 0o644) == 0) }
    for name in try bench.names() where name.hasPrefix("schedule.db") {
      let attributes = try FileManager.default.attributesOfItem(atPath: bench.directory + "/" + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    let kept = try bench.kept()
    #expect(try Data(contentsOf: kept) == Data(contentsOf: file.url))
    #expect(bench.events.all.first == .migrated(from: 11, to: Schema().version, copy: kept.path))
    #expect(try bench.names().allSatisfy { !$0.contains(".next") && !$0.contains(".writing") })
  }

  @Test("A file of version 13 is changed in place after a copy was made, and the journal names that")
  func copied() throws {
    let file = try #require(FrozenFile.allVersions.last { $0.version == 13 })
    let bench = try file.bench()
    let copy = try bench.kept(ofVersion: 13)
    #expect(bench.events.all.first == .migrated(from: 13, to: Schema().version, copy: copy.path))
    let numbers = try DatabaseQueue(path: copy.path).read {
      try Int64.fetchAll($0, sql: "SELECT number FROM alarm ORDER BY number")
    }
    #expect(try numbers == file.expected().alarms.map(\.number))
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
}
