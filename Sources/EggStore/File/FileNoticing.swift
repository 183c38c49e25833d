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
    // What happened before the watch began.
    noticeFile()
    noticeWrites()
  }

  private static let noticed =
    written | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
  /// A write, or the end of writing.
  private static let written = IN_MODIFY | IN_CLOSE_WRITE

  private func notice(_ events: [Inotify.Event], of name: String) {
    let gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED
    if events.contains(where: {
      $0.name == name && !($0.isAny(of: Self.written) && opened != nil) || $0.isAny(of: gone) || $0.isOverflow
    }) {
      noticeFile()
    }
    // SQLite never moves these, nor deletes those that it has open; another's in their place belong to no connection
    // that is open.
    let companions = [name + "-wal", name + "-shm"]
    if events.contains(where: { companions.contains($0.name) && $0.isAny(of: IN_MOVED_TO) }) {
      letGoOfFile()
      openAgain()
    } else if events.contains(where: {
      companions.contains($0.name) && $0.isAny(of: IN_DELETE | IN_MOVED_FROM)
    }) {
      // Where it fails every commit tries again before it.
      do { try saveLostLog() } catch { tellFailure(StoreFailure(error), reason: StoreFailure.reason(error)) }
    }
    // An event comes before the commit it belongs to is visible; the write lock waits for that.
    if events.contains(where: { $0.name == name + "-wal" && $0.isAny(of: Self.written) || $0.isOverflow }) {
      noticing.begin()
      noticeWrites()
    }
    if events.contains(where: { $0.isAny(of: gone) }) {
      watch = nil
      retryLater()
    }
  }

  /// Looks whether the file that was opened is still there, and where it is not, for another.
  func noticeFile() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return }
    if let opened, opened.identity != file.identity { letGoOfFile() }
    if opened == nil { openAgain() }
  }

  private func letGoOfFile() {
    guard let opened else { return }
    // What is in the WAL goes into the file, wherever that is now, and the WAL becomes empty: it must not
    // be replayed onto another file that is put in its place.
    _ = try? opened.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    letGo(reason: "the database was moved, replaced or deleted")
    log(.takenAway)
  }

  /// Longer than most commits hold their lock. Nothing else is done meanwhile.
  private static let noticePatience: Duration = .milliseconds(20)

  private func noticeWritesLater() {
    let (turn, pause) = noticing.next()
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) {
      if turn == self.noticing.turn { self.noticeWrites() }
    }
  }

  /// Looks whether another program has committed; while one holds a lock, again and again.
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
      guard startOver() else {
        // Not noted before everything was read anew.
        if self.opened?.pool === opened.pool { self.opened?.version = opened.version }
        return noticeWritesLater()
      }
      log(.foreignWrite)
    } catch {
      if StoreFailure(error) == .corrupt, salvageNow(error) { return }
      noticeWritesLater()
    }
  }
}

/// When it is looked again whether another program has committed. A transaction that stays open is no reason to look
/// all the time: the commit that ends it writes to the log, and that is told.
struct Noticing {
  private static let shortest = 50
  private static let longest = 60_000
  /// Only the look that was planned last is made.
  private(set) var turn = 0
  private var pause = shortest

  /// The log was written to.
  mutating func begin() { pause = Self.shortest }

  /// The next look, and how long to wait for it, in ms: twice as long each time.
  mutating func next() -> (turn: Int, pause: Int) {
    turn += 1
    defer { pause = min(pause * 2, Self.longest) }
    return (turn, pause)
  }
}
