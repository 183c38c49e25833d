import EggTime
import GRDB
import Ringing

/// Questions from outside, each answered from one snapshot on a thread of GRDB's readers. Any thread.
extension AlarmStore {
  package typealias Answer<Value> = @Sendable (Result<Value, ChangeError>) -> Void

  package func alarm(_ which: AlarmReference, completion: @escaping Answer<AlarmHistory>) {
    ask({ try $0.past(of: which) }, completion: completion)
  }

  /// The holder of that key; nil if it is free.
  package func keyHolder(_ key: String, completion: @escaping Answer<KeyHolder?>) {
    ask(
      { reading in
        guard let row = try KeyRow.find(key, at: reading.now.wall, in: reading.database), row.isLive,
          let alarm = try reading.alarm(.number(row.number))
        else { return nil }
        return KeyHolder(alarm: alarm, request: row.request)
      }, completion: completion)
  }

  package func ask<Value: Sendable>(
    _ question: @escaping @Sendable (Reading) throws -> Value, completion: @escaping Answer<Value>
  ) {
    let (pool, clocks) = (state.pool, state.clocks)
    guard let pool else {
      var reason = translatable("the database can't be read")
      if case .unavailable(let why) = condition { reason = why }
      return completion(.failure(.unavailable(reason: reason)))
    }
    let now = clock.read()
    pool.asyncRead { database in
      let result: Result<Value, ChangeError>
      do {
        let reading = Reading(database: try database.get(), rows: AlarmRows(clocks: clocks), now: now)
        result = .success(try question(reading))
      } catch let error as ChangeError {
        result = .failure(error)
      } catch {
        if StoreFailure(error) == .corrupt {
          self.queue.async { _ = self.file.salvageIfCorrupt(error, of: pool) }
        }
        result = .failure(.unavailable(reason: StoreFailure.reason(error)))
      }
      // The snapshot ends before whoever asked goes on: until then the log cannot begin again.
      try? database.get().commit()
      completion(result)
    }
  }
}
