import Glibc

/// Where a user's files are (XDG Base Directory Specification). A path that is not absolute counts as unset.
package struct BaseDirectories {
  private let variable: (String) -> String?

  /// - Parameter variable: Environment variables by name.
  package init(variable: @escaping (String) -> String?) { self.variable = variable }

  /// nil without a home, as the following ones.
  package var state: String? { directory("XDG_STATE_HOME", else: ".local/state") }
  package var configuration: String? { directory("XDG_CONFIG_HOME", else: ".config") }
  package var data: String? { directory("XDG_DATA_HOME", else: ".local/share") }

  /// Where data is looked for, the user's own first.
  package var allData: [String] {
    let shared = variable("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    return [data].compactMap { $0 }
      + shared.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  /// XDG_RUNTIME_DIR; without it /run/user/UID if that user owns it, else nil.
  package func runtime(of user: uid_t) -> String? {
    if let directory = path("XDG_RUNTIME_DIR") { return directory }
    let directory = "/run/user/\(user)"
    var status = stat()
    guard lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == user else {
      return nil
    }
    return directory
  }

  private func directory(_ name: String, else folder: String) -> String? {
    path(name) ?? path("HOME").map { "\($0)/\(folder)" }
  }

  private func path(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
