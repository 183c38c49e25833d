import Glibc

/// The package's own files.
enum Product {
  /// The package's directory.
  static let root: String = {
    let parts = #filePath.split(separator: "/")
    return "/" + parts.dropLast(4).joined(separator: "/")
  }()

  /// The daemon as `make build` leaves it.
  static let eggd = root + "/.build/release/eggd"
  /// The command as `make build` leaves it.
  static let eggctl = root + "/.build/release/eggctl"

  /// A script of the test bed.
  static func testbed(_ name: String) -> String { "\(root)/Tests/testbed/\(name)" }
  /// A scenario's script.
  static func scenario(_ name: String) -> String { "\(root)/Tests/EndToEndTests/Scenarios/\(name)" }
}

/// Whether what boots a systemd, mounts a disk or acts as another user can run.
let isRoot = geteuid() == 0

/// This process's own value, where there is one.
func inherited(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
