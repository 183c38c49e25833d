import Glibc

/// config.toml, which the person writes.
package enum ConfigurationFile {
  /// In bytes. It is read at each start, before the first ring.
  package static let largest = 65_536

  /// Where it is (XDG Base Directory Specification); nil where the environment names no place.
  package static func path(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return folder + "/eggd/config.toml"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.config/eggd/config.toml"
  }

  /// Its bytes; nil where there is none. Reads regular files alone: a FIFO would make eggd wait.
  package static func contents(_ path: String) throws(ConfigurationMistake) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable(path)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw unreadable(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationMistake(file: path, reason: "is not a regular file")
    }
    var bytes = [UInt8](repeating: 0, count: largest + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { return Array(bytes[..<filled]) }
      filled += count
    }
    throw ConfigurationMistake(file: path, reason: "is larger than \(largest) bytes")
  }

  private static func unreadable(_ path: String) -> ConfigurationMistake {
    ConfigurationMistake(file: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
  }
}
