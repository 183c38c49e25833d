import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Glibc
import Testing

@testable import EggStore

@Suite("The database's log is deleted from outside")
struct LostLogTests {
  @Test("What is acknowledged afterwards is on the disk", arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
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

  @Test("What was acknowledged before is saved, though nothing is changed afterwards")
  func noticed() throws {
    let bench = try StoreBench()
    try bench.schedule("before")
    unlink(bench.path + "-wal")
    #expect(eventually { bench.events.all.contains(.logLost) ? true : nil } == true)
    #expect(try labels(of: bench) == ["before"])
  }

  @Test("A deletion while a change is committed loses nothing of it")
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

  /// As another program finds them that opens copies of the files that have names.
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
