import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Glibc
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Salvage of a damaged file")
struct SalvageTests {
  /// A closed database with a group and 300 alarms, all in the file and none in the log.
  private func bench() throws -> StoreBench {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday", color: .yellow)))
    for index in 1...300 {
      var new = bench.new("egg \(index)")
      if index == 7 { new.group = "Sunday" }
      if index == 8 { (new.run, new.runUnanswered) = ("/bin/true", "/bin/true") }
      try bench.submit(ScheduleChange(new))
    }
    bench.close()
    try bench.stranger().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    return bench
  }

  private func overwrite(_ bench: StoreBench, at offset: UInt64, count: Int) throws {
    try overwrite(bench.path, at: offset, count: count)
  }

  private func overwrite(_ path: String, at offset: UInt64, count: Int) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(repeating: 0xa5, count: count))
    try handle.close()
  }

  private func root(of name: String, _ bench: StoreBench) throws -> UInt64 {
    try bench.stranger().read { database in
      let root = try Int64.fetchOne(
        database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
      return UInt64(try #require(root))
    }
  }

  /// The pages of the definitions, without the first.
  private func definitions(_ bench: StoreBench) throws -> [Int64] {
    let pages = try bench.stranger().read { database in
      try Int64.fetchAll(
        database, sql: "SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' AND pageno > 1")
    }
    try #require(!pages.isEmpty)
    return pages
  }

  /// Opens the store and has it meet the damage.
  private func reopen(_ bench: StoreBench) throws {
    bench.events.clear()
    try bench.reopen()
    _ = bench.wait { bench.store.ask({ try $0.list(ListQuery(limit: 1_000)) }, completion: $0) }
    #expect(eventually { bench.events.all.isEmpty ? nil : true } == true)
  }

  @Test("Groups and their members are salvaged")
  func groups() throws {
    let bench = try bench()
    try overwrite(bench, at: (try root(of: "alarm_due", bench) - 1) * 4_096, count: 4_096)
    try reopen(bench)
    #expect(
      try bench.list(ListQuery(limit: 1_000)).alarms.filter { $0.group == "Sunday" }.map(\.number) == [7])
    #expect(try bench.groups().map(\.group) == [Group(name: "Sunday", color: .yellow)])
  }

  @Test("An alarm is salvaged without its command")
  func command() throws {
    let bench = try bench()
    try overwrite(bench, at: (try root(of: "alarm_due", bench) - 1) * 4_096, count: 4_096)
    try reopen(bench)
    #expect(bench.alarm(8)?.label == "egg 8")
    #expect(bench.alarm(8)?.manner.hasCommands == false)
  }

  @Test("An alarm of a lost group is in no group")
  func lostGroup() throws {
    let bench = try bench()
    try overwrite(bench, at: (try root(of: "alarm_group", bench) - 1) * 4_096, count: 4_096)
    try overwrite(bench, at: (try root(of: "alarm_due", bench) - 1) * 4_096, count: 4_096)
    try reopen(bench)
    let alarms = try bench.list(ListQuery(limit: 1_000)).alarms
    #expect(alarms.count == 300)
    #expect(alarms.allSatisfy { $0.group == nil })
    let kept = try bench.stranger().read {
      try Int64.fetchOne($0, sql: "SELECT count(*) FROM alarm WHERE \"group\" IS NOT NULL")
    }
    #expect(kept == 0)
  }

  @Test(
    "Every alarm survives the loss of the header or of the whole first page", arguments: [16, 100, 4_096])
  func firstPage(count: Int) throws {
    let bench = try bench()
    try overwrite(bench, at: 0, count: count)
    try reopen(bench)
    #expect(try bench.list(ListQuery(limit: 1_000)).alarms.count == 300)
    #expect(try bench.groups().count == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bench.directory).allSatisfy {
        !$0.contains(".reading") && !$0.contains(".salvag")
      })
  }

  @Test(
    "Every alarm survives a damaged name of a column, whole",
    arguments: ["number", "label", "position", "due"])
  func columnName(_ name: String) throws {
    let bench = try bench()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    let table = try #require(bytes.firstRange(of: Data("CREATE TABLE alarm (".utf8)))
    let column = try #require(bytes[table.upperBound...].firstRange(of: Data("\n  \(name) ".utf8)))
    try overwrite(bench, at: UInt64(column.lowerBound + 4), count: 1)
    try reopen(bench)
    let alarms = try bench.list(ListQuery(limit: 1_000)).alarms
    #expect(alarms.map(\.label) == (1...300).map { "egg \($0)" })
    #expect(alarms.allSatisfy { $0.due != nil })
    #expect(alarms.map(\.position) == alarms.map(\.position).sorted())
  }

  @Test("Every alarm survives the loss of the table definitions")
  func definitions() throws {
    let bench = try bench()
    let pages = try definitions(bench)
    for page in pages { try overwrite(bench, at: UInt64(page - 1) * 4_096, count: 4_096) }
    try reopen(bench)
    #expect(try bench.list(ListQuery(limit: 1_000)).alarms.count == 300)
  }

  @Test(
    "Every alarm survives when a table or column is renamed", arguments: ["alarm_image", "keyedRequest"])
  func renamed(name: String) throws {
    let bench = try bench()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    while let range = bytes.range(of: Data(name.utf8)) {
      bytes.replaceSubrange(range, with: Data(("z" + name.dropFirst()).utf8))
    }
    try bytes.write(to: URL(fileURLWithPath: bench.path))
    try reopen(bench)
    #expect(try bench.list(ListQuery(limit: 1_000)).alarms.count == 300)
    #expect(try bench.schedule().number > 1_000)
  }

  @Test("Rows out of order cost few alarms and little time")
  func outOfOrder() throws {
    let bench = try bench()
    try bench.stranger().write { database in
      let own = ["number", "id", "label"]
      let others = try database.columns(in: "alarm").map(\.name).filter { !own.contains($0) }
        .map { "\"\($0)\"" }.joined(separator: ", ")
      // More rows than one read returns; the last one read comes first in a list.
      for number in 301...2_500 {
        try database.execute(
          sql: """
            INSERT INTO alarm (number, id, label, \(others)) SELECT ?, ?, ?, \(others) FROM alarm WHERE number = 1
            """, arguments: [number, AlarmID().description, "egg \(number)"])
      }
      try database.execute(sql: "UPDATE alarm SET position = position - 1 WHERE number = 2000")
    }
    try bench.stranger().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    // In a table, the row's key stands before its values, as a varint (SQLite's file format, 1.6): 2000, and
    // now 500. In an index it follows them.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    let keys = bytes.ranges(of: Data("egg 2000".utf8)).compactMap { label in
      bytes.range(of: Data([0x8f, 0x50]), options: .backwards, in: label.lowerBound - 160..<label.lowerBound)
    }
    try #require(keys.count == 1)
    let key = keys[0]
    bytes.replaceSubrange(key, with: [0x83, 0x74])
    try bytes.write(to: URL(fileURLWithPath: bench.path))
    try reopen(bench)
    let kept = try bench.stranger().read { try Int64.fetchAll($0, sql: "SELECT number FROM alarm") }
    #expect(Set(1...2_500).subtracting(kept) == [2_000])
  }

  @Test("The log's rows survive the loss of the table definitions")
  func log() throws {
    let bench = try bench()
    try bench.reopen()
    // GRDB makes and drops a table where the log is empty (its issue 102). That may rewrite all definitions.
    try bench.stranger().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    let pages = try definitions(bench)
    for _ in 1...20 { try bench.schedule() }
    // Closing would checkpoint the log.
    let copy = bench.root.appending(path: "copy").path
    try FileManager.default.copyItem(atPath: bench.directory, toPath: copy)
    bench.close()
    try FileManager.default.removeItem(atPath: bench.directory)
    try FileManager.default.moveItem(atPath: copy, toPath: bench.directory)
    for page in pages { try overwrite(bench, at: UInt64(page - 1) * 4_096, count: 4_096) }
    try reopen(bench)
    #expect(try bench.list(ListQuery(limit: 1_000)).alarms.count == 320)
  }

  enum Damage {
    case header, history, undo, index
  }

  /// The header of all, other pages of some.
  private static let damaged: [(FrozenFile, Damage)] =
    FrozenFile.all.map { ($0, .header) }
    + ["plain", "importing-listed", "deleting-range", "undoing-import", "changing-done"].flatMap { name in
      [.history, .undo, .index].map { (FrozenFile(name: name), $0) }
    }

  @Test(
    "A damaged file of version 11 shows what the whole one would, without what can be undone",
    arguments: damaged)
  func earlier(file: FrozenFile, damage: Damage) throws {
    var expected = try file.expected()
    if damage != .index { for index in expected.alarms.indices { expected.alarms[index].run = nil } }
    let bench = try file.bench { path in
      let names: KeyValuePairs = [Damage.history: "history", .undo: "undo", .index: "alarm_due"]
      var (offset, count) = (UInt64(0), 16)
      if let name = names.first(where: { $0.key == damage })?.value {
        let queue = try DatabaseQueue(path: path)
        let root = try queue.read {
          try Int64.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [name])
        }
        try queue.close()
        (offset, count) = (UInt64(try #require(root) - 1) * 4_096, 4_096)
      }
      try overwrite(path, at: offset, count: count)
    }
    bench.settleBoots()
    #expect(try bench.list(ListQuery(limit: 1_000)).alarms.map(\.number) == expected.order)
    #expect(try bench.groups().map(\.group.name) == expected.groups)
    #expect(try bench.alarmRows() == expected.alarms)
    let past = try bench.stranger().read {
      try FrozenFile.HistoryRow.fetchAll($0, sql: "SELECT alarm, id, outcome FROM history ORDER BY place")
    }
    #expect(past == (damage == .history ? [] : expected.history))
    guard damage != .index else {
      let copy = try bench.kept().path
      #expect(bench.events.all.first == .migrated(from: 11, to: Schema().version, copy: copy))
      return
    }
    guard case .salvaged(let aside, let alarms, let occurrences, 0, _) = bench.events.all.first else {
      Issue.record("\(bench.events.all)")
      return
    }
    #expect(alarms == expected.alarms.count)
    #expect(occurrences == expected.alarms.map(\.occurrences.count).reduce(0, +))
    #expect(FileManager.default.fileExists(atPath: aside))
    #expect(try bench.schedule().number >= 1_000 + expected.next)
  }

  @Test(
    "Every alarm of a file brought over from an earlier version survives the loss of the first page",
    arguments: FrozenFile.allVersions)
  func firstPageOfUpgraded(file: FrozenFile) throws {
    let bench = try file.bench()
    var before = try bench.alarmRows()
    for index in before.indices { before[index].run = nil }
    bench.close()
    try bench.stranger().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try overwrite(bench, at: 0, count: 4_096)
    try reopen(bench)
    #expect(try bench.alarmRows() == before)
    #expect(try bench.groups().map(\.group.name) == file.expected().groups)
  }

  @Test("Every alarm of a file that came from version 12 survives the loss of the first page")
  func firstPageOf12() throws {
    let bench = try bench()
    try bench.becomeVersion12()
    try bench.reopen()
    bench.close()
    try bench.stranger().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try overwrite(bench, at: 0, count: 4_096)
    try reopen(bench)
    #expect(try bench.list(ListQuery(limit: 1_000)).alarms.map(\.label) == (1...300).map { "egg \($0)" })
  }

  private func entry(
    _ number: Int64, _ due: DuePoint, occurrence: Int64 = 0, recurrence: Recurrence? = nil
  ) -> HeadEntry {
    HeadEntry(
      key: EntryKey(number: number, occurrence: occurrence), due: due,
      card: AlarmCard(
        id: AlarmID(), label: "kept \(number)", manner: Manner(summary: "Kept!"), expression: "text"),
      recurrence: recurrence)
  }

  @Test("Alarms that only the scheduler remembers are restored")
  func remembered() throws {
    let bench = try bench()
    try bench.reopen()
    let due = bench.clock.read().wall + .seconds(60)
    let snooze = DuePoint(clock: bench.store.currentBoot, microseconds: 90_000_000)
    let event = try #require(CalendarEvent("*-*-* 07:30"))
    bench.observer.remembered.append(entry(7, .wall(due)))
    bench.observer.remembered.append(entry(8, snooze))
    bench.observer.remembered.append(
      entry(9, .wall(due), recurrence: Recurrence(.every(.event(event)), zone: .utc, count: 3)))
    let interval = try #require(RecurringInterval("3d 08:00:00 from 2026-11-25"))
    let counted = Recurrence(.every(.interval(interval)), zone: .utc, from: due)
    bench.observer.remembered.append(entry(10, .wall(due), recurrence: counted))
    #expect(truncate(bench.path, 0) == 0)
    _ = bench.submitted(ScheduleChange(bench.new()))
    let alarms = try bench.list(ListQuery(limit: 1_000)).alarms.filter { $0.number < 1_000 }
    try #require(alarms.map(\.number) == [7, 8, 9, 10])
    #expect(alarms.map(\.label) == ["kept 7", "kept 8", "kept 9", "kept 10"])
    #expect(alarms.map(\.due) == [.wall(due), snooze, .wall(due), .wall(due)])
    #expect(alarms.map(\.timing.kind) == [.at, .in, .every, .every])
    #expect(alarms[2].count == 3)
    #expect(alarms[3].timing == .every(.interval(interval), zone: "UTC", floats: false))
    #expect(alarms[3].from == due)
    let head = bench.observer.refills.last?.entries.map(\.key.number) ?? []
    #expect(Set(head).isSuperset(of: [7, 8, 9]))
  }

  @Test("Snoozed alarms stay snoozed, beside their own moments too")
  func snoozed() throws {
    let bench = try bench()
    try bench.reopen()
    let until = bench.clock.read().wall + .seconds(60)
    let own = DuePoint.wall(until + .seconds(3_600))
    let event = try #require(CalendarEvent("*-*-* 07:30"))
    for entry in [
      entry(7, .wall(until), occurrence: 500), entry(8, .wall(until), occurrence: 501),
      entry(8, own, recurrence: Recurrence(.every(.event(event)), zone: .utc)),
    ] { bench.observer.remembered.append(entry) }
    #expect(truncate(bench.path, 0) == 0)
    _ = bench.submitted(ScheduleChange(bench.new()))
    for (number, occurrence) in [(7, 500), (8, 501)] as [(Int64, Int64)] {
      let alarm = try #require(bench.alarm(number))
      #expect(alarm.phase == .snoozed)
      #expect(alarm.latest?.id == occurrence)
      #expect(alarm.latest?.snoozedUntil == until)
      #expect(alarm.due == (number == 8 ? own : nil))
    }
    let keys = bench.observer.refills.last?.entries.filter { $0.key.number < 1_000 }.map(\.key) ?? []
    #expect(
      Set(keys) == [
        EntryKey(number: 7, occurrence: 500), EntryKey(number: 8), EntryKey(number: 8, occurrence: 501),
      ])
  }

  @Test("A ring during the damage is kept, although its record finds the damage")
  func rungMeanwhile() throws {
    let bench = try bench()
    try bench.reopen()
    let now = bench.clock.read().wall
    let event = try #require(CalendarEvent("*-*-* 07:30"))
    let own = entry(7, .wall(now))
    let recurring = entry(8, .wall(now), recurrence: Recurrence(.every(.event(event)), zone: .utc, count: 3))
    // A recurring one already waits for its next moment.
    let snoozed = [8, 9].map { entry($0, .wall(now), occurrence: 1_000 + $0) }
    for entry in snoozed + [own, recurring] { bench.observer.remembered.append(entry) }
    // What the start has read must not be at hand: the record has to read the file.
    for _ in 1...4 { bench.queue.sync {} }
    bench.queue.sync { (bench.store.file.opened?.pool as? DatabasePool)?.releaseMemory() }
    #expect(truncate(bench.path, 0) == 0)
    let next = DuePoint.wall(now + .seconds(3_600))
    let rings = ([own, recurring] + snoozed).enumerated().map { index, entry in
      let new = 2_000 + 2 * Int64(index)
      return RingRecord(
        occurrence: entry.key.occurrence == 0 ? new : entry.key.occurrence, key: entry.key, due: entry.due,
        dueAt: now, firedAt: now, lateness: .zero, reason: nil, next: entry.recurrence == nil ? nil : next)
    }
    bench.store.record(rings)
    bench.store.mark(rings.map { .journaled($0.ring, at: now + .seconds(1)) })
    #expect(eventually { bench.alarm(7)?.latest?.journaledAt } != nil)
    for (number, occurrence) in [(7, 2_000), (8, 2_002), (9, 1_009)] as [(Int64, Int64)] {
      let alarm = try #require(bench.alarm(number))
      #expect(alarm.label == "kept \(number)")
      #expect(alarm.phase == .ringing)
      #expect(alarm.latest?.id == occurrence)
      #expect(alarm.latest?.journaledAt == now + .seconds(1))
      #expect(alarm.due == (number == 8 ? next : nil))
    }
    #expect(bench.alarm(8)?.count == 2)
  }

  @Test("Damage that several readers meet at once is salvaged once")
  func once() throws {
    let bench = try bench()
    try overwrite(bench, at: (try root(of: "alarm_category", bench) - 1) * 4_096, count: 4_096)
    bench.events.clear()
    try bench.reopen()
    var query = ListQuery(limit: 1_000)
    query.filter.categories = [.soft]
    let answers = Kept<Bool>()
    for _ in 1...8 {
      bench.store.ask({ [query] in try $0.list(query) }) { answers.append((try? $0.get()) != nil) }
    }
    #expect(eventually { answers.all.count == 8 ? true : nil } == true)
    #expect(answers.all.contains(false))
    #expect(eventually { bench.events.all.isEmpty ? nil : true } == true)
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.events.all.count == 1, "\(bench.events.all)")
  }
}
