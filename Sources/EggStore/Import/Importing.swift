import Alarms
import EggTime
import GRDB

/// An import: its alarms are staged as images, in chunks, and become alarms all at once.
package struct ImportID: Hashable, Sendable {
  /// The holder of its images: negative, and never used twice.
  let holder: Int64
}

/// Alarms as an export has them.
package struct StagedAlarms: Sendable {
  package var groups: [Group]
  /// In the order of the list.
  package var alarms: [(alarm: Alarm, occurrences: [Occurrence])]
  /// The rank of the first of them in the whole import, from 1.
  package var first: Int64

  /// All fields.
  package init(groups: [Group], alarms: [(alarm: Alarm, occurrences: [Occurrence])], first: Int64) {
    self.groups = groups
    self.alarms = alarms
    self.first = first
  }
}

/// What an import made.
package struct Imported: Hashable, Sendable {
  package var count: Int64
  /// How many were there already, by their identity.
  package var existed: Int64
  /// How many had passed what they waited for.
  package var missed: Int64

  package init(count: Int64, existed: Int64, missed: Int64) {
    (self.count, self.existed, self.missed) = (count, existed, missed)
  }
}

extension AlarmStore {
  /// Begins an import. Any thread.
  package func beginImport() -> ImportID {
    let id = shared.withLock { shared in
      // Below what a holder of an earlier eggd had, whose images may be there yet.
      shared.lastImport = max(shared.lastImport + 1, clock.read().wall.microseconds)
      shared.imports.insert(-shared.lastImport)
      return ImportID(holder: -shared.lastImport)
    }
    return id
  }

  /// Lets go of what was staged: later changes sweep it away. Any thread.
  package func endImport(_ id: ImportID) { shared.withLock { _ = $0.imports.remove(id.holder) } }
}

extension StoreTransaction {
  /// The furthest place that is taken from an export: two of them are a number apart that can be told.
  private static let farPosition: Int64 = 1 << 60

  func stage(_ staged: StagedAlarms, _ id: ImportID) throws {
    for group in staged.groups {
      try database.cachedStatement(
        sql:
          "INSERT OR REPLACE INTO alarm_group_image (holder, side, id, name, color, icon) VALUES (?, 0, ?2, ?2, ?, ?)"
      ).execute(arguments: [id.holder, group.name, group.color?.rawValue, group.icon])
    }
    let columns = Images.alarmColumns.filter {
      !["overAt", "keyedRequest", "zoneDue", "pausedDue"].contains($0)
    }
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO alarm_image (holder, side, place, \(Images.list(columns)))
        VALUES (?, 0, ?, \(columns.map { _ in "?" }.joined(separator: ", ")))
        """)
    let occurrence = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO occurrence_image (holder, side, place, id, dueAt, outcome, missedCount, firedAt,
          journaledAt, shownAt, dismissedAt, snoozedUntil, clock, due, lateness, lateReason)
        VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for (place, item) in zip(staged.first..., staged.alarms) {
      let values = AlarmRows.columns(of: item.alarm)
      try insert.run([id.holder, place] + columns.map { values[$0] ?? nil })
      for past in item.occurrences.prefix(Self.keptOccurrences) {
        var arguments: StatementArguments = [id.holder, place, past.id, past.dueAt.microseconds]
        arguments += [past.outcome.rawValue, past.missedCount, past.firedAt?.microseconds]
        arguments += [past.journaledAt?.microseconds, past.shownAt?.microseconds]
        arguments += [past.dismissedAt?.microseconds, past.snoozedUntil?.microseconds]
        arguments += [past.due?.clock.rawValue ?? 0, past.due?.microseconds]
        arguments += [past.lateness?.microseconds, past.lateReason?.rawValue]
        try occurrence.execute(arguments: arguments)
      }
    }
  }

  /// Makes alarms of all that was staged.
  func commitImport(_ id: ImportID, at now: ClockReading) throws -> ChangeOutcome {
    let images = Images(database: database, holder: id.holder)
    let places = try images.places().deleted
    let groups = try missingGroups(images)
    var outcome = ChangeOutcome(sequence: 0)
    guard !places.isEmpty || !groups.isEmpty else {
      outcome.imported = Imported(count: 0, existed: 0, missed: 0)
      return outcome
    }
    try step([], groups: groups.map(\.id)) {
      for (id, group) in groups {
        try self.database.execute(
          sql: "INSERT INTO alarm_group (id, name, color, icon, createdAt) VALUES (?, ?, ?, ?, ?)",
          arguments: [id, group.name, group.color?.rawValue, group.icon, now.wall.microseconds])
      }
      try self.database.execute(
        sql: """
          UPDATE alarm_image SET "group" = (SELECT id FROM alarm_group WHERE name = alarm_image."group")
          WHERE holder = ? AND "group" IS NOT NULL
          """, arguments: [id.holder])
      try self.givePlaces(images)
      let made = try self.reinsert(images, places, at: now)
      outcome.imported = Imported(
        count: Int64(made.numbers.count), existed: Int64(places.count - made.numbers.count),
        missed: Int64(made.missed.count))
      return made.numbers
    }
    return outcome
  }

  /// Groups that are named and do not exist, with new keys.
  private func missingGroups(_ images: Images) throws -> [(id: String, group: Group)] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT name, max(color), max(icon) FROM (
          SELECT name, color, icon FROM alarm_group_image WHERE holder = ?1 AND side = 0
          UNION ALL SELECT DISTINCT "group", NULL, NULL FROM alarm_image WHERE holder = ?1 AND "group" IS NOT NULL)
        WHERE name NOT IN (SELECT name FROM alarm_group) GROUP BY name ORDER BY name
        """, arguments: [images.holder])
    return rows.compactMap { row in
      text(row, 0).map {
        (
          AlarmID().description,
          Group(name: $0, color: text(row, 1).flatMap { Group.Color(rawValue: $0) }, icon: text(row, 2))
        )
      }
    }
  }

  /// Into an empty list alarms come with the places that they had, otherwise to its end.
  private func givePlaces(_ images: Images) throws {
    let last = try Int64.fetchOne(database, sql: "SELECT max(position) FROM alarm")
    let far = try Int64.fetchOne(
      database,
      sql: """
        SELECT 1 FROM alarm_image
        WHERE holder = ?1 AND (position IS NULL OR position NOT BETWEEN -?2 AND ?2) LIMIT 1
        """, arguments: [images.holder, Self.farPosition])
    guard last != nil || far != nil else { return }
    let base = min(max(last ?? 0, -Self.farPosition), Self.farPosition)
    try database.execute(
      sql: "UPDATE alarm_image SET position = ? + ? * place WHERE holder = ?",
      arguments: [base, Self.positionStep, images.holder])
  }
}
