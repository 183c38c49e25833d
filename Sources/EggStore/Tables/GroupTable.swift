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
  ///
  /// - Parameter count: -1 for all.
  func members(of id: String, atMost count: Int = -1) throws -> [Int64] {
    try database.numbers(
      // The first few are in the order of the index.
      "SELECT number FROM alarm WHERE \"group\" = ? ORDER BY \(count < 0 ? "" : "position, ")number LIMIT ?",
      [id, count])
  }

  func insert(_ group: Group, id: String, at now: Instant) throws {
    try database.execute(
      sql: "INSERT INTO alarm_group (id, name, color, icon, createdAt) VALUES (?, ?, ?, ?, ?)",
      arguments: [id, group.name, group.color?.rawValue, group.icon, now.microseconds])
  }

  func write(_ edit: GroupEdit, to id: String, at now: Instant) throws {
    let columns = edit.columns.map { ", \($0.name) = ?" }.joined()
    try database.run(
      "UPDATE alarm_group SET modifiedAt = ?\(columns) WHERE id = ?",
      [now.microseconds] + edit.columns.map(\.value) + [id])
  }

  /// Whether the group is as the edit would make it.
  func has(_ edit: GroupEdit, _ id: String) throws -> Bool {
    let equal = edit.columns.map { " AND \($0.name) IS ?" }.joined()
    return try database.has(
      "SELECT 1 FROM alarm_group WHERE id = ?\(equal)", [id] + edit.columns.map(\.value))
  }

  /// Its alarms leave it.
  func empty(_ id: String, at moment: Instant) throws {
    try database.run(
      "UPDATE alarm SET \"group\" = NULL, modifiedAt = ? WHERE \"group\" = ?", [moment.microseconds, id])
  }

  func delete(_ id: String) throws { try database.run("DELETE FROM alarm_group WHERE id = ?", [id]) }

  /// Takes back what a change did to groups.
  func restore(_ images: Images) throws {
    try images.restore(.groups)
    // Alarms leave the groups that are gone.
    try database.run(
      """
      UPDATE alarm SET "group" = NULL WHERE "group" IN (SELECT id FROM alarm_group_image WHERE holder = ?)
        AND "group" NOT IN (SELECT id FROM alarm_group)
      """, [images.holder])
  }
}

extension GroupEdit {
  fileprivate var columns: [(name: String, value: String?)] {
    var columns: [(name: String, value: String?)] = []
    if let name { columns.append(("name", name)) }
    if let color { columns.append(("color", color?.rawValue)) }
    if let icon { columns.append(("icon", icon)) }
    return columns
  }
}
