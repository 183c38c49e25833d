import Alarms
import EggTime
import GRDB
import Ringing

/// A group gets another name, colour or icon.
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
    // Its alarms show its name and its icon.
    let shown = edit.name != nil || edit.icon != nil ? try members(ofGroup: id) : []
    try step(shown, groups: [id], moves: edit.icon != nil, hasImages: false) {
      try self.database.execute(
        sql: "UPDATE alarm_group SET \(columns.joined(separator: ", ")) WHERE id = ?",
        arguments: values + [id])
      return []
    }
    return try outcome(of: edit.name ?? name, at: now)
  }
}

/// Which fields of a group change; nil leaves a field alone, `.some(nil)` takes it away.
package struct GroupEdit: Sendable {
  package var name: String?
  package var color: Group.Color??
  package var icon: String??

  /// Nothing changes yet.
  package init() {}
}
