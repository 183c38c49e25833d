import Alarms
import EggTime
import GRDB
import Ringing

/// Questions from outside, each answered from one snapshot by GRDB's readers.
extension AlarmStore {
  /// One alarm with its occurrences. Any thread; answered on a thread of the readers.
  package func alarm(
    _ which: AlarmReference, completion: @escaping @Sendable (Result<AlarmHistory, ReadError>) -> Void
  ) {
    read(completion) { reading in
      guard let alarm = try reading.alarm(which) else { throw ReadError.noSuchAlarm }
      let rows = try Row.fetchAll(
        reading.database,
        sql:
          "SELECT \(OccurrenceColumn.list(of: "o")) FROM occurrence o WHERE o.alarm = ? ORDER BY o.id DESC",
        arguments: [alarm.number])
      return AlarmHistory(
        alarm: alarm, occurrences: rows.map { reading.rows.occurrence($0) })
    }
  }

  /// One page of the list. Any thread; answered on a thread of the readers.
  package func list(
    _ query: ListQuery, completion: @escaping @Sendable (Result<ListPage, ReadError>) -> Void
  ) {
    read(completion) { try $0.list(query) }
  }

  /// Like ``list(_:completion:)``, but passes the alarms to `each`, on the reader's thread, before the page
  /// is answered. The page ends with the alarm for which `each` returns false.
  package func list(
    _ query: ListQuery, each: @escaping @Sendable (Alarm) -> Bool,
    completion: @escaping @Sendable (Result<ListPage, ReadError>) -> Void
  ) {
    read(completion) { try $0.list(query, each: each) }
  }

  /// Occurrences that the start has to resume, in pages. Any thread; answered on a thread of the readers.
  package func unfinished(
    _ which: Unfinished, after: Int64?, limit: Int,
    completion: @escaping @Sendable (Result<NoticePage, ReadError>) -> Void
  ) {
    read(completion) { try $0.unfinished(which, after: after, limit: limit) }
  }

  /// Answers one question from one snapshot.
  func read<Answer: Sendable>(
    _ completion: @escaping @Sendable (Result<Answer, ReadError>) -> Void,
    _ body: @escaping @Sendable (Reading) throws -> Answer
  ) {
    let (pool, clocks, unavailable) = shared.withLock { ($0.pool, $0.clocks, $0.condition) }
    guard let pool else {
      var reason = translatable("the database can't be read")
      if case .unavailable(let why) = unavailable { reason = why }
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
        // If several readers met the damage, only the first finds the damaged file; it is replaced by then.
        if StoreFailure(error) == .corrupt {
          self.queue.async { if self.opened?.pool === pool { _ = self.salvageNow(error) } }
        }
        completion(.failure(.unavailable(reason: StoreFailure.reason(error))))
      }
    }
  }
}

/// A snapshot and the moment of the question.
struct Reading {
  let database: Database
  var rows: AlarmRows
  let now: ClockReading

  func alarm(_ which: AlarmReference) throws -> Alarm? {
    switch which {
    case .number(let number):
      try database.cachedStatement(sql: AlarmRows.select + " WHERE a.number = ?")
        .first([number]) { rows.alarm($0) }
    case .id(let id):
      try database.cachedStatement(sql: AlarmRows.select + " WHERE a.id = ?")
        .first([id.description]) { rows.alarm($0) }
    }
  }

  func unfinished(_ which: Unfinished, after: Int64?, limit: Int) throws -> NoticePage {
    let statement = try database.cachedStatement(sql: which.sql)
    let rows = try Row.fetchAll(statement, arguments: [after ?? .min, max(limit, 1) + 1])
    let notices = rows.prefix(max(limit, 1)).map(notice)
    return NoticePage(
      notices: notices, after: rows.count > notices.count ? notices.last?.occurrence : nil)
  }

  /// A row of ``Unfinished/sql``.
  private func notice(_ row: Row) -> Notice {
    let past = rows.occurrence(row, at: AlarmColumn.width)
    // The last ring may have ended a snooze: its moment is the one from which it was late.
    let dueAt = past.firedAt.map { $0 - (past.lateness ?? .zero) } ?? past.dueAt
    return Notice(
      occurrence: past.id, number: row.int(.number) ?? 0,
      card: AlarmCard(row, groupAt: AlarmColumn.width + OccurrenceColumn.width), dueAt: dueAt,
      lateness: past.lateness ?? .zero, reason: past.lateReason, elapsed: past.missedCount ?? 1,
      shown: past.bubble.flatMap { bubble in
        past.bubbleServer.map { Notice.ShownBubble(id: bubble, server: $0) }
      })
  }
}

extension Unfinished {
  /// A page in key order, from the partial index of its kind.
  var sql: String {
    let condition =
      switch self {
      case .ringing: "o.outcome = 'rung' AND o.dismissedAt IS NULL AND o.snoozedUntil IS NULL"
      case .unjournaled: "o.firedAt IS NOT NULL AND o.journaledAt IS NULL"
      }
    return """
      SELECT \(AlarmColumn.list(of: "a")), \(OccurrenceColumn.list(of: "o")), \(AlarmRows.card(of: "a"))
      FROM occurrence o CROSS JOIN alarm a ON a.number = o.alarm
      WHERE o.id > ? AND \(condition) ORDER BY o.id LIMIT ?
      """
  }
}
