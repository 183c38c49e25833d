import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Glibc
import Testing

@testable import EggStore

/// A frozen file of an earlier version, with what eggd shows after it has taken it over. Each was left by another state of
/// that version.
struct FrozenFile: Sendable, CustomTestStringConvertible {
  var name: String
  var version = 11

  var testDescription: String { "\(name) of version \(version)" }

  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures").standardizedFileURL

  /// Of version 11.
  static let all = files(ofVersion: 11)
  static let allVersions = all + files(ofVersion: 13) + files(ofVersion: 14)

  private static func files(ofVersion version: Int) -> [FrozenFile] {
    let folder = fixtures.appending(path: "version\(version)").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".db") }.sorted().map {
      FrozenFile(name: String($0.dropLast(3)), version: version)
    }
  }

  var url: URL { file(".db") }

  private func file(_ end: String) -> URL { Self.fixtures.appending(path: "version\(version)/\(name)\(end)") }

  func expected() throws -> Expected {
    try JSONDecoder().decode(Expected.self, from: try Data(contentsOf: file(".json")))
  }

  /// A store at the moment at which the file was left.
  ///
  /// - Parameter prepare: Called with the path of the file's copy before it is opened.
  func bench(
    schema: Schema = Schema(), startsNow: Bool = true, prepare: (String) throws -> Void = { _ in }
  ) throws -> StoreBench {
    let at = try expected().at
    return try StoreBench(
      clock: FakeClock(wall: Instant(microseconds: at.wall), boot: at.boot), bootID: at.bootID,
      schema: schema,
      startsNow: startsNow
    ) { path in
      try FileManager.default.copyItem(at: url, to: URL(fileURLWithPath: path))
      try prepare(path)
    }
  }

  /// What the JSON file beside it has.
  struct Expected: Decodable {
    var at: At
    var order: [Int64]
    var groups: [String]
    var alarms: [AlarmRow]
    var history: [HistoryRow]
    /// A lower bound.
    var sequence: Int64
    /// The kinds of changes, in the order in which they are undone or redone.
    var undo, redo: [String]
    /// The number of the next new alarm.
    var next: Int64
    /// The numbers of all alarms after one undo or redo; nil if there is nothing to undo or redo.
    var afterUndo, afterRedo: [Int64]?
    var afterUndoPhases: [String]?
  }

  struct At: Decodable {
    var wall, boot: Int64
    var bootID: String
  }

  /// Columns of the row, and what clients are shown as group, phase and command.
  struct AlarmRow: Decodable, Hashable {
    var number, position, clock: Int64
    var label, group, key, run: String?
    var state, phase: String
    var due, remaining, doneAt: Int64?
    var occurrences: [OccurrenceRow]
  }

  struct OccurrenceRow: Decodable, Hashable, FetchableRecord {
    var id, dueAt: Int64
    var outcome: String
    var firedAt, dismissedAt, snoozedUntil, due: Int64?
  }

  struct HistoryRow: Decodable, Hashable, FetchableRecord {
    var alarm, id: Int64
    var outcome: String
  }
}

extension StoreBench {
  /// Alarms in the order of their numbers, by another program's connection and as shown.
  func alarmRows() throws -> [FrozenFile.AlarmRow] {
    let shown = try list(ListQuery(limit: 1_000)).alarms
    return try stranger().read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM alarm ORDER BY number").map { row in
        let number: Int64 = row["number"]
        let alarm = try #require(shown.first { $0.number == number })
        return FrozenFile.AlarmRow(
          number: number, position: row["position"], clock: row["clock"], label: row["label"],
          group: alarm.group,
          key: row["key"], run: alarm.run, state: row["state"], phase: alarm.phase.rawValue,
          due: row["due"],
          remaining: row["remaining"], doneAt: row["doneAt"],
          occurrences: try FrozenFile.OccurrenceRow.fetchAll(
            database, sql: "SELECT * FROM occurrence WHERE alarm = ? ORDER BY id", arguments: [number]))
      }
    }
  }

  /// Moves what waits on the clocks of earlier boots, of few alarms.
  func settleBoots() {
    store.moveEarlierBoots()
    for _ in 1...4 { queue.sync {} }
  }

  /// Closes the store and gives its rows to a file of version 12, which has no rows of `approved_command`.
  func becomeVersion12() throws {
    close()
    let (old, new) = (try stranger(), try DatabaseQueue(path: path + ".12"))
    try new.writeWithoutTransaction { target in
      try target.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
      try Schema(migrations: []).create(in: target)
      try old.read { source in
        for (table, _) in Schema.tables {
          guard try target.tableExists(table), let copy = try RowCopy(table, from: source, to: target)
          else { continue }
          try target.execute(sql: "DELETE FROM \(table)")
          let rows = try source.makeStatement(sql: "SELECT * FROM \(table)").rows()
          while let row = try rows.next() { #expect(try copy(row, from: 0)) }
        }
        let last = try Int64.fetchOne(source, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'alarm'")
        try AlarmNumbers.set(last: last ?? 0, in: target)
      }
      _ = try target.checkpoint(.truncate)
    }
    try old.close()
    try new.close()
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    try FileManager.default.moveItem(atPath: path + ".12", toPath: path)
    #expect(chmod(path, 0o600) == 0)
  }

  /// SQLite's own list of tables and indexes, with the pages on which they begin.
  func tables() throws -> [String] {
    try stranger().read { database in
      try Row.fetchAll(
        database, sql: "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema ORDER BY type, name"
      ).map(\.description)
    }
  }

  /// The names of the files in the state directory.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }

  /// The file that was set aside before the upgrade, or the copy that was made of it.
  func kept(ofVersion version: Int = 11) throws -> URL {
    let found = try names().filter {
      $0.hasPrefix("schedule.db.v\(version)-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
    try #require(found.count == 1, "\(found)")
    return root.appending(path: "eggd").appending(path: found[0])
  }
}
