import EggProtocol
import Glibc
import LinuxIO

/// config.toml, which the person writes.
package enum ConfigurationFile {
  /// In bytes. It is read at each start, before the first ring.
  package static let largest = 65_536

  /// Where it is; nil where the environment names no place.
  package static func path(_ environment: [String: String]) -> String? {
    BaseDirectories { environment[$0] }.configuration.map { $0 + "/eggd/config.toml" }
  }

  /// Its bytes; nil where there is none. Obeys only what no other user can change.
  package static func contents(_ path: String) throws(ConfigurationMistake) -> [UInt8]? {
    let bytes: [UInt8]
    do throws(SafeFile.Failure) {
      bytes = try SafeFile.read(path, upTo: largest + 1)
    } catch {
      switch error {
      case .failed(ENOENT), .failed(ENOTDIR): return nil
      case .failed(let code):
        throw ConfigurationMistake(file: path, reason: "cannot be read: \(String(cString: strerror(code)))")
      case .notRegular, .notOurs: throw ConfigurationMistake(file: path, reason: "is not a regular file")
      }
    }
    guard bytes.count <= largest else {
      throw ConfigurationMistake(file: path, reason: "is larger than \(largest) bytes")
    }
    if let reason = FileSystem.exposure(of: path) {
      throw ConfigurationMistake(file: path, reason: reason)
    }
    return bytes
  }
}
