import Alarms
import EggTime
import Ringing

/// An alarm by what a person types, or by its lasting identity.
package enum AlarmReference: Hashable, Sendable {
  case number(Int64)
  case id(AlarmID)
}

/// One page of the list.
package struct ListQuery: Hashable, Sendable {
  package var order: Order
  package var filter: ListFilter
  /// The page begins after this; nil for the first page.
  package var after: ListCursor?
  /// At most so many alarms; at least 1.
  package var limit: Int
  /// Whether totals of all that passes the filter are counted too.
  package var withTotals: Bool
  /// What is read of each alarm.
  package var parts: AlarmParts

  /// By place in the list; by the moment each rings next (those with none come last, by number); as they were made; by
  /// label (those without one come last, by number).
  package enum Order: Hashable, Sendable {
    case position
    case due
    case created
    case label
  }

  /// The first page of everything, unless told otherwise.
  package init(
    order: Order = .position, filter: ListFilter = ListFilter(), after: ListCursor? = nil,
    limit: Int = 1_000, withTotals: Bool = true, parts: AlarmParts = .all
  ) {
    self.order = order
    self.filter = filter
    self.after = after
    self.limit = limit
    self.withTotals = withTotals
    self.parts = parts
  }
}

/// What is read of an alarm's row: all of it; or what a list shows, and is sorted by, which takes half the time. The rest
/// is then as in an alarm that has none of it.
package enum AlarmParts: Hashable, Sendable {
  case all
  case listed
}

/// What is wanted: alarms that pass all of it. nil lets everything pass.
package struct ListFilter: Hashable, Sendable {
  package var phases: Set<Alarm.Phase>?
  package var categories: Set<Category>?
  package var group: GroupFilter?
  /// Marked done, or not.
  package var done: Bool?
  /// A part of the label, in any case.
  package var label: String?
  /// The next moment, or the last one, is this or later, and earlier than ``dueBefore``.
  package var dueFrom: Instant?
  /// The next moment, or the last where nothing is to come, is earlier.
  package var dueBefore: Instant?

  package enum GroupFilter: Hashable, Sendable {
    case none
    case named(String)
  }

  /// Lets everything pass, unless told otherwise.
  package init(phases: Set<Alarm.Phase>? = nil) { self.phases = phases }
}

/// Where a page ended. With only a number the store looks the key up, which fails when that alarm is gone and its former
/// key is not known.
package struct ListCursor: Hashable, Sendable {
  /// The last alarm of the page before.
  package var number: Int64
  /// What it was sorted by; nil where that is to be looked up.
  package var key: Key?
  /// What it was sorted by when its page ended: counts where the alarm is gone.
  package var formerKey: Key?

  /// What alarms are sorted by, before their number.
  package enum Key: Hashable, Sendable {
    /// A position; the moment it rings next, µs on the wall clock, `Int64.max` for none.
    case number(Int64)
    /// A label; nil for none.
    case text(String?)
  }

  /// After that alarm.
  package init(number: Int64, key: Key? = nil, formerKey: Key? = nil) {
    self.number = number
    self.key = key
    self.formerKey = formerKey
  }
}

/// What a ``ListQuery`` found, all of it at one moment of the database.
package struct ListPage: Sendable {
  package var alarms: [Alarm]
  /// Where it was asked for.
  package var totals: ListTotals?
  /// Where the next page begins; nil when this was the last.
  package var after: ListCursor?
  /// The number of the last change that this page holds.
  package var sequence: Int64
}

/// Of exactly what passes a filter.
package struct ListTotals: Hashable, Sendable {
  package var alarms: Int64
  package var eggs: Int64
  /// The earliest moment to come, snoozes included.
  package var next: Instant?

  package init(alarms: Int64, eggs: Int64, next: Instant?) {
    (self.alarms, self.eggs, self.next) = (alarms, eggs, next)
  }
}

/// One alarm and what became of it.
package struct AlarmHistory: Sendable {
  package var alarm: Alarm
  /// Latest first, at most 100.
  package var occurrences: [Occurrence]
}

/// What became of alarms, latest first.
package struct HistoryPage: Sendable {
  package var past: [Past]
  /// The next page begins before this occurrence; nil when this was the last.
  package var before: Int64?

  /// One occurrence and whose it was.
  package struct Past: Hashable, Sendable {
    package var number: Int64
    package var label: String?
    package var occurrence: Occurrence
  }
}

/// Occurrences that the start has to take up again, in the order of their keys.
package struct NoticePage: Sendable {
  package var notices: [Notice]
  /// The next page begins after this occurrence; nil when this was the last.
  package var after: Int64?
}

/// Which occurrences the start has to take up again.
package enum Unfinished: Hashable, Sendable {
  /// Rung, not dismissed, not snoozed: their bubbles belong on the screen.
  case ringing
  /// Fired, but the journal has not taken their entries.
  case unjournaled
}

/// Why a question to the store has no answer.
package enum ReadError: Error, Hashable, Sendable {
  case noSuchAlarm
  case noSuchGroup(String)
  case unavailable(reason: String)
}
