import Dispatch
import Glibc

/// Tells when a file of one name appears in its directory. Ends with its last reference.
final class DirectoryWatch {
  private let inotify: Inotify

  /// nil where the directory cannot be watched. `appeared` is called on `queue`.
  init?(path: String, queue: DispatchQueue, appeared: @escaping @Sendable () -> Void) {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = path[path.index(after: slash)...]
    let inotify = Inotify(queue: queue) { events in
      if events.contains(where: { $0.name == name }) { appeared() }
    }
    guard let inotify, inotify.watch(directory, for: IN_CREATE | IN_MOVED_TO | IN_ATTRIB) != nil else {
      return nil
    }
    self.inotify = inotify
  }
}
