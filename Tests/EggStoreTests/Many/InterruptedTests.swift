import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Ringing
import Testing

@testable import EggStore

@Suite("A change of many alarms that is cut short")
struct InterruptedTests {
  /// The log before a change and at its reply, and the database of both.
  private struct Files {
    let database: Data
    private let before: Data
    private let after: Data
    /// Where the change began to write: behind what the log had, or from its beginning.
    private let start: Int

    init(database: Data, before: Data, after: Data) {
      (self.database, self.before, self.after) = (database, before, after)
      start = before.prefix(Self.header) == after.prefix(Self.header) ? Self.end(before) : 0
    }

    /// The log after so many bytes of what the change has written.
    func log(_ bytes: Int) -> Data { after.prefix(start + bytes) + before.dropFirst(start + bytes) }

    var written: Int { Self.end(after) - start }

    // The format is that of https://sqlite.org/fileformat2.html#walformat
    private static let header = 32
    static let frame = 24 + 4_096

    /// Where the frames end that have the salt of the header.
    private static func end(_ log: Data) -> Int {
      let salt = log.dropFirst(16).prefix(8)
      var end = header
      while log.count >= end + frame, log.dropFirst(end + 8).prefix(8) == salt { end += frame }
      return end
    }
  }

  /// Makes a change and takes the files before it and at its reply.
  private func files(_ bench: StoreBench, _ change: any Change) throws -> Files {
    let (path, log) = (bench.path, bench.path + "-wal")
    // Nobody writes while this is on the store's queue.
    let before = try bench.queue.sync { try Data(contentsOf: URL(fileURLWithPath: log)) }
    let after = Kept<Files>()
    _ = try bench.wait { (done: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void) in
      bench.ask(change) { result in
        if let database = try? Data(contentsOf: URL(fileURLWithPath: path)),
          let log = try? Data(contentsOf: URL(fileURLWithPath: log))
        {
          after.append(Files(database: database, before: before, after: log))
        }
        done(result)
      }
    }.get()
    return try #require(after.all.first)
  }

  private func reopened(_ files: Files, upTo bytes: Int) throws -> StoreBench {
    try StoreBench { path in
      try files.database.write(to: URL(fileURLWithPath: path))
      try files.log(bytes).write(to: URL(fileURLWithPath: path + "-wal"))
      for name in [path, path + "-wal"] {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: name)
      }
    }
  }

  /// Nothing was salvaged for it.
  private func stored(_ bench: StoreBench) throws -> StoreBench.View {
    let view = try bench.view()
    // Where other tests hold all inotify instances of the user, the file is not watched.
    #expect(bench.events.all.filter { $0 != .unwatched }.isEmpty)
    return view
  }

  @Test(
    "Killed at any point, all of it is there or nothing; once it was answered, all",
    arguments: ManyBench.Kind.allCases)
  func killed(kind: ManyBench.Kind) throws {
    var random = SeededGenerator(seed: UInt64(kind.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
    for step in ["change", "undo"] {
      let bench = try ManyBench.make()
      if step == "undo" { try bench.submit(kind.change(bench)) }
      let change = step == "undo" ? UndoChange(expected: nil) : try kind.change(bench)
      let before = try stored(bench)
      let files = try files(bench, change)
      let after = try stored(bench)
      #expect(after != before)
      try #require(files.written > 4_096)
      // The last frame ends before its salt: what the log had there may be the rest of it.
      let last = files.written - Files.frame + 8
      for cut in [Int.random(in: 0..<last, using: &random), last, files.written] {
        // One clock goes on where the other stopped.
        let next = try reopened(files, upTo: cut)
        while next.clock.read().wall < bench.clock.read().wall { next.tick() }
        let view = try stored(next)
        #expect(view == (cut == files.written ? after : before), "\(step), \(cut) of \(files.written) bytes")
        #expect(try next.schedule("next").number > (before.alarms.map(\.number).max() ?? 0))
      }
    }
  }

  @Test("SIGTERM amid it lets it end, and what rang meanwhile is recorded; later changes are refused")
  func stopped() throws {
    let bench = try ManyBench.make()
    bench.clock.advance(.seconds(700))
    let ring = try bench.ring(try #require(bench.alarm(8)), occurrence: bench.tick())
    let later = Kept<Result<ChangeOutcome, ChangeError>>()
    bench.observer.answer { _ in
      bench.store.stopChanges()
      bench.store.record([ring])
      bench.ask(ScheduleChange(bench.new("later"))) { later.append($0) }
      return []
    }
    let result = bench.submitted(DeleteChange(Selection(ranges: [1...7])))
    bench.observer.answer { _ in [] }
    #expect(try result.get().deleted == Array(1...7))
    let refused = try #require(eventually { later.all.first })
    #expect(throws: ChangeError.unavailable(reason: "eggd is stopping")) { try refused.get() }
    try bench.reopen()
    let now = try bench.list().alarms
    #expect(now.map(\.number) == Array(8...14))
    #expect(now.first?.phase == .ringing)
  }

  @Test(
    "A full disk undoes it, and smaller ones are made",
    arguments: [ManyBench.Kind.done, .edit, .delete, .retime])
  func full(kind: ManyBench.Kind) throws {
    let bench = try ManyBench.make()
    // Its images need pages.
    var edit = AlarmEdit()
    edit.body = String(repeating: "long ", count: 190)
    try bench.submit(EditChange(Selection(all: true), edit))
    let change = try kind.change(bench)
    let before = try bench.view()
    let pool = try #require(bench.store.file.opened).pool
    let pages = try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA page_count") }
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(try #require(pages))") }
    let result = bench.submitted(change)
    #expect(throws: ChangeError.self) { try result.get() }
    #expect(try bench.view() == before)
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    try bench.submit(change)
    #expect(try bench.view() != before)
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.view() == before)
  }

  @Test("Behind another program's lock it waits, and is made of what that program has left")
  func locked() throws {
    let bench = try ManyBench.make()
    let stranger = try bench.stranger()
    try stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let answer = Kept<Result<ChangeOutcome, ChangeError>>()
    bench.ask(DeleteChange(Selection(all: true))) { answer.append($0) }
    try stranger.writeWithoutTransaction {
      try $0.execute(sql: "DELETE FROM alarm WHERE number = 3")
      try $0.execute(sql: "COMMIT")
    }
    let result = try #require(eventually { answer.all.first })
    #expect(try result.get().deleted == [Int64](1...14).filter { $0 != 3 })
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.list().alarms.map(\.number) == [Int64](1...14).filter { $0 != 3 })
  }
}
