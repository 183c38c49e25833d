import Alarms
import Dispatch
import EggTime
import GRDB
import Glibc

/// Opening the file: at the start, and again after it was away.
extension AlarmStore {
  /// Any failure that leaves nothing to ring from is thrown.
  func openAtStart() throws(StoreOpenError) {
    do {
      try file.finishSalvage(at: clock.read().wall)
      do {
        var kind = try file.look()
        if kind == .missing {
          try file.setAsideStray(at: clock.read().wall)
          try file.create()
          kind = .version(0)
        }
        try open(kind)
      } catch  where StoreFailure(error) == .corrupt {
        try salvage(error)
      }
    } catch {
      throw refusal(error)
    }
  }

  /// Opens the file where it is a valid one by now. Not one that is empty: it may be being copied.
  func openAgain() {
    dispatchPrecondition(condition: .onQueue(queue))
    let state = file.state
    if opened == nil, let lookedAtInVain, lookedAtInVain == state { return }
    let was = condition
    do {
      if opened?.isReadOnly == true {
        guard try opensForWriting() else { return }
      } else if try !opensValid() {
        lookedAtInVain = state
        return
      }
    } catch {
      // A disk that fails tells nobody when it works again.
      let isOfDisk = StoreFailure.isOfDisk(error)
      lookedAtInVain = isOfDisk ? nil : file.state
      if isOfDisk, opened == nil { retryLater() }
      return
    }
    lookedAtInVain = nil
    unsalvaged = nil
    guard condition != was else { return }
    isFailing = false
    watchFile()
    if condition == .writable { log(.availableAgain) }
    startOver()
    if !pending.isEmpty { commitSoon() }
  }

  /// Whether there is a database now. One that could not be salvaged is, if that is what it takes.
  private func opensValid() throws -> Bool {
    let isOurs = unsalvaged != nil
    if isOurs { try file.finishSalvage(at: clock.read().wall) }
    do {
      let kind = try file.look()
      guard case .version(1...) = kind else { return false }
      try open(kind)
    } catch  where StoreFailure(error) == .corrupt && isOurs && unsalvaged == file.identity {
      try salvage(error)
    }
    return true
  }

  /// Whether a file that was opened for reading takes writes by now; then it is opened for them.
  private func opensForWriting() throws -> Bool {
    guard access(file.path, W_OK) == 0, access(directory.path, W_OK) == 0, !file.needsNoIndex else {
      return false
    }
    let reason = unavailability
    // All connections of a process share the log's index: as long as one has it open for reading, none can write to it.
    letGo(reason: reason)
    do {
      try adopt(try file.openForWriting(), readOnly: nil)
    } catch {
      try adopt(try file.openForReading(), readOnly: reason)
      return false
    }
    return true
  }

  /// Opens what the first look has found.
  private func open(_ kind: DatabaseFile.Kind) throws {
    let version: Int
    switch kind {
    case .version(let found): version = found
    case .newer(let version):
      throw StoreOpenError.newer(path: file.path, version: version, known: Schema.version)
    case .foreign: throw StoreOpenError.foreign(path: file.path)
    case .missing: throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
    }
    do {
      if file.needsNoIndex { throw DatabaseError(resultCode: .SQLITE_FULL) }
      let pool = try file.openForWriting()
      do {
        try bring(pool, upToDateFrom: version)
        try pool.writeWithoutTransaction { try Schema.check($0) }
      } catch {
        try? pool.close()
        throw error
      }
      try adopt(pool, readOnly: nil)
    } catch let error as DatabaseError where StoreFailure(error) != .corrupt && StoreFailure(error) != .busy {
      // What is there can still ring. A file that this eggd's tables are not in can't.
      guard version == Schema.version else { throw error }
      guard let pool = try? file.openForReading() else { throw error }
      let reason = StoreFailure.reason(error)
      try adopt(pool, readOnly: reason)
      log(.readOnly(reason: reason))
    }
  }

  /// Runs the migrations that are missing; a file that has alarms is copied first.
  private func bring(_ pool: DatabasePool, upToDateFrom version: Int) throws {
    guard version < Schema.version else { return }
    let copy = file.path + ".v\(version)-\(Self.stamp(clock.read().wall))"
    try pool.writeWithoutTransaction { database in
      if version > 0 { try file.copy(database, as: copy) }
      try database.inTransaction(.immediate) {
        try Schema.migrate(database, from: version)
        return .commit
      }
    }
    if version > 0 { log(.migrated(from: version, to: Schema.version, copy: copy)) }
  }

  private func refusal(_ error: any Error) -> StoreOpenError {
    if let error = error as? StoreOpenError { return error }
    if error is DatabaseFile.NotDurable { return .notDurable(path: file.path) }
    let reason = StoreFailure.reason(error)
    if access(directory.path, R_OK | X_OK) != 0 { return .notPermitted(path: directory.path, reason: reason) }
    if file.isNoFile { return .notAFile(path: file.path) }
    if file.identity != nil, access(file.path, R_OK) != 0 {
      return .notPermitted(path: file.path, reason: reason)
    }
    return .cannotOpen(path: file.path, reason: reason)
  }

  /// A moment as it is part of a file's name: UTC, `20261120T213430Z`.
  static func stamp(_ moment: Instant) -> String {
    var seconds = time_t(moment.microseconds / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let length = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
