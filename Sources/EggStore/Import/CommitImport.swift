import Alarms
import EggTime
import GRDB
import Ringing

/// Creates alarms from everything staged; a synchronised calendar also changes and deletes some.
package struct CommitImportChange: Change {
  package var id: ImportID
  package var sync: CalendarSync?

  package init(_ id: ImportID, sync: CalendarSync? = nil) {
    self.id = id
    self.sync = sync
  }

  package var kind: ChangeKind? { sync == nil ? .import : .sync }

  package var mayBeOfMany: Bool { true }

  package func affected(in transaction: StoreTransaction) throws -> AffectedAlarms? {
    guard let sync else { return nil }
    let tables = transaction.tables
    let held = NumberSet(
      try tables.alarms.numbers(of: sync.deleted) + tables.images(of: id.holder).present().map(\.number))
    return (held, held)
  }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (tables, now) = (transaction.tables, request.readAt)
    let earlier = transaction.log.changes.count
    if let expected = sync?.sequence, expected != transaction.log.sequence {
      throw ChangeError.changedSince(transaction.log.sequence)
    }
    let images = tables.images(of: id.holder)
    let staged = try images.deleted()
    // Before millions of rows are written.
    guard staged.count <= transaction.most else { throw ChangeError.tooMany(most: Int64(transaction.most)) }
    let present = sync == nil ? [] : try images.present()
    let replaced = Set(present.map(\.place))
    let groups = try images.missingGroups(ofNew: sync == nil)
    let daysOff = try missingDaysOff(images, tables.daysOff)
    let deleted = try tables.alarms.numbers(of: sync?.deleted ?? [])
    if let sync { try keepMark(of: sync, tables.database) }
    var outcome = ChangeOutcome()
    var imported = Imported(count: 0, existed: 0, missed: 0)
    imported.deleted = Int64(deleted.count)
    if !deleted.isEmpty {
      outcome.rang = try tables.alarms.rung(among: deleted)
      try transaction.step(deleted, deletes: true) {
        try tables.delete(deleted, at: now.wall)
      }
    }
    imported.numbers = deleted
    if !groups.isEmpty || !daysOff.isEmpty || !staged.isEmpty {
      try transaction.step(
        present.map(\.number), makesMany: staged.count > transaction.few, groups: groups.map(\.id),
        daysOff: daysOff.keys.sorted()
      ) {
        for (name, days) in daysOff { try tables.daysOff.set(days, for: name) }
        for (id, group) in groups { try tables.groups.insert(group, id: id, at: now.wall) }
        try images.findGroups(of: present.map(\.place))
        let changed = try Replacing(tables: tables, images: images, now: now).replace(present)
        let restoring = Restoring(
          tables: tables, images: images, now: now, isImport: true,
          positionsFrom: try lastPosition(before: images))
        let made = try restoring.reinsert(staged.filter { !replaced.contains($0) })
        imported.count = made.numbers.count
        imported.existed = made.existed
        imported.replaced = Int64(present.count)
        imported.missed = Int64(made.missed.count + changed.count)
        if sync != nil { imported.numbers += present.map(\.number) + made.numbers.ranges.joined() }
        transaction.made = made.numbers
      }
    }
    // An earlier commit for the list as it was is refused from now on, even if this one changed no alarm.
    if sync != nil, transaction.log.changes.count == earlier { try transaction.step([]) {} }
    outcome.imported = imported
    return outcome
  }

  private func keepMark(of sync: CalendarSync, _ database: Database) throws {
    // The row of a calendar becomes the newest.
    try database.run(
      "INSERT OR REPLACE INTO synced (calendar, mark) VALUES (?, ?)", [sync.calendar, sync.mark])
    try database.run(
      "DELETE FROM synced WHERE rowid NOT IN (SELECT rowid FROM synced ORDER BY rowid DESC LIMIT ?)",
      [CalendarSync.most])
  }

  /// Days off of the import, or named by its alarms, that do not exist.
  private func missingDaysOff(_ images: Images, _ present: DaysOffTable) throws -> [String: DaySet] {
    let named = Dictionary(uniqueKeysWithValues: try images.namesOfDaysOff().map { ($0, DaySet.none) })
    let missing = try named.merging(images.daysOff()) { $1 }
      .filter { present.zones.daysOff(named: $0.key) == nil }
    guard missing.isEmpty || missing.count + present.zones.namesOfDaysOff.count <= Limits.daysOff.calendars
    else {
      throw ChangeError.tooManyDaysOff
    }
    return missing
  }

  /// In an empty list, alarms keep their positions (nil); otherwise they go to the end, after this one.
  private func lastPosition(before images: Images) throws -> Int64? {
    let hasFar = try images.database.has(
      """
      SELECT 1 FROM alarm_image
      WHERE holder = ?1 AND (position IS NULL OR position NOT BETWEEN -?2 AND ?2) LIMIT 1
      """, [images.holder, Self.farPosition])
    let last = try images.database.number("SELECT max(position) FROM alarm")
    // Differences between far positions might overflow.
    guard last != nil || hasFar else { return nil }
    return min(max(last ?? 0, -Self.farPosition), Self.farPosition)
  }

  /// The largest position taken from an export: differences of positions must not overflow.
  private static let farPosition: Int64 = 1 << 60
}

/// What a synchronised calendar does to the list, besides adding alarms: it changes those whose identity exists.
package struct CalendarSync: Sendable {
  package var calendar: String
  /// Tells the calendar later that this change was made.
  package var mark: String
  /// The change is refused if the list has another sequence by now; nil for any.
  package var sequence: Int64?
  /// Unknown ones are ignored.
  package var deleted: [AlarmID]

  package init(calendar: String, mark: String, sequence: Int64?, deleted: [AlarmID]) {
    self.calendar = calendar
    self.mark = mark
    self.sequence = sequence
    self.deleted = deleted
  }

  /// The most calendars whose marks are kept.
  static let most = 100
}

package struct Imported: Hashable, Sendable {
  package var count: Int64
  /// Alarms that existed already, by identity.
  package var existed: Int64
  /// Alarms whose moments had passed.
  package var missed: Int64
  /// Alarms that existed and were changed.
  package var replaced: Int64 = 0
  package var deleted: Int64 = 0
  /// Of all alarms that a synchronised calendar deleted, changed or added.
  package var numbers: [Int64] = []

  package init(count: Int64, existed: Int64, missed: Int64) {
    self.count = count
    self.existed = existed
    self.missed = missed
  }
}
