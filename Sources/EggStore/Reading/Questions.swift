import Alarms
import EggTime
import GRDB
import Ringing

/// Questions from outside, each answered from one snapshot on a thread of GRDB's readers. Any thread.
extension AlarmStore {
  package typealias Answer<Value> = @Sendable (Result<Value, ReadError>) -> Void

  /// One alarm with its occurrences.
  package func alarm(_ which: AlarmReference, completion: @escaping Answer<AlarmHistory>) {
    read(completion) { try $0.past(of: which) }
  }

  /// One page of the list.
  ///
  /// - Parameter each: If given, the alarms are passed to it, on the reader's thread, before the page is answered. The page
  ///   ends with the alarm for which it returns false.
  package func list(
    _ query: ListQuery, each: (@Sendable (Alarm) -> Bool)? = nil, completion: @escaping Answer<ListPage>
  ) {
    read(completion) { reading in
      if let each { try reading.list(query, each: each) } else { try reading.list(query) }
    }
  }

  /// Alarms by number and identity.
  package func awaited(
    numbers: [Int64], ids: [AlarmID], since: Instant?, completion: @escaping Answer<AwaitedAlarms>
  ) {
    read(completion) { try $0.awaited(numbers: numbers, ids: ids, since: since) }
  }

  /// All groups by name, or one.
  package func groups(named name: String?, completion: @escaping Answer<[GroupSums]>) {
    read(completion) { try $0.groups(named: name) }
  }

  /// All calendars of days off by name, or one.
  package func daysOff(named name: String?, completion: @escaping Answer<[DaysOffSums]>) {
    read(completion) { try $0.daysOff(named: name) }
  }

  /// The occurrences of one alarm, or of all; of deleted alarms for a year.
  ///
  /// - Parameter before: The key of an occurrence; returns only earlier ones.
  package func history(
    of which: AlarmReference?, before: Int64?, limit: Int, completion: @escaping Answer<HistoryPage>
  ) {
    read(completion) { try $0.history(of: which, before: before ?? .max, limit: max(limit, 1)) }
  }

  /// The next moment for which the machine is to wake; nil for none.
  package func nextWake(_ completion: @escaping Answer<Instant?>) { read(completion) { try $0.nextWake() } }

  /// Occurrences that the start has to resume, in pages.
  package func unfinished(
    _ which: Unfinished, after: Int64?, limit: Int, completion: @escaping Answer<NoticePage>
  ) {
    read(completion) { try $0.unfinished(which, after: after, limit: limit) }
  }

  /// The holder of that key; nil if it is free.
  package func keyHolder(_ key: String, completion: @escaping Answer<KeyHolder?>) {
    read(completion) { reading in
      guard let row = try KeyRow.find(key, in: reading.database), row.isLive(at: reading.now.wall),
        let alarm = try reading.alarm(.number(row.number))
      else { return nil }
      return KeyHolder(alarm: alarm, request: row.request)
    }
  }

  /// The change that undo would take back; nil for none.
  package func lastChange(completion: @escaping Answer<UndoStep?>) {
    read(completion) { try UndoLog(database: $0.database).last() }
  }

  /// The change that redo would make again; nil for none.
  package func lastUndone(completion: @escaping Answer<UndoStep?>) {
    read(completion) { try UndoLog(database: $0.database).last(.undone) }
  }

  /// What a synchronised calendar asks before it compares.
  package func syncMark(of calendar: String, completion: @escaping Answer<SyncMark>) {
    read(completion) { reading in
      let mark = try String.fetchOne(
        reading.database, sql: "SELECT mark FROM synced WHERE calendar = ?", arguments: [calendar])
      return SyncMark(mark: mark, sequence: try reading.sequence())
    }
  }

  func read<Value: Sendable>(
    _ completion: @escaping Answer<Value>, _ body: @escaping @Sendable (Reading) throws -> Value
  ) {
    let (pool, clocks) = (state.pool, state.clocks)
    guard let pool else {
      var reason = translatable("the database can't be read")
      if case .unavailable(let why) = condition { reason = why }
      return completion(.failure(.unavailable(reason: reason)))
    }
    let now = clock.read()
    pool.asyncRead { database in
      do {
        let reading = Reading(database: try database.get(), rows: AlarmRows(clocks: clocks), now: now)
        completion(.success(try body(reading)))
      } catch let error as ReadError {
        completion(.failure(error))
      } catch {
        if StoreFailure(error) == .corrupt {
          self.queue.async { _ = self.file.salvageIfCorrupt(error, of: pool) }
        }
        completion(.failure(.unavailable(reason: StoreFailure.reason(error))))
      }
    }
  }
}
