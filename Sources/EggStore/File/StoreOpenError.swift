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
