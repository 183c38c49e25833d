import Dispatch
import Glibc
import LinuxIO

/// Whether an icon can be shown by its name (Icon Theme Specification). The notification server's theme is not known:
/// one that some theme has is there. It has a queue of its own, because it looks into many folders.
final class IconTheme: Sendable {
  private let folders: [String]
  private let queue = DispatchQueue(label: "icons")
  private let answers: DispatchQueue

  /// `answers` is the queue to answer on.
  init(environment: [String: String], answers: DispatchQueue) {
    let directories = BaseDirectories { environment[$0] }
    folders =
      directories.allData.map { $0 + "/icons" }
      + [environment["HOME"].map { $0 + "/.icons" }].compactMap { $0 }
    self.answers = answers
  }

  /// Calls `body` if no theme has an icon of that name. eggd's own, and a file, is always there.
  func lacks(_ icon: String, _ body: @escaping () -> Void) {
    guard icon != "eggd", !icon.hasPrefix("/") else { return }
    // On the queue on which it was given.
    nonisolated(unsafe) let body = body
    queue.async { [self] in
      if !has(icon) { answers.async { body() } }
    }
  }

  private func has(_ icon: String) -> Bool {
    let names = [".svg", ".png", ".xpm"].map { icon + $0 }
    // THEME/SIZE/CONTEXT and THEME/CONTEXT/SIZE, or not below a theme.
    return folders.contains { holds(names, in: $0, depth: 3) }
      || names.contains { access("/usr/share/pixmaps/\($0)", F_OK) == 0 }
  }

  private func holds(_ names: [String], in folder: String, depth: Int) -> Bool {
    if names.contains(where: { access("\(folder)/\($0)", F_OK) == 0 }) { return true }
    guard depth > 0 else { return false }
    return (FileSystem.names(in: folder) ?? []).contains {
      !$0.hasPrefix(".") && holds(names, in: "\(folder)/\($0)", depth: depth - 1)
    }
  }
}
