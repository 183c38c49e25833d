import Dispatch
import Glibc
import LinuxIO

/// Watches the folder of the database. Confined to the queue of its events.
final class FileWatch {
  struct Events: OptionSet {
    let rawValue: Int
    /// The file was made, moved or deleted.
    static let file = Events(rawValue: 1)
    static let fileWritten = Events(rawValue: 2)
    /// -wal was written: somebody may have committed.
    static let logWritten = Events(rawValue: 4)
    /// Another -wal or -shm has come. SQLite never moves these: it belongs to no open connection.
    static let logReplaced = Events(rawValue: 8)
    /// -wal or -shm are gone. SQLite never deletes these while they are open.
    static let logGone = Events(rawValue: 16)
    /// The folder is gone: nothing more is noticed.
    static let folderGone = Events(rawValue: 32)
  }

  private let inotify: Inotify

  private static let written = IN_MODIFY | IN_CLOSE_WRITE
  private static let gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED
  private static let watched =
    written | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF

  /// nil where the folder is missing, or at the kernel's limits. `noticed` is called on `queue`.
  init?(_ file: (directory: String, name: String), queue: DispatchQueue, noticed: @escaping (Events) -> Void)
  {
    let inotify = Inotify(queue: queue) { noticed(Self.meaning(of: $0, for: file.name)) }
    guard let inotify, inotify.watch(file.directory, for: Self.watched) != nil else { return nil }
    self.inotify = inotify
  }

  static func meaning(of events: [Inotify.Event], for name: String) -> Events {
    var all: Events = []
    for event in events {
      if event.isOverflow { all.formUnion([.file, .logWritten]) }
      if event.isAny(of: gone) { all.formUnion([.file, .folderGone]) }
      if event.name == name { all.insert(event.isAny(of: written) ? .fileWritten : .file) }
      guard event.name == name + "-wal" || event.name == name + "-shm" else { continue }
      if event.isAny(of: IN_MOVED_TO) { all.insert(.logReplaced) }
      if event.isAny(of: IN_DELETE | IN_MOVED_FROM) { all.insert(.logGone) }
      if event.name == name + "-wal", event.isAny(of: written) { all.insert(.logWritten) }
    }
    return all
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
