import Glibc

/// `on-ring.d`: programs that run at every ring.
enum HookDirectory {
  /// More of them are not run.
  static let most = 16

  /// Beside config.toml; nil where the environment names no place.
  static func path(_ environment: [String: String]) -> String? {
    ConfigurationFile.path(environment).map {
      $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.endIndex) + "/on-ring.d"
    }
  }

  /// The paths of its executable files by name; hidden files and backups of editors are none.
  static func programs(in directory: String) -> [String] {
    guard let folder = opendir(directory) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if !name.hasPrefix("."), !name.hasSuffix("~"), isProgram(directory + "/" + name) { names.append(name) }
    }
    return names.sorted().prefix(most).map { directory + "/" + $0 }
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & S_IXUSR != 0
  }
}
