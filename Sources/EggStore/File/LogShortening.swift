import Dispatch
import GRDB
import Glibc

/// The log after a change of very many alarms.
extension AlarmStore {
  /// A log beyond this is shortened, and to what, in bytes: by its checkpoints it is some 4 MiB long otherwise.
  private static let longLog: Int64 = 16 << 20
  private static let usualLog: Int64 = 4 << 20

  /// Has a log that is longer than that begin anew: a start reads all of it until a change has. It keeps the usual length,
  /// so that a disk that fills up has room for commits. Where somebody reads just then it stays as it is.
  func shortenLog(beyond limit: Int64 = longLog, to usual: Int64 = usualLog) {
    dispatchPrecondition(condition: .onQueue(queue))
    var status = stat()
    guard let opened, !opened.isReadOnly, stat(file.path + "-wal", &status) == 0, status.st_size > limit
    else { return }
    // None of this changes the schedule: what fails leaves the log as it is.
    try? opened.pool.writeWithoutTransaction { database in
      // Left set, it would have the log empty when it is closed.
      defer { try? database.execute(sql: "PRAGMA journal_size_limit = -1") }
      try database.execute(sql: "PRAGMA journal_size_limit = \(usual)")
      _ = try database.checkpoint(.passive)
      // SQLite goes back to the start of the log, and cuts it, with the next commit that writes a page; what stays as it is
      // it does not write.
      try database.inTransaction(.immediate) {
        for step in [1, -1] {
          try database.execute(sql: "UPDATE schedule SET sequence = sequence + ?", arguments: [step])
        }
        return .commit
      }
    }
  }
}
