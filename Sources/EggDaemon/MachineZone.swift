import EggTime
import Glibc
import Synchronization

/// The machine's zone, read once and again when /etc/localtime is another file by now.
package final class MachineZone: Sendable {
  private struct State {
    var zone: Zone
    var mark: Mark?
  }

  /// What tells one /etc/localtime from another without reading it.
  private struct Mark: Hashable {
    var inode: ino_t
    var link: ino_t
    var modified: Int
  }

  private let state: Mutex<State>

  /// The zone as it is now; UTC where it can't be read.
  package init() {
    state = Mutex(State(zone: (try? Zone.machine()) ?? .utc, mark: Self.mark()))
  }

  /// As it was when it was last looked at. Any thread, no I/O.
  package var current: Zone { state.withLock { $0.zone } }

  /// Looks at /etc/localtime, and reads the zone anew if it changed; the old one stays where the new one can't be
  /// read. Not for the scheduler's queue.
  package func refresh() -> Zone {
    let mark = Self.mark()
    // Read without the lock, for which the scheduler's queue would wait.
    guard mark != state.withLock({ $0.mark }), let zone = try? Zone.machine() else { return current }
    state.withLock { $0 = State(zone: zone, mark: mark) }
    return zone
  }

  private static func mark() -> Mark? {
    var link = stat()
    var file = stat()
    guard lstat("/etc/localtime", &link) == 0, stat("/etc/localtime", &file) == 0 else { return nil }
    return Mark(inode: file.st_ino, link: link.st_ino, modified: file.st_mtim.tv_sec)
  }
}
