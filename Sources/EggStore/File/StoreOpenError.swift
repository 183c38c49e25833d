import Glibc
import LinuxIO

/// Why eggd cannot start on its state.
package enum StoreOpenError: Error, Hashable, Sendable {
  /// Another eggd holds the directory; its pid if the lock file has it.
  case locked(path: String, pid: Int32?)
  /// A newer eggd's schema; the file was not touched.
  case newer(path: String, version: Int, known: Int)
  /// A schema that no eggd of today knows; the file was not touched.
  case older(path: String, version: Int, known: Int)
  /// Another program's SQLite database.
  case foreign(path: String)
  /// WAL does not work there.
  case networkFileSystem(path: String, type: String)
  /// The database's path is a folder, a socket or a device.
  case notAFile(path: String)
  /// Not eggd's own, or unreadable.
  case notPermitted(path: String, reason: String)
  /// SQLite does not keep `synchronous` at FULL: acknowledged changes would not be durable.
  case notDurable(path: String)
  case cannotOpen(path: String, reason: String)
  /// The unit's sandbox forbids writes there.
  case sandboxed(path: String)

  /// 79 where eggd would start without the unit's sandbox, 78 where a restart cannot help, else 1.
  package var exitStatus: Int32 {
    switch self {
    case .newer, .older, .foreign, .networkFileSystem, .notAFile, .notPermitted: 78
    case .locked, .notDurable, .cannotOpen: 1
    case .sandboxed: 79
    }
  }
}

extension StoreOpenError {
  /// Why that error leaves nothing to ring from.
  init(_ error: any Error, of database: DatabaseFile, in directory: StateDirectory) {
    let reason = StoreFailure.reason(error)
    self =
      if let error = error as? StoreOpenError {
        error
      } else if error is DatabaseFile.NotDurable {
        .notDurable(path: database.path)
      } else if access(directory.path, R_OK | X_OK) != 0 {
        .notPermitted(path: directory.path, reason: reason)
      } else if database.identity != nil, !FileSystem.isFile(database.path) {
        .notAFile(path: database.path)
      } else if database.identity != nil, access(database.path, R_OK) != 0 {
        .notPermitted(path: database.path, reason: reason)
      } else {
        .cannotOpen(path: database.path, reason: reason)
      }
  }
}
