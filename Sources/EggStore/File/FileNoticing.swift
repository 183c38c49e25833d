import EggTime
import Dispatch
import GRDB
import Glibc
import LinuxIO

/// Other programs' writes, and the file's disappearance.
extension AlarmStore {
  func watchFile() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return }
    let (directory, name) = file.parts
    watch = Inotify(queue: queue) { [weak self] events in self?.notice(events, of: name) }
    if watch?.watch(directory, for: Self.noticed) == nil { watch = nil }
    if watch == nil, access(directory, F_OK) == 0 {
      if !isUnwatchedTold { log(.unwatched) }
      isUnwatchedTold = true
    }
    // Events may have preceded the watch.
    noticeFile()
    noticeWrites()
  }

  private static let noticed =
    written | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
  private static let written = IN_MODIFY | IN_CLOSE_WRITE

  private func notice(_ events: [Inotify.Event], of name: String) {
    let gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED
    if events.contains(where: {
      $0.name == name && !($0.isAny(of: Self.written) && opened != nil) || $0.isAny(of: gone) || $0.isOverflow
    }) {
      noticeFile()
    }
    // SQLite never moves these, nor deletes them while open. A replacement belongs to no open connection.
    let companions = [name + "-wal", name + "-shm"]
    if events.contains(where: { companions.contains($0.name) && $0.isAny(of: IN_MOVED_TO) }) {
      letGoOfFile()
      openAgain()
    } else if events.contains(where: {
      companions.contains($0.name) && $0.isAny(of: IN_DELETE | IN_MOVED_FROM)
    }) {
      // On failure, every commit tries again first.
      do { try saveLostLog() } catch { tellFailure(StoreFailure(error), reason: StoreFailure.reason(error)) }
    }
    // The event precedes the visibility of its commit; waiting for the write lock closes the gap.
    if events.contains(where: { $0.name == name + "-wal" && $0.isAny(of: Self.written) || $0.isOverflow }) {
      noticing.begin()
      noticeWrites()
    }
    if events.contains(where: { $0.isAny(of: gone) }) {
      watch = nil
      retryLater()
    }
  }

  /// Checks whether the opened file still exists; if not, looks for another.
  func noticeFile() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return }
    if let opened, opened.identity != file.identity { letGoOfFile() }
    if opened == nil { openAgain() }
  }

  private func letGoOfFile() {
    guard let opened else { return }
    // Checkpoints the WAL into the file, wherever that is now, and empties it: it must not be replayed onto a
    // replacement.
    _ = try? opened.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    letGo(reason: translatable("the database was moved, replaced or deleted"))
    log(.takenAway)
  }

  /// Longer than most commits hold their lock. Blocks the queue.
  private static let noticePatience: Duration = .milliseconds(20)

  private func noticeWritesLater() {
    let (turn, pause) = noticing.next()
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) {
      if turn == self.noticing.turn { self.noticeWrites() }
    }
  }

  /// Checks whether another program has committed; again and again while one holds a lock.
  func noticeWrites() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, let opened else { return }
    do {
      var version: Int?
      try file.patience.shortened(to: Self.noticePatience) {
        try opened.pool.writeWithoutTransaction { database in
          try database.inTransaction(opened.isReadOnly ? .deferred : .immediate) {
            version = try Int.fetchOne(database, sql: "PRAGMA data_version")
            if version != opened.version { try learnBoots(database) }
            return .rollback
          }
        }
      }
      guard version != opened.version else { return }
      self.opened?.version = version
      self.opened?.hasFailed = false
      guard startOver() else {
        // Recorded only after everything was read again.
        if self.opened?.pool === opened.pool {
          self.opened?.version = opened.version
          self.opened?.hasFailed = opened.hasFailed
        }
        return noticeWritesLater()
      }
      if !opened.hasFailed { log(.foreignWrite) }
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { return }
      noticeWritesLater()
    }
  }
}

/// When to check again for another program's commit. A transaction that stays open needs no polling: the
/// commit that ends it writes to the log, which is an event.
struct Noticing {
  private static let shortest = 50
  private static let longest = 60_000
  /// Only the last planned check runs.
  private(set) var turn = 0
  private var pause = shortest

  /// The log was written.
  mutating func begin() { pause = Self.shortest }

  /// The next check and its delay in ms, doubled each time.
  mutating func next() -> (turn: Int, pause: Int) {
    turn += 1
    defer { pause = min(pause * 2, Self.longest) }
    return (turn, pause)
  }
}
