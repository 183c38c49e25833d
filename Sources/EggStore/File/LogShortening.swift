import Dispatch
import GRDB

/// Shortens the log after very large changes.
extension AlarmStore {
  /// A longer log is shortened, in bytes. Checkpoints usually keep it near 4 MiB.
  private static let longLog = 16 << 20
  static let usualLog = 4 << 20

  /// Restarts a log that is longer than `limit`: until a change restarts it, every start of eggd reads all of
  /// it. Keeps the usual length, so that commits have room when the disk fills up. Does nothing while
  /// somebody is reading.
  func shortenLog(beyond limit: Int = longLog, to usual: Int = usualLog) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let opened, !opened.isReadOnly, file.logSize > limit else { return }
    // None of this changes the schedule: a failure leaves the log as it is.
    try? opened.pool.writeWithoutTransaction { database in
      // If left set, it would empty the log on close.
      defer { try? database.execute(sql: "PRAGMA journal_size_limit = -1") }
      try database.execute(sql: "PRAGMA journal_size_limit = \(usual)")
      _ = try database.checkpoint(.passive)
      // SQLite restarts and cuts the log with the next commit that writes a page; it does not write unchanged
      // pages.
      try database.inTransaction(.immediate) {
        for step in [1, -1] {
          try database.execute(sql: "UPDATE schedule SET sequence = sequence + ?", arguments: [step])
        }
        return .commit
      }
    }
  }
}
