import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Glibc
import Testing

@testable import EggStore

@Suite("The database file: other programs, loss, damage")
struct FileTests {
  @Test("A row that another program deletes leaves the head, even if its connection stays open")
  func foreignDelete() throws {
    let bench = try StoreBench()
    try bench.schedule()
    try bench.schedule()
    bench.observer.heard.clear()
    bench.changes.clear()
    let stranger = try bench.stranger()
    try stranger.write { try $0.execute(sql: "DELETE FROM alarm WHERE number = 1") }
    #expect(eventually { bench.changes.all.last } != nil)
    #expect(bench.observer.words == ["refilled", "ringingUnknown"])
    #expect(bench.observer.refills.last?.entries.map(\.key.number) == [2])
    #expect(bench.changes.all.map { $0.alarms == nil } == [true])
    #expect(bench.events.all == [.foreignWrite])
    withExtendedLifetime(stranger) {}
  }

  @Test("eggd's own commits are not taken for another program's")
  func ownWrites() throws {
    let bench = try StoreBench()
    for _ in 1...20 {
      try bench.schedule()
      bench.queue.sync {}
    }
    let stranger = try bench.stranger()
    try stranger.write { try $0.execute(sql: "UPDATE alarm SET label = 'x' WHERE number = 1") }
    #expect(eventually { bench.changes.all.last { $0.alarms == nil } } != nil)
    #expect(bench.observer.words.filter { $0 == "ringingUnknown" }.count == 1)
  }

  @Test("A long lock delays a ring's record until it ends; a change is refused")
  func foreignLock() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    bench.observer.heard.clear()
    let stranger = try bench.stranger()
    try stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    bench.store.record([try bench.ring(alarm)])
    let refused = bench.submitted(ScheduleChange(bench.new()))
    #expect(throws: ChangeError.self) { try refused.get() }
    #expect(bench.observer.words == ["unstored"])
    try stranger.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(eventually { bench.observer.words.contains("recorded") ? true : nil } == true)
    #expect(bench.alarm(1)?.phase == .ringing)
  }

  @Test("A commit behind a lock is noticed when the lock ends, without blocking anyone")
  func hiddenByLock() throws {
    let bench = try StoreBench()
    try bench.schedule()
    let (writer, locker) = (try bench.stranger(), try bench.stranger())
    let time = try ContinuousClock().measure {
      try bench.queue.sync {
        try writer.write { try $0.execute(sql: "UPDATE alarm SET label = 'x'") }
        try locker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        bench.store.file.noticeWrites()
      }
    }
    #expect(time < .seconds(4))
    bench.store.refill()
    #expect(
      eventually(within: .seconds(4)) { bench.observer.words.contains("refilled") ? true : nil } == true)
    #expect(bench.events.all == [])
    try locker.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(eventually { bench.events.all == [.foreignWrite] ? true : nil } == true)
  }

  @Test("While the file is gone changes are refused; on its return everything is read again")
  func takenAway() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    bench.observer.heard.clear()
    let elsewhere = bench.root.appending(path: "moved.db").path
    try FileManager.default.moveItem(atPath: bench.path, toPath: elsewhere)
    #expect(throws: ChangeError.self) { try bench.schedule() }
    #expect(bench.events.all == [.takenAway])
    bench.store.record([try bench.ring(alarm)])
    #expect(eventually { bench.observer.words.contains("unstored") ? true : nil } == true)
    // The moved file holds everything acknowledged; no log is left to be replayed.
    #expect(try FileManager.default.attributesOfItem(atPath: bench.path + "-wal")[.size] as? Int == 0)
    try FileManager.default.moveItem(atPath: elsewhere, toPath: bench.path)
    #expect(eventually { bench.observer.words.contains("recorded") ? true : nil } == true)
    #expect(bench.events.all == [.takenAway, .availableAgain])
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(try bench.schedule().number == 2)
  }

  @Test("A directory that was moved away is found on its return")
  func directoryTakenAway() throws {
    let bench = try StoreBench()
    try bench.schedule()
    let elsewhere = bench.root.appending(path: "elsewhere").path
    try FileManager.default.moveItem(atPath: bench.directory, toPath: elsewhere)
    #expect(eventually { bench.events.all.contains(.takenAway) ? true : nil } == true)
    // One check found nothing; the next is planned.
    #expect(eventually { bench.queue.sync { bench.store.file.retry.seconds } > 2 ? true : nil } == true)
    try FileManager.default.moveItem(atPath: elsewhere, toPath: bench.directory)
    #expect(eventually { bench.events.all.contains(.availableAgain) ? true : nil } == true)
    #expect(try bench.schedule().number == 2)
  }

  @Test("A database that replaces eggd's is used, and the sequence does not decrease")
  func replaced() throws {
    let bench = try StoreBench()
    for _ in 1...5 { try bench.schedule("ours") }
    let other = try StoreBench()
    try other.schedule("theirs")
    other.close()
    let stranger = try other.stranger()
    let copy = bench.root.appending(path: "copy.db").path
    try stranger.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
    #expect(rename(copy, bench.path) == 0)
    #expect(eventually { bench.events.all.contains(.availableAgain) ? true : nil } == true)
    #expect(try bench.list().alarms.map(\.label) == ["theirs"])
    #expect(try bench.submit(ScheduleChange(bench.new())).sequence > 5)
  }

  @Test("A file that is no database is set aside, and numbers begin a thousand later")
  func noDatabase() throws {
    let bench = try StoreBench {
      try Data("no database at all, but longer than a header".utf8)
        .write(to: URL(fileURLWithPath: $0))
    }
    guard case .salvaged(let aside, 0, 0, 0, _) = bench.events.all.first else {
      Issue.record("\(bench.events.all)")
      return
    }
    #expect(aside.hasPrefix(bench.path + ".corrupt-"))
    #expect(try String(contentsOfFile: aside, encoding: .utf8).hasPrefix("no database"))
    #expect(try bench.schedule().number == 1_001)
  }

  @Test("Every readable row on both sides of the damage is kept")
  func damaged() throws {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday", color: .cyan)))
    try bench.stranger().write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
          INSERT INTO alarm (id, position, label, "group", kind, instant, expression, readingZone, createdAt)
          SELECT 'x' || i, i, 'label ' || i, alarm_group.id, 'at', 0, '', 'UTC', 0 FROM n, alarm_group
          """)
    }
    bench.close()
    let page = try bench.stranger().writeWithoutTransaction { database in
      _ = try database.checkpoint(.truncate)
      return try #require(
        try Int64.fetchOne(
          database,
          sql: """
            SELECT pageno FROM dbstat WHERE name = 'alarm' AND pagetype = 'leaf'
            ORDER BY path LIMIT 1 OFFSET 20
            """))
    }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: bench.path))
    try handle.seek(toOffset: UInt64(page - 1) * 4_096)
    try handle.write(contentsOf: Data(repeating: 0xa5, count: 4_096))
    try handle.close()
    bench.events.clear()
    try bench.reopen()
    // No damaged page was read so far; a question finds the damage.
    _ = bench.wait { bench.store.ask({ try $0.list(ListQuery(limit: 5_000)) }, completion: $0) }
    #expect(eventually { bench.events.all.isEmpty ? nil : true } == true)
    guard case .salvaged(let aside, let alarms, _, _, _) = bench.events.all.last else {
      Issue.record("\(bench.events.all)")
      return
    }
    #expect((2_900..<3_000).contains(alarms))
    let numbers = try bench.list(ListQuery(limit: 5_000)).alarms.map(\.number)
    #expect(numbers.count == alarms)
    #expect(numbers.first == 1 && numbers.last == 3_000)
    #expect(try bench.groups().map(\.group) == [Group(name: "Sunday", color: .cyan)])
    #expect(bench.alarm(3_000)?.group == "Sunday")
    #expect(FileManager.default.fileExists(atPath: aside))
    #expect(try bench.schedule().number == 4_001)
    #expect(bench.changes.all.contains { $0.alarms == nil })
  }

  @Test("A newer eggd's file is refused and stays unchanged")
  func newer() throws {
    let bench = try StoreBench()
    try bench.schedule()
    bench.close()
    try bench.stranger().writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA user_version = 99")
      _ = try database.checkpoint(.truncate)
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    let error = #expect(throws: StoreOpenError.self) { try bench.reopen() }
    #expect(error == .newer(path: bench.path, version: 99, known: Schema().version))
    #expect(error?.exitStatus == 78)
    #expect(try Data(contentsOf: URL(fileURLWithPath: bench.path)) == before)
  }

  @Test("Another program's database is refused")
  func foreignDatabase() throws {
    let error = #expect(throws: StoreOpenError.self) {
      try StoreBench { path in
        try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE song (title)") }
      }
    }
    #expect(error?.exitStatus == 78)
  }

  @Test("A folder at the database's path is refused and stays")
  func folder() throws {
    let error = #expect(throws: StoreOpenError.self) {
      try StoreBench {
        try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
      }
    }
    guard case .notAFile(let path) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.exitStatus == 78)
    var isFolder: ObjCBool = false
    #expect(FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue)
  }

  @Test("The writer's commits are synced, in WAL mode, and only the owner can read the files")
  func durable() throws {
    let bench = try StoreBench()
    try bench.schedule()
    let modes = try bench.queue.sync {
      try #require(bench.store.file.opened).pool.writeWithoutTransaction { database in
        (
          try Int.fetchOne(database, sql: "PRAGMA synchronous"),
          try String.fetchOne(database, sql: "PRAGMA journal_mode")
        )
      }
    }
    #expect(modes.0 == 2)
    #expect(modes.1 == "wal")
    for end in ["", "-wal", "-shm"] {
      let mode = try FileManager.default.attributesOfItem(atPath: bench.path + end)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test("Closing keeps the log and its index: the file opens on a full disk")
  func keepsLog() throws {
    let bench = try StoreBench()
    try bench.schedule()
    bench.close()
    for end in ["-wal", "-shm"] { #expect(FileManager.default.fileExists(atPath: bench.path + end)) }
    try bench.reopen()
    #expect(bench.alarm(1) != nil)
  }

  @Test("After an orderly stop, a copy of the main file alone has every alarm")
  func copied() throws {
    let bench = try StoreBench()
    for _ in 1...40 { try bench.schedule() }
    bench.store.stopChanges()
    bench.close()
    let copy = bench.path + ".copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try FileManager.default.copyItem(atPath: bench.path, toPath: copy)
    let alarms = try DatabaseQueue(path: copy).read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm")
    }
    #expect(alarms == 40)
  }

  @Test("A log that a large change made long is cut to its usual length and keeps it on close")
  func longLog() throws {
    let bench = try StoreBench()
    for _ in 1...40 { try bench.schedule() }
    func length() throws -> Int {
      let size = try FileManager.default.attributesOfItem(atPath: bench.path + "-wal")[.size]
      return try #require(size as? Int)
    }
    let before = try length()
    #expect(before > 200_000)
    bench.queue.sync { bench.store.file.opened?.shortenLog(beyond: before, to: 65_536) }
    #expect(try length() == before)
    bench.queue.sync { bench.store.file.opened?.shortenLog(beyond: before - 1, to: 65_536) }
    #expect(try length() == 65_536)
    try bench.schedule()
    bench.close()
    #expect(try length() == 65_536)
    try bench.reopen()
    #expect(bench.alarm(1) != nil)
    #expect(bench.alarm(41) != nil)
  }

  @Test("A kill during the first commit is rolled back, and eggd starts")
  func rollbackJournal() throws {
    let bench = try StoreBench { path in
      // As SQLite leaves it: some pages written, and a journal to roll them back.
      let making = path + ".making"
      let queue = try DatabaseQueue(path: making)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA cache_size = 1; CREATE TABLE first (egg); DROP TABLE first")
        try database.inTransaction {
          try database.execute(sql: "CREATE TABLE egg (size)")
          try database.execute(
            sql: """
              INSERT INTO egg WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 999)
              SELECT randomblob(100) FROM many
              """)
          for end in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: making + end, toPath: path + end)
          }
          return .rollback
        }
      }
      #expect(access(path + "-journal", F_OK) == 0)
    }
    #expect(try bench.schedule().number == 1)
  }
}
