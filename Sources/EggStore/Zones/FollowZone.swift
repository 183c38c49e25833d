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
    case .near: outcome.zoneMove = try transaction.followNear(move, at: request.readAt.wall)
    case .batch: outcome.zoneMove = try transaction.followNext(move, at: request.readAt.wall)
    case .end:
      try transaction.noteDigests(move.target)
      outcome.zoneMove = move
    }
    return outcome
  }
}

extension StoreTransaction {
  /// Follows the near alarms, all at once.
  fileprivate func followNear(_ begun: ZoneMove, at now: Instant) throws -> ZoneMove {
    var move = begun
    if move.target.local != nil { try database.execute(sql: "UPDATE schedule SET zoneDigest = ''") }
    for name in move.target.named.keys {
      try database.execute(
        sql: "INSERT INTO zone VALUES (?, '') ON CONFLICT DO UPDATE SET digest = ''", arguments: [name])
    }
    let moved = try resolveAnew(try near(move, now), at: now)
    move.count(moved)
    // Entries of the head hold the old moments.
    log.touchesAll = true
    if !moved.isEmpty { countStep() }
    return move
  }

  private func near(_ move: ZoneMove, _ now: Instant) throws -> [Int64] {
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
  fileprivate func followNext(_ begun: ZoneMove, at now: Instant) throws -> ZoneMove {
    var move = begun
    guard let group = move.groups.first else { return move }
    let numbers = try Int64.fetchAll(
      try database.cachedStatement(
        sql: """
          SELECT number FROM alarm WHERE floats = ? AND zone = ? AND due IS NOT NULL AND number > ?
          ORDER BY number LIMIT ?
          """), arguments: [group.floats, group.name, move.last, ZoneMove.batch])
    let moved = try resolveAnew(numbers, at: now)
    move.count(moved)
    log.touched.formUnion(moved)
    if !moved.isEmpty {
      // Subscribers read the list again once, after the last batch.
      log.sequence = log.sequence.successor
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
  fileprivate func noteDigests(_ target: ZoneMove.Target) throws {
    if let local = target.local {
      try database.execute(
        sql: "UPDATE schedule SET zone = ?, zoneDigest = ?", arguments: [local.name, local.digest])
    }
    for (name, digest) in target.named {
      try database.execute(
        sql: "INSERT INTO zone VALUES (?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest",
        arguments: [name, digest])
    }
    let inUse = Set(try ZoneGroup.inUse(database).filter { $0.floats == 0 }.map(\.name))
    for name in try String.fetchAll(database, sql: "SELECT name FROM zone") where !inUse.contains(name) {
      try database.execute(sql: "DELETE FROM zone WHERE name = ?", arguments: [name])
    }
  }
}
