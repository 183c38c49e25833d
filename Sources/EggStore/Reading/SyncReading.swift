import Alarms
import EggTime
import GRDB

/// What a synchronised calendar asks before it compares.
package struct SyncMark: Hashable, Sendable {
  /// The last one that it set; nil if it never did.
  package var mark: String?
  /// That of the list.
  package var sequence: Int64
}

extension AlarmStore {
  /// Any thread; answered on a thread of the readers.
  package func syncMark(
    of calendar: String, completion: @escaping @Sendable (Result<SyncMark, ReadError>) -> Void
  ) {
    read(completion) { reading in
      SyncMark(
        mark: try String.fetchOne(
          reading.database, sql: "SELECT mark FROM synced WHERE calendar = ?", arguments: [calendar]),
        sequence: try Int64.fetchOne(reading.database, sql: "SELECT sequence FROM schedule") ?? 0)
    }
  }
}
