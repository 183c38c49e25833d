import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Glibc
import Testing

@testable import EggStore

@Suite("Deletion of the database's log by another program")
struct LostLogTests {
  @Test("Later acknowledged changes are on disk", arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
  func acknowledged(lost: [String]) throws {
    let bench = try StoreBench()
    try bench.schedule("before")
    bench.queue.sync { for end in lost { unlink(bench.path + end) } }
    try bench.schedule("after")
    #expect(try labels(of: bench) == ["after", "before"])
    #expect(bench.events.all.filter { $0 == .logLost }.count == 1)
    try bench.schedule("later")
    #expect(try labels(of: bench) == ["after", "before", "later"])
  }

  @Test("Earlier acknowledged changes are saved, even without a later change")
  func noticed() throws {
    let bench = try StoreBench()
    try bench.schedule("before")
    unlink(bench.path + "-wal")
    #expect(eventually { bench.events.all.contains(.logLost) ? true : nil } == true)
    #expect(try labels(of: bench) == ["before"])
  }

  @Test("A deletion during a commit loses nothing")
  func meanwhile() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule("before")
    let path = bench.path
    bench.observer.answer { _ in
      unlink(path + "-wal")
      return []
    }
    var edit = AlarmEdit()
    edit.label = "after"
    try bench.submit(EditChange(Selection(numbers: [alarm.number]), edit))
    #expect(try labels(of: bench) == ["after"])
  }

  /// The files as another program finds them: copies of those that have names.
  private func labels(of bench: StoreBench) throws -> [String] {
    let copy = bench.root.appending(path: "copy-\(UUID().uuidString).db").path
    for end in ["", "-wal"] where access(bench.path + end, F_OK) == 0 {
      try FileManager.default.copyItem(atPath: bench.path + end, toPath: copy + end)
    }
    return try DatabaseQueue(path: copy).read {
      try String.fetchAll($0, sql: "SELECT label FROM alarm ORDER BY label")
    }
  }
}
