import Foundation
import GRDB
import LinuxIO
import Testing

@testable import EggStore

@Suite("One open file")
final class OpenFileTests {
  private let folder: URL
  private let file: DatabaseFile
  private let opened: OpenFile

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "eggd-open-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = DatabaseFile(path: folder.path + "/schedule.db", connections: KeptConnections())
    try file.create()
    let pool = try file.openForWriting()
    try pool.write { try Schema().create(in: $0) }
    opened = try OpenFile(
      pool, of: file, try #require(FileLock(file.path)), begin: { _ in })
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func setSequence(_ sequence: Int, _ database: Database) throws {
    try database.execute(sql: "UPDATE schedule SET sequence = ?", arguments: [sequence])
  }

  private func write(_ sequence: Int, takeUp: () -> Void = {}) throws -> OpenFile.Seen? {
    try opened.inTransaction(takeUp: { _ in takeUp() }) { try setSequence(sequence, $0) }
  }

  private func stranger() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  @Test("Its own commits are nobody else's")
  func own() throws {
    #expect(try write(1) == nil)
    #expect(try opened.notice { _ in } == nil)
  }

  @Test("A transaction sees another program's commit before it changes anything, once")
  func foreign() throws {
    try stranger().write { try setSequence(5, $0) }
    var takenUp = 0
    #expect(try write(6) { takenUp += 1 }?.hasFailed == false)
    #expect(try write(7) { takenUp += 1 } == nil)
    #expect(takenUp == 1)
  }

  @Test("A noticed commit is noticed again only if it is forgotten")
  func noticed() throws {
    try stranger().write { try setSequence(5, $0) }
    let commit = try #require(try opened.notice { _ in })
    #expect(try opened.notice { _ in } == nil)
    opened.seen = commit
    #expect(try opened.notice { _ in } != nil)
  }

  @Test("While another program holds the lock, nothing is noticed")
  func locked() throws {
    let stranger = try stranger()
    try stranger.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let error = #expect(throws: DatabaseError.self) { try opened.notice { _ in } }
    #expect(error?.resultCode == .SQLITE_BUSY)
    try stranger.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
  }

  @Test("A transaction in a file that lost its name writes nothing")
  func takenAway() throws {
    #expect(opened.isInPlace)
    #expect(rename(file.path, file.path + ".moved") == 0)
    #expect(!opened.isInPlace && !opened.hasLostLog)
    #expect(throws: OpenFile.TakenAway.self) { try write(9) }
  }

  @Test("A deleted log is missed, and what it held is saved into the file")
  func lostLog() throws {
    _ = try write(3)
    #expect(!opened.hasLostLog)
    #expect(unlink(file.path + "-wal") == 0)
    #expect(opened.hasLostLog)
    try opened.saveLog()
    opened.close()
    let sequence = try stranger().read { try Int.fetchOne($0, sql: "SELECT sequence FROM schedule") }
    #expect(sequence == 3)
  }

  @Test("Once closed, its lock is free")
  func close() {
    #expect(FileLock(file.path) == nil)
    opened.close()
    #expect(FileLock(file.path) != nil)
  }
}
