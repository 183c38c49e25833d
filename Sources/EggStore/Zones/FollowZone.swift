import Alarms
import EggTime
import GRDB
import Ringing

/// One step of a ``ZoneMove``. eggd's own change; cannot be undone.
struct FollowZoneChange: Change {
  var move: ZoneMove
  var step: ZoneMove.Step

  var kind: ChangeKind? { nil }

  func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    var outcome = ChangeOutcome(sequence: 0)
    switch step {
    case .near: outcome.zoneMove = try followNear(in: transaction, at: request.readAt.wall)
    case .batch: outcome.zoneMove = try followNext(in: transaction, at: request.readAt.wall)
    case .end:
      try noteDigests(in: transaction.database)
      outcome.zoneMove = move
    }
    return outcome
  }

  /// Holds alarms and resolves them.
  private func resolve(
    _ numbers: [Int64], in transaction: StoreTransaction, at now: Instant
  ) throws -> MovedAlarms {
    if !numbers.isEmpty { try transaction.hold(NumberSet(numbers)) }
    return try transaction.tables.resolver.resolve(numbers, at: now)
  }

  /// Follows the near alarms, all at once.
  private func followNear(in transaction: StoreTransaction, at now: Instant) throws -> ZoneMove {
    var move = move
    let database = transaction.database
    if move.target.local != nil { try database.execute(sql: "UPDATE schedule SET zoneDigest = ''") }
    for name in move.target.named.keys { try note("", of: name, database) }
    let moved = try resolve(try near(database, now), in: transaction, at: now)
    move.count(moved)
    // Entries of the head hold the old moments.
    transaction.log.touchesAll = true
    if !moved.isEmpty { transaction.countStep() }
    return move
  }

  private func near(_ database: Database, _ now: Instant) throws -> [Int64] {
    let groups = Set(move.groups)
    let rows = try Row.fetchCursor(
      database,
      sql:
        "SELECT number, floats, zone FROM alarm WHERE clock = 0 AND due BETWEEN ? AND ? AND zone IS NOT NULL",
      arguments: [(now - ZoneMove.reach).microseconds, (now + ZoneMove.reach).microseconds])
    var numbers: [Int64] = []
    while let row = try rows.next() {
      guard let number = int(row, 0), let floats = int(row, 1), let name = text(row, 2) else { continue }
      if groups.contains(ZoneGroup(floats: floats, name: name)) { numbers.append(number) }
    }
    return numbers
  }

  /// Follows the next batch of the first remaining group.
  private func followNext(in transaction: StoreTransaction, at now: Instant) throws -> ZoneMove {
    var move = move
    guard let group = move.groups.first else { return move }
    let numbers = try transaction.database.numbers(
      """
      SELECT number FROM alarm WHERE floats = ? AND zone = ? AND due IS NOT NULL AND number > ?
      ORDER BY number LIMIT ?
      """, [group.floats, group.name, move.last, ZoneMove.batch])
    let moved = try resolve(numbers, in: transaction, at: now)
    move.count(moved)
    transaction.log.touched.formUnion(moved)
    if !moved.isEmpty {
      // Subscribers read the list again once, after the last batch.
      transaction.log.sequence = transaction.log.sequence.successor
      move.isUntold = true
    }
    if let last = numbers.last, numbers.count == ZoneMove.batch {
      move.last = last
    } else {
      move.groups.removeFirst()
      move.last = .min
    }
    return move
  }

  /// Records the digests by which alarms are resolved from now on.
  private func noteDigests(in database: Database) throws {
    if let local = move.target.local {
      try database.execute(
        sql: "UPDATE schedule SET zone = ?, zoneDigest = ?", arguments: [local.name, local.digest])
    }
    for (name, digest) in move.target.named { try note(digest, of: name, database) }
    let inUse = Set(try ZoneGroup.inUse(database).filter { $0.floats == 0 }.map(\.name))
    for name in try String.fetchAll(database, sql: "SELECT name FROM zone") where !inUse.contains(name) {
      try database.execute(sql: "DELETE FROM zone WHERE name = ?", arguments: [name])
    }
  }

  private func note(_ digest: String, of zone: String, _ database: Database) throws {
    try database.execute(
      sql: "INSERT INTO zone VALUES (?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest",
      arguments: [zone, digest])
  }
}
