import Alarms
import EggTime
import GRDB
import Synchronization

/// Stages a chunk of an import; nothing changes yet.
package struct ImportAlarmsChange: Change {
  package var id: ImportID
  package var groups: [Group]
  package var daysOff: [String: DaySet]
  /// In list order.
  package var alarms: [(alarm: Alarm, occurrences: [Occurrence])]
  /// The rank of the first alarm in the whole import, from 1.
  package var first: Int64

  package init(
    _ id: ImportID, groups: [Group] = [], daysOff: [String: DaySet] = [:],
    alarms: [(alarm: Alarm, occurrences: [Occurrence])], first: Int64 = 1
  ) {
    self.id = id
    self.groups = groups
    self.daysOff = daysOff
    self.alarms = alarms
    self.first = first
  }

  package var kind: ChangeKind? { nil }

  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    try transaction.tables.images(of: id.holder).stage(self, at: request.readAt.wall)
    return ChangeOutcome()
  }
}

extension Images {
  private static let stageAlarm = """
    INSERT INTO alarm_image (holder, side, place, \(AlarmColumn.list()))
    VALUES (?, 0, ?, \(AlarmColumn.allCases.map { _ in "?" }.joined(separator: ", ")))
    """

  fileprivate func stage(_ staged: ImportAlarmsChange, at now: Instant) throws {
    for group in staged.groups {
      try database.run(
        "INSERT OR REPLACE INTO alarm_group_image (holder, side, id, name, color, icon) VALUES (?, 0, ?2, ?2, ?, ?)",
        [holder, group.name, group.color?.rawValue, group.icon])
    }
    for (name, days) in staged.daysOff {
      try database.run(
        "INSERT OR REPLACE INTO days_off_image (holder, side, name, days) VALUES (?, 0, ?, ?)",
        [holder, name, days.description])
    }
    let insert = try database.cachedStatement(sql: Self.stageAlarm)
    let occurrence = try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO occurrence_image (holder, side, place, id, dueAt, outcome, missedCount, firedAt,
          journaledAt, shownAt, dismissedAt, snoozedUntil, clock, due, lateness, lateReason, hooks, ahead)
        VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for (place, item) in zip(staged.first..., staged.alarms) {
      try insert.run { values in
        values.add(holder)
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
        try occurrence.run([
          holder, place, past.id, past.dueAt.microseconds, past.outcome.rawValue, past.missedCount,
          past.firedAt?.microseconds, past.journaledAt?.microseconds, past.shownAt?.microseconds,
          past.dismissedAt?.microseconds, past.snoozedUntil?.microseconds, past.due?.clock.rawValue ?? 0,
          past.due?.microseconds, past.lateness?.microseconds, past.lateReason?.rawValue,
          RecurrenceRows.column(past.hooks.map(\.line)), RecurrenceRows.column(past.ahead),
        ])
      }
    }
  }
}

/// An import: alarms are staged as images, in chunks, and created all at once.
package struct ImportID: Hashable, Sendable {
  /// The holder of its images: negative, never reused.
  let holder: Int64
}

/// The imports whose clients are there. Any thread.
final class StagedImports: Sendable {
  private let state = Mutex((open: Set<Int64>(), last: Int64(0)))

  /// The holders of images that must be kept.
  var open: Set<Int64> { state.withLock { $0.open } }

  func begin(at now: Instant) -> ImportID {
    state.withLock { state in
      // Below earlier eggds' holders, whose images may still exist.
      state.last = max(state.last + 1, now.microseconds)
      state.open.insert(-state.last)
      return ImportID(holder: -state.last)
    }
  }

  func end(_ id: ImportID) { state.withLock { _ = $0.open.remove(id.holder) } }
}
