import Alarms
import EggTime
import GRDB
import Ringing

/// Deletes a group. Its alarms leave it, or are deleted with it.
package struct DeleteGroupChange: Change {
  package var name: String
  package var withAlarms: Bool

  package init(name: String, withAlarms: Bool) {
    self.name = name
    self.withAlarms = withAlarms
  }

  package var kind: ChangeKind? { .deleteGroup }
  package var label: String? { name }
  package var mayBeOfMany: Bool { true }

  package func count(in database: Database, upTo most: Int) throws -> Int {
    let members = try database.cachedStatement(
      sql: """
        SELECT count(*) FROM (
          SELECT 1 FROM alarm WHERE "group" = (SELECT id FROM alarm_group WHERE name = ?) LIMIT ?)
        """)
    return try Int.fetchOne(members, arguments: [name, most]) ?? 0
  }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    guard withAlarms else { return nil }
    return AffectedAlarms(holding: NumberSet(try transaction.members(ofGroup: transaction.groupID(name))))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.deleteGroup(name, withAlarms: withAlarms, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func deleteGroup(_ name: String, withAlarms: Bool, at now: ClockReading) throws -> ChangeOutcome
  {
    let id = try groupID(name)
    let members = try members(ofGroup: id)
    var outcome = ChangeOutcome(sequence: 0)
    if withAlarms {
      outcome.deleted = members
      outcome.rang = try rung(among: members)
    } else {
      outcome.changed = Int64(members.count)
    }
    try step(members, groups: [id], deletes: withAlarms) {
      if withAlarms {
        try self.delete(members, at: now.wall)
      } else {
        try self.database.execute(
          sql: "UPDATE alarm SET \"group\" = NULL, modifiedAt = ? WHERE \"group\" = ?",
          arguments: [now.wall.microseconds, id])
      }
      try self.database.execute(sql: "DELETE FROM alarm_group WHERE id = ?", arguments: [id])
      return []
    }
    if !withAlarms { outcome.alarms = try members.prefix(Self.outcomeAlarms).compactMap { try alarm($0) } }
    return outcome
  }
}
