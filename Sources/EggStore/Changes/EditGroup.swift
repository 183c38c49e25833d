import Alarms
import EggTime
import GRDB
import Ringing

/// Changes a group's name, colour or icon.
package struct EditGroupChange: Change {
  package var name: String
  package var edit: GroupEdit

  package init(name: String, _ edit: GroupEdit) {
    self.name = name
    self.edit = edit
  }

  package var kind: ChangeKind? { .editGroup }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.editGroup(name, edit, at: request.readAt)
  }
}

extension StoreTransaction {
  fileprivate func editGroup(_ name: String, _ edit: GroupEdit, at now: ClockReading) throws -> ChangeOutcome
  {
    let id = try groupID(name)
    if let new = edit.name, new != name { try checkIsFree(new) }
    var columns = ["modifiedAt = ?"]
    var values: StatementArguments = [now.wall.microseconds]
    if let name = edit.name {
      columns.append("name = ?")
      values += [name]
    }
    if let color = edit.color {
      columns.append("color = ?")
      values += [color?.rawValue]
    }
    if let icon = edit.icon {
      columns.append("icon = ?")
      values += [icon]
    }
    // Its alarms show its name and icon; what waits to ring knows both.
    let shown = edit.name != nil || edit.icon != nil ? try self.shown(inGroup: id) : []
    try step([], shown: Set(shown), groups: [id]) {
      try self.database.execute(
        sql: "UPDATE alarm_group SET \(columns.joined(separator: ", ")) WHERE id = ?",
        arguments: values + [id])
      return []
    }
    return try outcome(of: edit.name ?? name, at: now)
  }
}

/// The changed fields of a group; nil keeps a field, `.some(nil)` clears it.
package struct GroupEdit: Sendable {
  package var name: String?
  package var color: Group.Color??
  package var icon: String??

  package init() {}
}
