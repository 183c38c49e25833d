import Alarms
import EggTime
import Dispatch
import EggStore
import Glibc

/// Why eggd could not start, as a sentence with an exit status.
package struct StartFailure {
  package var message: String
  package var hint: String?
  /// 0, 1, 64, 78 or 79.
  package var status: Int32

  /// What an error at the start means to the person who reads it.
  package init(_ error: any Error) {
    switch error {
    case let error as ConfigurationError:
      message = error.description
      hint = error.exitStatus == 64 ? "eggd --help" : nil
      status = error.exitStatus
    case let error as ListeningSocket.Failure:
      message = error.description
      status = error.exitStatus
    case let error as StoreOpenError:
      (message, hint) = error.sentence
      status = error.exitStatus
    default:
      message = String(describing: error)
      status = 1
    }
  }

  /// Says so: in the journal where standard error leads there (systemd sets JOURNAL_STREAM), else on standard
  /// error. Then ends the process.
  package func end(environment: [String: String]) -> Never {
    if environment["JOURNAL_STREAM"] != nil {
      let journal = Journal(queue: DispatchQueue(label: "journal"), clock: SystemClock())
      journal.log(.startRefused(status: status, reason: message, hint: hint))
      journal.flush()
    } else {
      var text = "eggd: error: \(message)\n"
      if let hint { text += "eggd: hint: \(hint)\n" }
      // If standard error is closed, there is nowhere to report it.
      _ = text.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    exit(status)
  }
}

extension StoreOpenError {
  /// The path, or the folder above it where something exists.
  private static func existing(_ path: String) -> String {
    var path = path
    while access(path, F_OK) != 0, let end = path.lastIndex(of: "/") { path = String(path[..<end]) }
    return path.isEmpty ? "/" : path
  }

  /// One line, lower case, and what to do about it.
  fileprivate var sentence: (message: String, hint: String?) {
    switch self {
    case .locked(let path, let pid):
      (
        "another eggd\(pid.map { " (process \($0))" } ?? "") has the schedule in '\(path)'",
        "systemctl --user status eggd"
      )
    case .newer(let path, let version, let known):
      (
        "'\(path)' was written by a newer eggd (schema \(version); this one knows \(known)); nothing was changed",
        "install that eggd again"
      )
    case .older(let path, let version, let known):
      (
        "'\(path)' was written by an eggd too old for this one (schema \(version); this one reads \(known) and later);"
          + " nothing was changed",
        "run eggctl export with the eggd that wrote it; move the file away; run eggctl import with this one"
      )
    case .foreign(let path): ("'\(path)' is the database of another program", nil)
    case .networkFileSystem(let path, let type):
      (
        "'\(path)' lies on a network file system (\(type)), where the schedule can't be kept safely",
        "set XDG_STATE_HOME to a folder on a local disk"
      )
    case .notAFile(let path): ("'\(path)' is no file", "ls -ld \(path.inSingleQuotes)")
    case .notPermitted(let path, let reason):
      ("'\(path)': \(reason)", "ls -ld \(Self.existing(path).inSingleQuotes)")
    case .notDurable(let path): ("SQLite does not sync '\(path)' at each commit", nil)
    case .cannotOpen(let path, let reason): ("cannot open '\(path)': \(reason)", nil)
    case .sandboxed(let path):
      (
        "the unit's sandbox does not let eggd write in '\(path)'",
        "systemctl --user edit eggd, and add below [Service]: ReadWritePaths=\(path)"
      )
    }
  }
}
