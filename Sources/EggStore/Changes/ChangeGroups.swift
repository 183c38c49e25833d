import Alarms
import EggTime
import GRDB
import Ringing

package struct CreateGroupChange: Change {
  package var group: Group

  package init(_ group: Group) { self.group = group }

  package var kind: ChangeKind? { .createGroup }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let groups = transaction.tables.groups
    try groups.checkIsFree(group.name)
    let id = AlarmID().description
    try transaction.step([], groups: [id]) {
      try groups.insert(group, id: id, at: request.readAt.wall)
    }
    return try ChangeOutcome(of: group.name, transaction.tables, at: request.readAt)
  }
}

package struct EditGroupChange: Change {
  package var name: String
  package var edit: GroupEdit

  package init(name: String, _ edit: GroupEdit) {
    self.name = name
    self.edit = edit
  }

  package var kind: ChangeKind? { .editGroup }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let groups = transaction.tables.groups
    let id = try groups.id(of: name)
    if let new = edit.name, new != name { try groups.checkIsFree(new) }
    guard try !groups.has(edit, id) else {
      return try ChangeOutcome(of: name, transaction.tables, at: request.readAt)
    }
    // Its alarms show its name and icon; what waits to ring knows both.
    let shown =
      edit.name != nil || edit.icon != nil ? try groups.members(of: id, atMost: transaction.few + 1) : []
    try transaction.step([], shown: Set(shown), groups: [id]) {
      try groups.write(edit, to: id, at: request.readAt.wall)
    }
    return try ChangeOutcome(of: edit.name ?? name, transaction.tables, at: request.readAt)
  }
}

/// The changed fields of a group; nil keeps a field, `.some(nil)` clears it.
package struct GroupEdit: Sendable {
  package var name: String?
  package var color: Group.Color??
  package var icon: String??

  package init() {}
}

extension ChangeOutcome {
  fileprivate init(of group: String, _ tables: Tables, at now: ClockReading) throws {
    self.init()
    let reading = Reading(database: tables.database, rows: AlarmRows(clocks: tables.clocks), now: now)
    self.group = try reading.groups(named: group).first
  }
}

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

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    guard withAlarms else { return nil }
    let groups = transaction.tables.groups
    let members = NumberSet(try groups.members(of: groups.id(of: name)))
    return (members, members)
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt.wall)
    let id = try tables.groups.id(of: name)
    let members = try tables.groups.members(of: id)
    var outcome = ChangeOutcome()
    try transaction.step(members, groups: [id], deletes: withAlarms) {
      if withAlarms {
        outcome.deleted = members
        outcome.rang = try tables.alarms.rung(among: members)
        try tables.delete(members, at: now)
      } else {
        outcome.changed = Int64(members.count)
        try tables.groups.empty(id, at: now)
      }
      try tables.groups.delete(id)
    }
    if !withAlarms { outcome.alarms = try tables.alarms.read(firstOf: members) }
    return outcome
  }
}
