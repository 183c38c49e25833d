import Alarms
import EggTime
import GRDB

/// Statements on the table `alarm_group`, and on which alarms a group has.
struct GroupTable {
  let database: Database

  func id(of name: String) throws -> String {
    guard let id = try idIfAny(of: name) else { throw ChangeError.noSuchGroup(name) }
    return id
  }

  /// nil if there is no such group.
  func idIfAny(of name: String) throws -> String? {
    try database.first("SELECT id FROM alarm_group WHERE name = ?", [name]) { text($0, 0) } ?? nil
  }

  func checkIsFree(_ name: String) throws {
    if try database.has("SELECT 1 FROM alarm_group WHERE name = ?", [name]) {
      throw ChangeError.groupExists(name)
    }
  }

  /// The group's alarms, ascending.
  func members(of id: String) throws -> [Int64] {
    try database.numbers("SELECT number FROM alarm WHERE \"group\" = ? ORDER BY number", [id])
  }

  func first(_ count: Int, of id: String) throws -> [Int64] {
    try database.numbers(
      "SELECT number FROM alarm WHERE \"group\" = ? ORDER BY position, number LIMIT ?", [id, count])
  }

  func insert(_ group: Group, id: String, at now: Instant) throws {
    try database.execute(
      sql: "INSERT INTO alarm_group (id, name, color, icon, createdAt) VALUES (?, ?, ?, ?, ?)",
      arguments: [id, group.name, group.color?.rawValue, group.icon, now.microseconds])
  }

  func write(_ edit: GroupEdit, to id: String, at now: Instant) throws {
    var columns = ["modifiedAt = ?"]
    var values: StatementArguments = [now.microseconds]
    func set(_ column: String, _ value: String?) {
      columns.append("\(column) = ?")
      values += [value]
    }
    if let name = edit.name { set("name", name) }
    if let color = edit.color { set("color", color?.rawValue) }
    if let icon = edit.icon { set("icon", icon) }
    try database.execute(
      sql: "UPDATE alarm_group SET \(columns.joined(separator: ", ")) WHERE id = ?", arguments: values + [id])
  }

  /// Its alarms leave it.
  ///
  /// - Parameter moment: Their `modifiedAt`; nil where an undo gives them that.
  func empty(_ id: String, at moment: Instant? = nil) throws {
    try database.execute(
      sql: "UPDATE alarm SET \"group\" = NULL, modifiedAt = coalesce(?, modifiedAt) WHERE \"group\" = ?",
      arguments: [moment?.microseconds, id])
  }

  func delete(_ id: String) throws {
    try database.execute(sql: "DELETE FROM alarm_group WHERE id = ?", arguments: [id])
  }

  /// Takes back what a change did to groups.
  func restore(_ images: Images) throws {
    let before = try images.groups(.before)
    let kept = Set(before.compactMap { $0.text(at: GroupColumn.id.rawValue) })
    for row in try images.groups(.after) {
      guard let id = row.text(at: GroupColumn.id.rawValue), !kept.contains(id) else { continue }
      try empty(id)
      try delete(id)
    }
    let places = GroupColumn.allCases.map { _ in "?" }.joined(separator: ", ")
    for row in before {
      try database.execute(
        sql: "INSERT OR REPLACE INTO alarm_group (\(GroupColumn.list())) VALUES (\(places))",
        arguments: StatementArguments(row.databaseValues))
    }
  }
}
