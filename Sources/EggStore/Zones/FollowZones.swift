import Alarms
import GRDB
import Ringing

/// What alarms have to follow: the machine's zone, or new data of zones.
struct ZoneMove {
  /// By which alarms are resolved afterwards; nil where the machine's zone did not change.
  var local: Known?
  /// The digests of others.
  var named: [String: String] = [:]
  /// The machine's previous zone; nil if unknown.
  var oldZone: String?
  var groups: [ZoneGroup] = []
  var moved = MovedAlarms()

  struct Known: Equatable {
    var name: String
    var digest: String
  }
}

/// Resolves anew all alarms whose zones are others than those in the database. eggd's own change; cannot be undone.
struct FollowZonesChange: Change {
  var kind: ChangeKind? { nil }
  var mayBeOfMany: Bool { true }

  func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    var outcome = ChangeOutcome()
    let tables = transaction.tables
    guard var move = try KnownZones(tables.database).move(to: tables.zones) else { return outcome }
    let numbers = try numbers(of: move, in: tables.database)
    let snoozed = try tables.database.numbers(
      "SELECT DISTINCT alarm FROM occurrence WHERE due IS NOT NULL AND civil IS NOT NULL")
    let held = numbers + snoozed
    if !held.isEmpty { try transaction.hold(NumberSet(held)) }
    var moved = try tables.resolver.resolve(numbers, at: request.readAt.wall)
    let ends = try tables.resolver.resolveSnoozes(snoozed, at: request.readAt.wall)
    moved.floating += ends.floating
    moved.named += ends.named
    try noteDigests(of: move, in: tables.database)
    // Entries of the head hold the old moments and zones.
    transaction.log.touchesAll = true
    if !moved.isEmpty { transaction.countStep() }
    move.moved = moved
    outcome.zoneMove = move
    return outcome
  }

  private func numbers(of move: ZoneMove, in database: Database) throws -> [Int64] {
    try move.groups.flatMap { group in
      try database.numbers(
        "SELECT number FROM alarm WHERE floats = ? AND zone = ? AND due IS NOT NULL ORDER BY number",
        [group.floats, group.name])
    }
  }

  /// Records the digests by which alarms are resolved from now on.
  private func noteDigests(of move: ZoneMove, in database: Database) throws {
    if let local = move.local {
      try database.execute(
        sql: "UPDATE schedule SET zone = ?, zoneDigest = ?", arguments: [local.name, local.digest])
    }
    for (name, digest) in move.named {
      try database.execute(
        sql: "INSERT INTO zone VALUES (?, ?) ON CONFLICT DO UPDATE SET digest = excluded.digest",
        arguments: [name, digest])
    }
    try database.execute(
      sql: """
        DELETE FROM zone WHERE name NOT IN (
          SELECT zone FROM alarm WHERE floats = 0 AND zone IS NOT NULL AND due IS NOT NULL
          UNION SELECT zone FROM occurrence WHERE due IS NOT NULL AND zone IS NOT NULL)
        """)
  }
}

/// The zones in use and the digests in the database.
struct KnownZones {
  var local: ZoneMove.Known?
  var digests: [String: String] = [:]
  var inUse: [ZoneGroup]

  init(_ database: Database) throws {
    if let row = try Row.fetchOne(database, sql: "SELECT zone, zoneDigest FROM schedule"),
      let name = text(row, 0)
    {
      local = ZoneMove.Known(name: name, digest: text(row, 1) ?? "")
    }
    for row in try Row.fetchAll(database, sql: "SELECT name, digest FROM zone") {
      if let name = text(row, 0) { digests[name] = text(row, 1) ?? "" }
    }
    inUse = try ZoneGroup.inUse(database)
  }

  /// What has to be resolved again; nil for nothing.
  func move(to zones: ZonesInUse) -> ZoneMove? {
    var move = ZoneMove(oldZone: local?.name)
    let now = ZoneMove.Known(name: zones.local.identifier, digest: zones.local.digest)
    let hasStray = inUse.contains { $0.floats != 0 && $0.name != now.name }
    if zones.isLocalGood, local != now || hasStray { move.local = now }
    for name in Set(inUse.filter { $0.floats == 0 }.map(\.name)) where zones.isGood(name) {
      guard let zone = zones.zone(name, floats: false), digests[name] != zone.digest else { continue }
      move.named[name] = zone.digest
    }
    guard move.local != nil || !move.named.isEmpty else { return nil }
    move.groups = inUse.filter { $0.floats != 0 ? move.local != nil : move.named[$0.name] != nil }
    return move
  }
}
