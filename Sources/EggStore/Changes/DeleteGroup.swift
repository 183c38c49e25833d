import Alarms
import EggTime
import GRDB
import Ringing

/// Deletes a group. Its alarms leave it, or are deleted with it.
package struct DeleteGroupChange: DeletingChange {
  package var name: String
  package var withAlarms: Bool
  var deletion: Deletion?

  package init(name: String, withAlarms: Bool) {
    self.name = name
    self.withAlarms = withAlarms
  }

  package var kind: ChangeKind? { .deleteGroup }
  /// Alarms that are being made may name the group.
  package var takesTurn: Bool { true }
  package var label: String? { name }

  func deletionWalk(in database: Database) throws -> (any SliceWalk)? {
    guard withAlarms else { return nil }
    return try GroupWalk(name, in: database)
  }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    if let deletion { return AffectedAlarms(holding: deletion.held) }
    guard withAlarms else { return nil }
    return AffectedAlarms(holding: NumberSet(try transaction.members(ofGroup: transaction.groupID(name))))
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    if let deletion { return try transaction.deleteGroup(self, deletion, at: request.readAt.wall) }
    return try transaction.deleteGroup(name, withAlarms: withAlarms, at: request.readAt)
  }
}

/// The alarms of a group leave it.
extension DeleteGroupChange: SlicedChange {
  var changesGroups: Bool { true }

  func walk(in database: Database) throws -> (any SliceWalk)? {
    withAlarms ? nil : try GroupWalk(name, in: database, looksAgain: true)
  }

  func narrowed(to numbers: [Int64]) -> any Change { self }

  func apply(
    to slice: Slice, of walk: any SliceWalk, in transaction: StoreTransaction, for request: ChangeRequest
  ) throws -> SliceOutcome {
    let id = try transaction.groupID(name)
    let members = try transaction.members(ofGroup: id, among: slice.numbers)
    try transaction.step(members) {
      try transaction.leaveGroup(members, at: request.readAt.wall)
      return []
    }
    return SliceOutcome(changed: members)
  }

  /// Those that joined the group meanwhile.
  func late(in transaction: StoreTransaction) throws -> [Int64] {
    try transaction.members(ofGroup: transaction.groupID(name))
  }

  func complete(in transaction: StoreTransaction) throws {
    let id = try transaction.groupID(name)
    try transaction.recording?.images.take(groups: [id], .before)
    try transaction.deleteGroup(id)
  }
}

/// Goes through the alarms of a group.
struct GroupWalk: SliceWalk {
  private let id: String
  /// At those that others change meanwhile.
  private let looksAgain: Bool
  private var last = (position: Int64.min, number: Int64.min)
  var missing: [Int64] { [] }
  var missingIDs: [AlarmID] { [] }

  /// nil if there is no such group.
  init?(_ name: String, in database: Database, looksAgain: Bool = false) throws {
    let find = try database.cachedStatement(sql: "SELECT id FROM alarm_group WHERE name = ?")
    guard let id = try String.fetchOne(find, arguments: [name]) else { return nil }
    (self.id, self.looksAgain) = (id, looksAgain)
  }

  mutating func next(atMost count: Int, in database: Database) throws -> Slice? {
    let rows = try database.cachedStatement(
      sql: """
        SELECT position, number FROM alarm WHERE "group" = ? AND (position, number) > (?, ?)
        ORDER BY position, number LIMIT ?
        """
    ).rows([id, last.position, last.number, count])
    var numbers: [Int64] = []
    while let row = try rows.next() {
      last = (int(row, 0) ?? 0, int(row, 1) ?? 0)
      numbers.append(last.number)
    }
    return numbers.isEmpty ? nil : Slice(numbers: numbers.sorted())
  }

  /// Who joins it later is found at the end.
  func includes(_ number: Int64) -> Bool { looksAgain }
}

extension StoreTransaction {
  /// What joined the group since it was looked through is deleted too.
  fileprivate func deleteGroup(
    _ change: DeleteGroupChange, _ deletion: Deletion, at now: Instant
  ) throws -> ChangeOutcome {
    let id = try groupID(change.name)
    var outcome = ChangeOutcome(sequence: 0)
    try step([], groups: [id], deletes: true) {
      (outcome.deleted, outcome.rang) = try deletion.apply(change, in: self, at: now)
      let late = try self.members(ofGroup: id)
      outcome.deleted += late
      outcome.rang += try late.filter { try self.hasRung($0) }
      try self.recording?.images.take(alarms: late, .before, occurrencesFrom: .min)
      try self.delete(late, at: now)
      try self.deleteGroup(id)
      return []
    }
    log.touchesAll = true
    log.changes = [CommittedChanges(sequence: log.sequence, alarms: nil, changesGroups: true)]
    return outcome
  }

  fileprivate func deleteGroup(_ name: String, withAlarms: Bool, at now: ClockReading) throws -> ChangeOutcome
  {
    let id = try groupID(name)
    let members = try members(ofGroup: id)
    var outcome = ChangeOutcome(sequence: 0)
    if withAlarms {
      outcome.deleted = members
      outcome.rang = try members.filter { try hasRung($0) }
    } else {
      outcome.changed = Int64(members.count)
    }
    try step(members, groups: [id], deletes: withAlarms) {
      if withAlarms {
        try self.delete(members, at: now.wall)
      } else {
        try self.leaveGroup(members, at: now.wall)
      }
      try self.deleteGroup(id)
      return []
    }
    if !withAlarms { outcome.alarms = try members.prefix(Self.outcomeAlarms).compactMap { try alarm($0) } }
    return outcome
  }

  /// - Parameter members: Of one group.
  fileprivate func leaveGroup(_ members: [Int64], at now: Instant) throws {
    try database.cachedStatement(
      sql: """
        UPDATE main.alarm SET "group" = NULL, modifiedAt = ? WHERE number IN (SELECT value FROM json_each(?))
        """
    ).run([now.microseconds, members.jsonList])
  }

  fileprivate func deleteGroup(_ id: String) throws {
    try database.execute(sql: "DELETE FROM alarm_group WHERE id = ?", arguments: [id])
  }

  /// Looks them up by number: all members may be a million.
  fileprivate func members(ofGroup id: String, among numbers: [Int64]) throws -> [Int64] {
    try Int64.fetchAll(
      try database.cachedStatement(
        sql: """
          SELECT number FROM alarm WHERE number IN (SELECT value FROM json_each(?)) AND +"group" = ? ORDER BY number
          """), arguments: [numbers.jsonList, id])
  }
}
