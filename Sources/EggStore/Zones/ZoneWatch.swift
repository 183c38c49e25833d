import Dispatch
import Glibc
import LinuxIO

/// Watches zone files, and the links and folders that lead to them. Confined to its queue.
package final class ZoneWatch {
  private let inotify: Inotify
  private let follower: Follower

  /// Folders by watch descriptor, with the relevant names in each.
  private final class Follower {
    var names: [Int32: Set<String>] = [:]
  }

  /// nil where the kernel gives no watch. `changed` is called on `queue`.
  init?(queue: DispatchQueue, changed: @escaping () -> Void) {
    let follower = Follower()
    let inotify = Inotify(queue: queue) { events in
      let matters = events.contains { event in
        if event.isOverflow { return true }
        guard let names = follower.names[event.watch] else { return false }
        // No name: the folder itself is gone.
        return event.name.isEmpty || names.contains(event.name)
      }
      if matters { changed() }
    }
    guard let inotify else { return nil }
    self.inotify = inotify
    self.follower = follower
  }

  /// Watches exactly these paths and everything that leads to them.
  ///
  /// - Returns: Whether a new watch was added: its target may have changed before.
  func follow(_ paths: Set<String>) -> Bool {
    var steps: [String: Set<String>] = [:]
    for path in paths { Self.walk(path, into: &steps) }
    var names: [Int32: Set<String>] = [:]
    let mask =
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR
    for (folder, found) in steps {
      if let watch = inotify.watch(folder, for: mask) { names[watch, default: []].formUnion(found) }
    }
    let old = follower.names
    for watch in old.keys where names[watch] == nil { inotify.forget(watch) }
    follower.names = names
    return names.contains { watch, found in !found.isSubset(of: old[watch] ?? []) }
  }

  /// Collects each folder on the way to a path with the next name in it. Each followed link is a step.
  private static func walk(_ path: String, into steps: inout [String: Set<String>]) {
    var folder = "/"
    var rest = names(of: path)[...]
    var links = 0
    while let name = rest.popFirst() {
      if name == ".." {
        folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
        if folder.isEmpty { folder = "/" }
        continue
      }
      steps[folder, default: []].insert(name)
      let next = folder == "/" ? "/" + name : folder + "/" + name
      var status = stat()
      guard lstat(next, &status) == 0 else { return }
      guard status.st_mode & S_IFMT == S_IFLNK else {
        folder = next
        continue
      }
      links += 1
      guard links <= 40, let target = target(of: next) else { return }
      if target.hasPrefix("/") { folder = "/" }
      rest = (names(of: target) + rest)[...]
    }
  }

  private static func names(of path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map { String($0) }
  }

  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
