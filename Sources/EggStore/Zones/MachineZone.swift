import EggTime
import Glibc
import Synchronization

/// The machine's zone as it was last read; the last good one where it can't be read.
package final class MachineZone: Sendable {
  private struct State {
    var zone: Zone
    var mark: Mark
  }

  /// What tells one link or file from another without reading it.
  private struct Mark: Hashable {
    var link: File?
    var linked: File?
    var zone: File?

    struct File: Hashable {
      var device: dev_t
      var inode: ino_t
      var seconds: Int
      var nanoseconds: Int
    }
  }

  /// Where this zone and all others come from.
  package let source: ZoneSource
  private let state: Mutex<State>
  private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

  /// The zone as it is now; UTC where it can't be read.
  package init(_ source: ZoneSource = .machine) {
    self.source = source
    let zone = (try? source.local()) ?? .utc
    state = Mutex(State(zone: zone, mark: Self.mark(source, zone)))
  }

  /// As it was when it was last looked at. Any thread, no I/O.
  package var current: Zone { state.withLock { $0.zone } }

  /// Reads it anew if its link or its file is another by now, and tells the follower. Not for the scheduler's queue.
  package func refresh() -> Zone {
    let (zone, mark) = state.withLock { ($0.zone, $0.mark) }
    guard mark != Self.mark(source, zone) else { return zone }
    _ = try? read()
    onChange.withLock { $0 }?()
    return current
  }

  /// Reads it in any case. Not for the scheduler's queue.
  @discardableResult
  func read() throws(ZoneError) -> Zone {
    let zone = try source.local()
    keep(zone)
    return zone
  }

  /// Takes a zone for the machine's, where that can't be read.
  func keep(_ zone: Zone) {
    // Read without the lock, for which the scheduler's queue would wait.
    let mark = Self.mark(source, zone)
    state.withLock { $0 = State(zone: zone, mark: mark) }
  }

  /// Has that called, on any thread, when ``refresh()`` finds a change.
  func follow(_ body: @escaping @Sendable () -> Void) { onChange.withLock { $0 = body } }

  private static func mark(_ source: ZoneSource, _ zone: Zone) -> Mark {
    func file(_ path: String, _ look: (String, inout stat) -> Int32) -> Mark.File? {
      var status = stat()
      guard look(path, &status) == 0 else { return nil }
      return Mark.File(
        device: status.st_dev, inode: status.st_ino, seconds: status.st_mtim.tv_sec,
        nanoseconds: status.st_mtim.tv_nsec)
    }
    let link = source.localPath
    return Mark(
      link: link.flatMap { file($0) { lstat($0, &$1) } }, linked: link.flatMap { file($0) { stat($0, &$1) } },
      zone: zone.path.flatMap { file($0) { stat($0, &$1) } })
  }
}
