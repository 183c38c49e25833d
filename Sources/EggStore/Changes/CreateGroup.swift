import Alarms
import EggTime
import GRDB
import Ringing

/// Creates an empty group.
package struct CreateGroupChange: Change {
  package var group: Group

  package init(_ group: Group) {
    self.group = group
  }

  package var kind: ChangeKind? { .createGroup }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.create(group, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func create(_ group: Group, at now: ClockReading) throws -> ChangeOutcome {
    try checkIsFree(group.name)
    let id = AlarmID().description
    try step([], groups: [id]) {
      try self.database.execute(
        sql: "INSERT INTO alarm_group (id, name, color, icon, createdAt) VALUES (?, ?, ?, ?, ?)",
        arguments: [id, group.name, group.color?.rawValue, group.icon, now.wall.microseconds])
      return []
    }
    return try outcome(of: group.name, at: now)
  }
}
