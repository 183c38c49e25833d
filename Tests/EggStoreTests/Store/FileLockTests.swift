import EggTestSupport
import EggTime
import Foundation
import GRDB
import Glibc
import Testing

@testable import EggStore

@Suite("One database, one eggd")
struct FileLockTests {
  @Test(
    "A second state directory that leads to the same file is refused",
    arguments: ["symbolic link", "hard link"])
  func sameFile(by way: String) throws {
    let bench = try StoreBench()
    try bench.schedule()
    let other = bench.root.appending(path: "other")
    try FileManager.default.createDirectory(
      at: other, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let name = other.appending(path: "schedule.db").path
    if way == "hard link" { link(bench.path, name) } else { symlink(bench.path, name) }
    let found = way == "hard link" ? DatabaseFile.resolve(name) : DatabaseFile.resolve(bench.path)
    func open() throws -> AlarmStore {
      try AlarmStore(
        directory: StateDirectory(path: other.path), queue: DispatchQueue(label: "other"), clock: bench.clock,
        bootID: "boot-1", log: { _ in })
    }
    #expect(throws: StoreOpenError.locked(path: found, pid: nil)) { try open() }
    // The refusal did not release the first one's SQLite locks.
    try bench.schedule()
    bench.close()
    let second = try open()
    #expect(second.condition == .writable)
    let done = DispatchSemaphore(value: 0)
    second.close { done.signal() }
    done.wait()
  }

  @Test("SQLite's locks hold while eggd has the file open")
  func locksHold() throws {
    let bench = try StoreBench()
    try bench.schedule()
    bench.queue.sync {
      try? bench.store.file.opened?.pool.writeWithoutTransaction { database in
        try database.inTransaction(.immediate) {
          #expect(throws: DatabaseError.self) {
            try DatabaseQueue(path: bench.path).write { try $0.execute(sql: "DELETE FROM alarm") }
          }
          return .rollback
        }
      }
    }
    #expect(try bench.list().alarms.count == 1)
  }
}
