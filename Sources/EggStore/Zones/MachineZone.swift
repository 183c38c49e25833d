import EggTime
import Glibc
import Synchronization

/// The machine's zone as last read; if it becomes unreadable, the last good one.
package final class MachineZone: Sendable {
  private struct State {
    var zone: Zone
    var mark: Mark
  }

  /// Identifies the link, what it leads to, and the zone's file, without reading them.
  private typealias Mark = [FileState?]

  /// The source of this and all other zones.
  package let source: ZoneSource
  private let state: Mutex<State>
  private let onChange = Mutex<(@Sendable () -> Void)?>(nil)

  /// UTC where the zone cannot be read.
  package init(_ source: ZoneSource = .machine) {
    self.source = source
    let zone = (try? source.local()) ?? .utc
    state = Mutex(State(zone: zone, mark: Self.mark(source, zone)))
  }

  /// As last read. Any thread, no I/O.
  package var current: Zone { state.withLock { $0.zone } }

  /// Reads it again if its link or file changed, and tells the follower. Does I/O: not for the scheduler's
  /// queue.
  package func refresh() -> Zone {
    let (zone, mark) = state.withLock { ($0.zone, $0.mark) }
    guard mark != Self.mark(source, zone) else { return zone }
    _ = try? read()
    onChange.withLock { $0 }?()
    return current
  }

  /// Reads it unconditionally. Does I/O: not for the scheduler's queue.
  @discardableResult
  func read() throws(ZoneError) -> Zone {
    let zone = try source.local()
    keep(zone)
    return zone
  }

  /// Uses this zone where the machine's cannot be read.
  func keep(_ zone: Zone) {
    // Outside the lock, which the scheduler's queue takes.
    let mark = Self.mark(source, zone)
    state.withLock { $0 = State(zone: zone, mark: mark) }
  }

  /// Sets what ``refresh()`` calls, on any thread, when it finds a change.
  func follow(_ body: @escaping @Sendable () -> Void) { onChange.withLock { $0 = body } }

  private static func mark(_ source: ZoneSource, _ zone: Zone) -> Mark {
    [
      FileState(source.localPath, flags: AT_SYMLINK_NOFOLLOW), FileState(source.localPath),
      FileState(zone.path),
    ]
  }
}
