import Dispatch
import Glibc

/// Hears of what happens to files of one directory, inotify(7). Events come on the queue it was given.
final class FileWatch {
  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// One thing that happened: to that file, or to the directory itself where there is no name.
  struct Event {
    var name: String
    var mask: UInt32
    /// The watch descriptor.
    var watch: Int32

    /// A write, or the end of writing.
    var isWrite: Bool { mask & UInt32(IN_MODIFY | IN_CLOSE_WRITE) != 0 }
    /// Another file has its name now.
    var isMovedIn: Bool { mask & UInt32(IN_MOVED_TO) != 0 }
  }

  /// nil where the directory can't be watched.
  init?(directory: String, queue: DispatchQueue, handler: @escaping ([Event]) -> Void) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let mask =
      IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF
    guard inotify_add_watch(descriptor, directory, UInt32(mask)) >= 0 else {
      Glibc.close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let descriptor = descriptor
    source.setEventHandler { handler(Self.read(descriptor)) }
    source.setCancelHandler { Glibc.close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  /// All that is there to be read.
  static func read(_ descriptor: Int32) -> [Event] {
    var events: [Event] = []
    let size = 16_384
    let header = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: size, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, size)
        guard count > 0 else { return }
        var start = 0
        while start + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          let name = buffer[(start + header)..<(start + header + Int(event.len))].prefix { $0 != 0 }
          events.append(
            Event(name: String(decoding: name, as: UTF8.self), mask: event.mask, watch: event.wd))
          start += header + Int(event.len)
        }
      }
    }
    return events
  }
}

/// Other programs' writes, and the file's disappearance.
extension AlarmStore {
  func watchFile() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return }
    let (directory, name) = file.parts
    watch = FileWatch(directory: directory, queue: queue) { [weak self] events in
      self?.notice(events, of: name)
    }
    if watch == nil, access(directory, F_OK) == 0 {
      if !isUnwatchedTold { log(.unwatched) }
      isUnwatchedTold = true
    }
    // What happened before the watch began.
    noticeFile()
    noticeWrites()
  }

  private func notice(_ events: [FileWatch.Event], of name: String) {
    let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)
    let overflow = UInt32(IN_Q_OVERFLOW)
    if events.contains(where: {
      $0.name == name && !($0.isWrite && opened != nil) || $0.mask & (gone | overflow) != 0
    }) {
      noticeFile()
    }
    // SQLite never moves these; another's in their place belong to no connection that is open.
    if events.contains(where: { [name + "-wal", name + "-shm"].contains($0.name) && $0.isMovedIn }) {
      letGoOfFile()
      openAgain()
    }
    // An event comes before the commit it belongs to is visible; the write lock waits for that.
    if events.contains(where: { $0.name == name + "-wal" && $0.isWrite || $0.mask & overflow != 0 }) {
      noticeWrites()
    }
    if events.contains(where: { $0.mask & gone != 0 }) {
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
    guard !noticeIsDue else { return }
    noticeIsDue = true
    queue.asyncAfter(deadline: .now() + .milliseconds(50)) {
      self.noticeIsDue = false
      self.noticeWrites()
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
      log(.foreignWrite)
      startOver()
    } catch {
      switch StoreFailure(error) {
      case .busy: noticeWritesLater()
      case .corrupt: _ = salvageNow(error)
      default: break
      }
    }
  }
}
