import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Glibc
import Testing

@testable import EggStore

@Suite("Upgrades: kills, refusals, later versions")
struct UpgradeTests {
  private static let file = FrozenFile(name: "deleting-range")

  /// The file as a kill leaves it: its last change, of the label of alarm 1, is in the log alone.
  private static func killed(_ path: String) throws {
    let source = try DatabaseQueue(path: path)
    try source.writeWithoutTransaction { database in
      try database.execute(
        sql: "PRAGMA wal_autocheckpoint = 0; UPDATE alarm SET label = 'in the log' WHERE number = 1")
    }
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + end, toPath: path + ".kept" + end)
    }
    try source.close()
    for end in ["-wal", "-shm"] { unlink(path + end) }
    for end in ["", "-wal"] { #expect(rename(path + ".kept" + end, path + end) == 0) }
  }

  /// What an upgrade of that file makes.
  private static func successor() throws -> Data {
    let bench = try file.bench(startsNow: false) { try killed($0) }
    bench.close()
    try bench.stranger().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    return try Data(contentsOf: URL(fileURLWithPath: bench.path))
  }

  enum Kill: CaseIterable {
    case amidWriting, written, named, amidSettingAside, setAside, inPlace
  }

  @Test("A kill at any point of the upgrade loses nothing", arguments: Kill.allCases)
  func killed(at kill: Kill) throws {
    let successor = try Self.successor()
    let bench = try Self.file.bench { path in
      try Self.killed(path)
      func write(_ bytes: Data, _ end: String) throws {
        try bytes.write(to: URL(fileURLWithPath: path + end))
      }
      func move(_ end: String) { #expect(rename(path + end, path + ".v11-20261120T213400Z" + end) == 0) }
      switch kill {
      case .amidWriting:
        try write(successor.prefix(100_000), ".writing")
        try write(Data(repeating: 0xa5, count: 5_000), ".writing-journal")
      case .written: try write(successor, ".writing")
      case .named: try write(successor, ".next")
      case .amidSettingAside:
        try write(successor, ".next")
        move("")
      case .setAside:
        try write(successor, ".next")
        for end in ["", "-wal"] { move(end) }
      case .inPlace:
        for end in ["", "-wal"] { move(end) }
        try write(successor, "")
      }
    }
    let expected = try Self.file.expected()
    #expect(try bench.list().alarms.map(\.number) == expected.order)
    #expect(bench.alarm(1)?.label == "in the log")
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.kind == .delete)
    #expect(try bench.list().alarms.map(\.number).sorted() == expected.afterUndo)
    #expect(try bench.schedule().number == expected.next)
    let names = try bench.names()
    #expect(names.allSatisfy { !$0.contains(".next") && !$0.contains(".writing") }, "\(names)")
    // The old file with its log, wherever that is.
    let old = try bench.kept()
    if kill == .amidSettingAside {
      let log = try #require(names.first { $0.contains(".stray-") && $0.hasSuffix("-wal") })
      #expect(rename(bench.directory + "/" + log, old.path + "-wal") == 0)
    }
    let label = try DatabaseQueue(path: old.path).read { database in
      #expect(try Int.fetchOne(database, sql: "PRAGMA user_version") == 11)
      return try String.fetchOne(database, sql: "SELECT label FROM alarm WHERE number = 1")
    }
    #expect(label == "in the log")
  }

  @Test("Without its log, the old file that was set aside has the last change")
  func wholeWithoutLog() throws {
    let bench = try Self.file.bench { try Self.killed($0) }
    let old = try bench.kept()
    for end in ["-wal", "-shm"] { unlink(old.path + end) }
    let label = try DatabaseQueue(path: old.path).read {
      try String.fetchOne($0, sql: "SELECT label FROM alarm WHERE number = 1")
    }
    #expect(label == "in the log")
  }

  @Test("A start deletes what a kill left unfinished, before it looks for room")
  func unfinished() throws {
    let bench = try StoreBench { path in
      for name in [
        ".copying", ".copying-journal", ".writing", ".writing-journal", ".reading", ".reading-wal",
      ] {
        try Data("half of a copy".utf8).write(to: URL(fileURLWithPath: path + name))
      }
    }
    let names = try bench.names()
    for end in [".copying", ".writing", ".reading"] {
      #expect(!names.contains { $0.contains(end) }, "\(names)")
    }
  }

  @Test("A failed upgrade leaves no part of the new file")
  func failed() throws {
    let bench = try StoreBench()
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try bench.store.file.database.writeSuccessor { database in
        try database.execute(sql: "CREATE TABLE egg (size); INSERT INTO egg VALUES (zeroblob(9000000))")
        throw Failure()
      }
    }
    #expect(try !bench.names().contains { $0.contains(".writing") || $0.contains(".next") })
  }

  @Test(
    "Another version's file is refused and stays as it is",
    arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 99])
  func refused(version: Int) throws {
    let before = Kept<Data>()
    let places = Kept<String>()
    let error = #expect(throws: StoreOpenError.self) {
      try FrozenFile(name: "plain").bench { path in
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
          try database.execute(sql: "PRAGMA user_version = \(version)")
          _ = try database.checkpoint(.truncate)
        }
        try queue.close()
        before.append(try Data(contentsOf: URL(fileURLWithPath: path)))
        places.append(path)
      }
    }
    let path = places.all[0]
    defer { try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent()) }
    #expect(
      error
        == (version < 11
          ? .older(path: path, version: version, known: 11)
          : .newer(path: path, version: version, known: Schema().version)))
    #expect(error?.exitStatus == 78)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before.all[0])
    let names = try FileManager.default.contentsOfDirectory(atPath: path.replacing("/schedule.db", with: ""))
    #expect(
      Set(names).subtracting(["schedule.db", "schedule.db-wal", "schedule.db-shm", "lock", "unrecorded"])
        == [])
  }

  private static let later = Schema(
    migrations: Schema.migrations + [
      "ALTER TABLE alarm ADD COLUMN salt INTEGER; ALTER TABLE alarm_image ADD COLUMN salt INTEGER"
    ])

  private func hasSalt(_ bench: StoreBench) throws -> Bool {
    try bench.stranger().read { try $0.columns(in: "alarm").contains { $0.name == "salt" } }
  }

  @Test("A later version's migration leaves a copy, and all that was there")
  func migration() throws {
    let bench = try StoreBench()
    for _ in 1...3 { try bench.schedule() }
    try bench.submit(DeleteChange(Selection(numbers: [2])))
    bench.schema = Self.later
    try bench.reopen()
    #expect(try hasSalt(bench))
    #expect(try bench.list().alarms.map(\.number) == [1, 3])
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.list().alarms.map(\.number) == [1, 2, 3])
    let copy = try bench.kept(ofVersion: Schema().version)
    #expect(bench.events.all == [.migrated(from: Schema().version, to: Self.later.version, copy: copy.path)])
    let queue = try DatabaseQueue(path: copy.path)
    #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == Schema().version)
    #expect(try queue.read { try Int64.fetchAll($0, sql: "SELECT number FROM alarm") } == [1, 3])
    #expect(try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    try bench.reopen()
    #expect(bench.events.all.count == 1)
  }

  @Test("A new file of a later version has its migrations")
  func migratedWhenNew() throws {
    let bench = try StoreBench(schema: Self.later)
    #expect(try hasSalt(bench))
    #expect(try bench.schedule().number == 1)
    #expect(bench.events.all == [])
  }

  @Test("A later version takes over a file of version 11 too", arguments: FrozenFile.all)
  func migrationOf11(file: FrozenFile) throws {
    let (bench, expected) = (try file.bench(schema: Self.later), try file.expected())
    bench.settleBoots()
    #expect(try hasSalt(bench))
    #expect(try bench.alarmRows() == expected.alarms)
    #expect(
      try bench.events.all.first == .migrated(from: 11, to: Self.later.version, copy: bench.kept().path))
    let undone = try? bench.submit(UndoChange(expected: nil)).undone?.kind.rawValue
    #expect(undone == expected.undo.first)
  }

  @Test("A later version's migration that fails changes nothing and leaves no copy")
  func failedMigration() throws {
    let bench = try StoreBench()
    try bench.schedule()
    bench.schema = Schema(
      migrations: Schema.migrations + [
        "ALTER TABLE alarm ADD COLUMN salt INTEGER; SELECT nothing FROM nowhere"
      ])
    #expect(throws: StoreOpenError.self) { try bench.reopen() }
    #expect(try !bench.names().contains { $0.contains(".v\(Schema().version)-") })
    bench.schema = Schema()
    try bench.reopen()
    #expect(try bench.list().alarms.map(\.number) == [1])
  }

  @Test("During another program's lock a later version rings from memory, and makes no copies")
  func migrationBehindLock() throws {
    let bench = try StoreBench()
    try bench.schedule()
    bench.close()
    let stranger = try bench.stranger()
    try stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    bench.schema = Self.later
    try bench.reopen()
    #expect(bench.events.all == [.readOnly(reason: StoreFailure.lockedReason)])
    #expect(try bench.head().map(\.key.number) == [1])
    #expect(try bench.list().alarms.count == 1)
    #expect(throws: ChangeError.self) { try bench.schedule() }
    // The copy answers all the time.
    let isKept = bench.queue.sync {
      let copy = bench.store.file.opened?.pool
      for _ in 1...2 { bench.store.file.openAgain() }
      return copy != nil && bench.store.file.opened?.pool === copy
    }
    #expect(isKept)
    #expect(try !bench.names().contains { $0.contains(".v\(Schema().version)-") })
    try stranger.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(eventually { bench.store.condition == .writable ? true : nil } == true)
    #expect(try hasSalt(bench))
    #expect(try bench.schedule().number == 2)
    _ = try bench.kept(ofVersion: Schema().version)
  }
}
