import Alarms
import Dispatch
import EggTime

/// The database: the one place where alarms are kept. Rows, transactions and files belong to the store's queue.
package final class AlarmStore: @unchecked Sendable {
  /// The clock of this boot's countdowns. Follows from the boot's id, so it is known without a database.
  package let currentBoot: ClockID

  /// Opens `schedule.db` in that directory, brings its schema up to date, salvages it where it is corrupt.
  ///
  /// A directory or disk that takes no writes is no error: what is there is opened for reading.
  /// - Parameter queue: Serial, the store's own; all callbacks but the answers of reads come on it.
  package init(
    directory: StateDirectory, queue: DispatchQueue, clock: any Clock, bootID: String,
    log: @escaping @Sendable (StoreEvent) -> Void
  ) throws(StoreOpenError) {
    currentBoot = ClockID(rawValue: 1)
  }

  /// Begins to serve; called once. `changes` is called on the store's queue after each commit, after the observer.
  package func start(
    observer: any ScheduleObserver, changes: @escaping @Sendable (CommittedChanges) -> Void
  ) {}

  /// Makes a change. Any thread; answered on the store's queue after COMMIT, after the observer and before
  /// `changes`.
  package func submit(
    _ request: ChangeRequest, completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
  ) {}

  /// Writes down rings that happened. Any thread; answered by ``StoreNews/recorded(_:stored:)``. Idempotent.
  package func record(_ rings: [RingRecord]) {}

  /// Writes down what became of rings, with the next commit. Any thread.
  package func mark(_ marks: [RingMark]) {}

  /// Asks for the head anew. Any thread; several at once are answered by one.
  package func refill() {}

  /// Asks which of these occurrences ring no more. Any thread; answered by ``StoreNews/ended(_:)``.
  package func stillRinging(_ occurrences: [Int64]) {}

  /// Notes the wall clock's new distance to this boot's clock. Any thread.
  package func clockStepped(_ now: ClockReading) {}

  /// Moves what waits on the clocks of earlier boots to the wall clock, 1 000 rows a transaction. Any thread; once,
  /// after READY.
  package func moveEarlierBoots() {}

  /// Finishes what was asked for before, then closes the files and leaves `-wal` and `-shm` where they are.
  package func close(completion: @escaping @Sendable () -> Void) { completion() }

  /// Whether changes can be made. Any thread.
  package var condition: StoreCondition { .writable }

  /// The number of the last committed change. Any thread.
  package var sequence: Int64 { 0 }

  /// The greatest key of an occurrence that was there when the file was opened, or 0. Any thread.
  package var lastOccurrence: Int64 { 0 }

  /// The database file.
  package var path: String { "" }

  /// One alarm with its occurrences. Any thread; answered on a thread of the readers.
  package func alarm(
    _ which: AlarmReference, completion: @escaping @Sendable (Result<AlarmHistory, ReadError>) -> Void
  ) {}

  /// One page of the list. Any thread; answered on a thread of the readers.
  package func list(
    _ query: ListQuery, completion: @escaping @Sendable (Result<ListPage, ReadError>) -> Void
  ) {}

  /// What became of one alarm, or of all. Any thread; answered on a thread of the readers.
  ///
  /// - Parameter before: The key of an occurrence; only earlier ones are wanted.
  package func history(
    of which: AlarmReference?, before: Int64?, limit: Int,
    completion: @escaping @Sendable (Result<HistoryPage, ReadError>) -> Void
  ) {}

  /// What the start has to take up again, by pages. Any thread; answered on a thread of the readers.
  package func unfinished(
    _ which: Unfinished, after: Int64?, limit: Int,
    completion: @escaping @Sendable (Result<NoticePage, ReadError>) -> Void
  ) {}
}
