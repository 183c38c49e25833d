import Alarms
import EggTime
import GRDB
import Ringing

/// Reads of groups for changes.
extension StoreTransaction {
  /// The key of the group with that name.
  func groupID(_ name: String) throws -> String {
    guard let id = try groupIDIfAny(name) else { throw ChangeError.noSuchGroup(name) }
    return id
  }

  /// nil if there is no such group.
  func groupIDIfAny(_ name: String) throws -> String? {
    let statement = try database.cachedStatement(sql: "SELECT id FROM alarm_group WHERE name = ?")
    return try String.fetchOne(statement, arguments: [name])
  }

  /// The group's alarms, ascending.
  func members(ofGroup id: String) throws -> [Int64] {
    let statement = try database.cachedStatement(
      sql: "SELECT number FROM alarm WHERE \"group\" = ? ORDER BY number")
    return try Int64.fetchAll(statement, arguments: [id])
  }

  /// The first of them, one more than a few at most: those that look different when the group does.
  func shown(inGroup id: String) throws -> [Int64] {
    let statement = try database.cachedStatement(
      sql: "SELECT number FROM alarm WHERE \"group\" = ? ORDER BY position, number LIMIT ?")
    return try Int64.fetchAll(statement, arguments: [id, few + 1])
  }

  func checkIsFree(_ name: String) throws {
    let statement = try database.cachedStatement(sql: "SELECT 1 FROM alarm_group WHERE name = ?")
    if try Int64.fetchOne(statement, arguments: [name]) != nil { throw ChangeError.groupExists(name) }
  }

  func outcome(of name: String, at now: ClockReading) throws -> ChangeOutcome {
    var outcome = ChangeOutcome(sequence: 0)
    outcome.group = try Reading(database: database, rows: rows, now: now).groups(named: name).first
    return outcome
  }
}
