import Alarms
import EggTime
import GRDB
import Ringing

/// Stages a chunk of an import; nothing changes yet.
package struct ImportAlarmsChange: ImportingChange {
  package var alarms: StagedAlarms
  package var id: ImportID

  package init(_ alarms: StagedAlarms, _ id: ImportID) {
    self.alarms = alarms
    self.id = id
  }

  package var kind: ChangeKind? { nil }
  package var isPromised: Bool { false }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.stage(alarms, id, at: request.readAt.wall)
    return ChangeOutcome(sequence: 0)
  }
}

extension StoreTransaction {
  private static let stageAlarm = """
    INSERT INTO alarm_image (holder, side, place, \(AlarmColumn.list()))
    VALUES (?, 0, ?, \(AlarmColumn.allCases.map { _ in "?" }.joined(separator: ", ")))
    """

  fileprivate func stage(_ staged: StagedAlarms, _ id: ImportID, at now: Instant) throws {
    for group in staged.groups {
      try database.cachedStatement(
        sql:
          "INSERT OR REPLACE INTO alarm_group_image (holder, side, id, name, color, icon) VALUES (?, 0, ?2, ?2, ?, ?)"
      ).execute(arguments: [id.holder, group.name, group.color?.rawValue, group.icon])
    }
    let insert = try database.cachedStatement(sql: Self.stageAlarm)
    let occurrence = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO occurrence_image (holder, side, place, id, dueAt, outcome, missedCount, firedAt,
          journaledAt, shownAt, dismissedAt, snoozedUntil, clock, due, lateness, lateReason)
        VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for (place, item) in zip(staged.first..., staged.alarms) {
      try insert.run { values in
        values.add(id.holder)
        values.add(place)
        for column in AlarmColumn.allCases {
          // The moments of others stay, and belong to another clock.
          if column == .calledAt, item.alarm.timing.kind == .every {
            values.add(now.microseconds)
          } else {
            values.add(column, of: item.alarm)
          }
        }
      }
      for past in item.occurrences.prefix(OccurrenceTable.kept) {
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
}

/// Alarms from an export.
package struct StagedAlarms: Sendable {
  package var groups: [Group]
  /// In list order.
  package var alarms: [(alarm: Alarm, occurrences: [Occurrence])]
  /// The rank of the first alarm in the whole import, from 1.
  package var first: Int64

  package init(groups: [Group], alarms: [(alarm: Alarm, occurrences: [Occurrence])], first: Int64) {
    self.groups = groups
    self.alarms = alarms
    self.first = first
  }
}
