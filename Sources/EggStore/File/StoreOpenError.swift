/// Why eggd can't start on its state.
package enum StoreOpenError: Error, Hashable, Sendable {
  /// Another eggd has the directory; its pid where the lock file tells it.
  case locked(path: String, pid: Int32?)
  /// The schema is of a newer eggd; the file was not touched.
  case newer(path: String, version: Int, known: Int)
  /// An SQLite database of some other program.
  case foreign(path: String)
  /// WAL can't work there.
  case networkFileSystem(path: String, type: String)
  /// A folder, a socket or a device has the database's name.
  case notAFile(path: String)
  /// Not ours, or not readable by us.
  case notPermitted(path: String, reason: String)
  /// SQLite does not keep `synchronous` at FULL: an acknowledged change would not be durable.
  case notDurable(path: String)
  case cannotOpen(path: String, reason: String)
  /// The unit's sandbox does not let us write there.
  case sandboxed(path: String)

  /// 79 where eggd would start without the unit's sandbox, 78 where a restart can't help, else 1.
  package var exitStatus: Int32 {
    switch self {
    case .newer, .foreign, .networkFileSystem, .notAFile, .notPermitted: 78
    case .locked, .notDurable, .cannotOpen: 1
    case .sandboxed: 79
    }
  }
}
