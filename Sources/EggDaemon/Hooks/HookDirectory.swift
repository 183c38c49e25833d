import Glibc
import LinuxIO

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

  struct Program {
    var path: String
    /// Why another user could change it: then it does not run.
    var exposure: String?
  }

  /// Its executable files by name; hidden files and backups of editors are none.
  static func programs(in directory: String) -> [Program] {
    let names = (FileSystem.names(in: directory) ?? []).filter { name in
      !name.hasPrefix(".") && !name.hasSuffix("~") && isProgram(directory + "/" + name)
    }
    let exposure = FileSystem.exposure(of: directory).map { "on-ring.d: \($0)" }
    return names.sorted().prefix(most).map { name in
      let path = directory + "/" + name
      return Program(path: path, exposure: exposure ?? FileSystem.exposure(of: path))
    }
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & S_IXUSR != 0
  }
}
