import Dispatch
import Glibc

/// Reports that a file of one name appears in its directory. Releasing it is slow; to watch again later,
/// pause it.
package final class DirectoryWatch {
  private let inotify: Inotify
  private let directory: String
  private var watched: Int32?

  /// nil at the kernel's limits. Begins with ``watch()``; `appeared` is called on `queue`.
  package init?(path: String, queue: DispatchQueue, appeared: @escaping @Sendable () -> Void) {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let name = path[path.index(after: slash)...]
    let inotify = Inotify(queue: queue) { events in
      if events.contains(where: { $0.name == name }) { appeared() }
    }
    guard let inotify else { return nil }
    self.inotify = inotify
    directory = slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package func watch() {
    watched = watched ?? inotify.watch(directory, for: IN_CREATE | IN_MOVED_TO | IN_ATTRIB)
  }

  /// Stops until ``watch()``.
  package func pause() {
    if let watched { inotify.forget(watched) }
    watched = nil
  }
}
