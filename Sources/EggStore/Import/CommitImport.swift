import Alarms
import EggTime
import GRDB
import Ringing

/// Creates alarms from everything staged.
package struct CommitImportChange: Change {
  package var id: ImportID

  package init(_ id: ImportID) {
    self.id = id
  }

  package var kind: ChangeKind? { .import }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.commitImport(id, at: request.readAt)
  }
}

extension StoreTransaction {
  /// The largest position taken from an export: differences of positions must not overflow.
  private static let farPosition: Int64 = 1 << 60

  fileprivate func commitImport(_ id: ImportID, at now: ClockReading) throws -> ChangeOutcome {
    let images = Images(database: database, holder: id.holder)
    let places = try images.places().deleted
    let groups = try missingGroups(images)
    var outcome = ChangeOutcome(sequence: 0)
    guard !places.isEmpty || !groups.isEmpty else {
      outcome.imported = Imported(count: 0, existed: 0, missed: 0)
      return outcome
    }
    try step([], makes: places.count, groups: groups.map(\.id)) {
      for (id, group) in groups {
        try self.database.execute(
          sql: "INSERT INTO alarm_group (id, name, color, icon, createdAt) VALUES (?, ?, ?, ?, ?)",
          arguments: [id, group.name, group.color?.rawValue, group.icon, now.wall.microseconds])
      }
      try self.database.execute(
        sql: """
          UPDATE alarm_image SET "group" = (SELECT id FROM alarm_group WHERE name = alarm_image."group")
          WHERE holder = ? AND "group" IS NOT NULL
          """, arguments: [id.holder])
      try self.givePlaces(images)
      let made = try self.reinsert(images, places, at: now)
      outcome.imported = Imported(
        count: Int64(made.numbers.count), existed: Int64(places.count - made.numbers.count),
        missed: Int64(made.missed.count))
      return made.numbers
    }
    return outcome
  }

  /// Named groups that do not exist, with new keys.
  private func missingGroups(_ images: Images) throws -> [(id: String, group: Group)] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT name, max(color), max(icon) FROM (
          SELECT name, color, icon FROM alarm_group_image WHERE holder = ?1 AND side = 0
          UNION ALL SELECT DISTINCT "group", NULL, NULL FROM alarm_image WHERE holder = ?1 AND "group" IS NOT NULL)
        WHERE name NOT IN (SELECT name FROM alarm_group) GROUP BY name ORDER BY name
        """, arguments: [images.holder])
    return rows.compactMap { row in
      text(row, 0).map {
        (
          AlarmID().description,
          Group(name: $0, color: text(row, 1).flatMap { Group.Color(rawValue: $0) }, icon: text(row, 2))
        )
      }
    }
  }

  /// In an empty list, alarms keep their positions; otherwise they go to the end.
  private func givePlaces(_ images: Images) throws {
    let last = try Int64.fetchOne(database, sql: "SELECT max(position) FROM alarm")
    let far = try Int64.fetchOne(
      database,
      sql: """
        SELECT 1 FROM alarm_image
        WHERE holder = ?1 AND (position IS NULL OR position NOT BETWEEN -?2 AND ?2) LIMIT 1
        """, arguments: [images.holder, Self.farPosition])
    guard last != nil || far != nil else { return }
    let base = min(max(last ?? 0, -Self.farPosition), Self.farPosition)
    try database.execute(
      sql: "UPDATE alarm_image SET position = ? + ? * place WHERE holder = ?",
      arguments: [base, Self.positionStep, images.holder])
  }
}

package struct Imported: Hashable, Sendable {
  package var count: Int64
  /// Alarms that existed already, by identity.
  package var existed: Int64
  /// Alarms whose moments had passed.
  package var missed: Int64

  package init(count: Int64, existed: Int64, missed: Int64) {
    (self.count, self.existed, self.missed) = (count, existed, missed)
  }
}
