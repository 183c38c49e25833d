import Alarms
import EggTime
import Ringing

/// An alarm by its number or its permanent identity.
package enum AlarmReference: Hashable, Sendable {
  case number(Int64)
  case id(AlarmID)

  /// There is none.
  var absence: ChangeError {
    switch self {
    case .number(let number): .noSuchAlarm(numbers: [number], ids: [])
    case .id(let id): .noSuchAlarm(numbers: [], ids: [id])
    }
  }
}

package struct ListQuery: Hashable, Sendable {
  package var order: ListOrder
  package var filter: ListFilter
  /// Begins the page after this alarm; nil for the first page.
  package var after: ListCursor?
  /// At least 1.
  package var limit: Int
  /// Whether to count the totals of everything that passes the filter.
  package var withTotals: Bool
  /// Reads only what a list shows and sorts by, in half the time. The rest then reads as empty.
  package var listedOnly: Bool

  /// The first page of everything by default.
  package init(
    order: ListOrder = .position, filter: ListFilter = ListFilter(), after: ListCursor? = nil,
    limit: Int = 1_000, withTotals: Bool = true, listedOnly: Bool = false
  ) {
    self.order = order
    self.filter = filter
    self.after = after
    self.limit = limit
    self.withTotals = withTotals
    self.listedOnly = listedOnly
  }
}

/// Conditions that an alarm must all meet. nil is no condition.
package struct ListFilter: Hashable, Sendable {
  package var phases: Set<Alarm.Phase>?
  package var categories: Set<Category>?
  package var group: GroupFilter?
  package var done: Bool?
  /// A part of the label, ignoring case.
  package var label: String?
  /// The next moment, or the last one, is this or later.
  package var dueFrom: Instant?
  /// The next moment, or the last one if nothing is to come, is earlier.
  package var dueBefore: Instant?
  package var numbers: ClosedRange<Int64>?

  package enum GroupFilter: Hashable, Sendable {
    case none
    case named(String)
  }

  /// Everything passes by default.
  package init(phases: Set<Alarm.Phase>? = nil) { self.phases = phases }
}

/// Where a page ended. With a number alone, the store looks the key up; that fails if the alarm is gone.
package struct ListCursor: Hashable, Sendable {
  /// The last alarm of the previous page.
  package var number: Int64
  /// Its sort key; nil to look it up.
  package var key: Key?

  /// A sort key before the number.
  package enum Key: Hashable, Sendable {
    /// A position, or the next moment in µs on the wall clock, `Int64.max` for none.
    case number(Int64)
    case text(String?)
  }

  package init(number: Int64, key: Key? = nil) {
    self.number = number
    self.key = key
  }
}

/// The answer to a ``ListQuery``, from one snapshot.
package struct ListPage: Sendable {
  package var alarms: [Alarm]
  /// nil unless asked for.
  package var totals: ListTotals?
  /// Where the next page begins; nil after the last page.
  package var after: ListCursor?
  /// The last change in the page.
  package var sequence: Int64
}

/// Totals of exactly what passes a filter.
package struct ListTotals: Hashable, Sendable {
  package var alarms: Int64
  package var eggs: Int64
  /// The earliest future moment, including snoozes.
  package var next: Instant?
}

package struct AlarmHistory: Sendable {
  package var alarm: Alarm
  /// Latest first, at most 100.
  package var occurrences: [Occurrence]
  /// The days on which it keeps quiet.
  package var quiet: QuietDays
}

/// Occurrences of alarms, latest first.
package struct HistoryPage: Sendable {
  package var past: [Past]
  /// The next page begins before this occurrence; nil after the last page.
  package var before: Int64?

  /// One occurrence and its alarm, which may have been deleted.
  package struct Past: Hashable, Sendable {
    package var number: Int64
    package var label: String?
    package var occurrence: Occurrence
    /// nil while the alarm exists.
    package var deletedAt: Instant?
  }
}

/// The state of a synchronised calendar.
package struct SyncMark: Hashable, Sendable {
  /// The last one that it set; nil if it never did.
  package var mark: String?
  /// That of the list.
  package var sequence: Int64
  /// The missed alarms that eggd has deleted by itself.
  package var cleared: [AlarmID]
}

/// Alarms that clients wait for, from one snapshot.
package struct AwaitedAlarms: Sendable {
  package var alarms: [Alarm]
  /// The numbers of those that elapsed at the moment asked for or later, whatever their outcome.
  package var rangSince: Set<Int64>
  /// Numbers without alarms.
  package var missing: [Int64]
  /// Identities without alarms.
  package var missingIDs: [AlarmID]
  /// The last change in the snapshot.
  package var sequence: Int64
}

package struct GroupSums: Hashable, Sendable {
  package var group: Group
  package var alarms: Int64
  package var done: Int64
  package var eggs: Int64
  /// The earliest future moment, including snoozes.
  package var next: Instant?
}
