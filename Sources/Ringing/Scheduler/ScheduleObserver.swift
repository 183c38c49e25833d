import Alarms

/// The scheduler as the store sees it. All calls come from the store's queue, in commit order.
package protocol ScheduleObserver: AnyObject, Sendable {
  /// Holds alarms inside a change's transaction, before COMMIT: none of them begins to ring until `deliver`
  /// ends the hold. Synchronous: one hop to the scheduler's queue and back.
  ///
  /// - Returns: The rings of these alarms that are not recorded yet. The store records them in the same
  ///   transaction and then judges the change again, as a change to a rung alarm.
  func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord]

  /// Replaces the head after another program's commit, before eggd's own transaction. Synchronous.
  func takeUp(_ head: Refill)

  /// ``hold(_:as:)`` without a hold, for changes that keep the moment (a label, a dismissal).
  func unrecorded(_ numbers: NumberSet) -> [RingRecord]

  /// All entries that memory knows to be stored: those that wait, and those of unrecorded rings before they
  /// rang. Synchronous; called only when the database is damaged.
  func stored() -> [HeadEntry]

  /// A message of the stream that keeps the head in step with the database. Asynchronous.
  func deliver(_ news: StoreNews)
}

extension ScheduleObserver {
  /// For an observer without a head.
  package func stored() -> [HeadEntry] { [] }
}

/// Alarms that a change is about to take away from their moment: until COMMIT or its failure none begins to ring. As many
/// holds as changes share one transaction.
package typealias Holds = [HoldID: NumberSet]

extension Holds {
  /// Whether any hold is about that alarm.
  package func contain(_ number: Int64) -> Bool { values.contains { $0.contains(number) } }
}

/// Identifies a hold until it ends.
package struct HoldID: Hashable, Sendable {
  package var rawValue: UInt64
  /// Never reused.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

package enum StoreNews: Sendable {
  /// The head, read on the writer's connection. Replaces all waiting entries.
  case refilled(Refill)
  /// A refill failed; the head stays as it is.
  case refillFailed
  /// Everything that these alarms now wait for. Comes after COMMIT.
  case changed([AlarmMoments])
  /// The hold is over: the change was committed (its `changed` or `refilled` came before) or failed. What is
  /// due by now rings late, with the reason `store`.
  case holdEnded(HoldID)
  /// The answer to `AlarmStore.record`: on disk, or (false) to be retried by the store, which answers again
  /// on success.
  case recorded([RingRecord], stored: Bool)
  /// Of the occurrences passed to `AlarmStore.stillRinging`, those that no longer ring.
  case ended([Int64])
  /// Another program wrote, or too many alarms changed to name each. A `refilled` came before; check shown
  /// bubbles with `stillRinging`.
  case ringingUnknown
  /// Rings from before this start, read on the writer's connection; none if they cannot be read yet.
  case ringing([Notice])
}

/// Everything that one alarm waits for, and its ringing occurrences. Both empty after its deletion.
package struct AlarmMoments: Equatable, Sendable {
  package var number: Int64
  /// Its own next moment and the ends of its snoozes: a few at most.
  package var waiting: [HeadEntry]
  /// The keys of its ringing occurrences; bubbles of others are closed.
  package var ringing: [Int64]
  /// The greatest key of its occurrences, 0 for none. New keys begin above it.
  package var lastOccurrence: Int64
  /// What its bubble says from now on; nil after its deletion.
  package var card: AlarmCard?

  package init(
    number: Int64, waiting: [HeadEntry], ringing: [Int64], lastOccurrence: Int64 = 0, card: AlarmCard? = nil
  ) {
    self.card = card
    self.number = number
    self.waiting = waiting
    self.ringing = ringing
    self.lastOccurrence = lastOccurrence
  }
}

/// The head from one read of the database.
///
/// Each clock's waiting rows form two windows, divided at `origin` (one second before the read): overdue
/// rows, which are caught up with, and future rows, which ring first. Each window holds every row from its
/// start to its end, and none after.
package struct Refill: Sendable {
  /// In the order (due, number, occurrence) within each clock.
  package var entries: [HeadEntry]
  package var windows: [ClockID: Window]
  /// Wall clock minus boot clock, in µs, for each earlier boot that rows refer to.
  package var earlierBoots: [ClockID: Int64]
  /// The greatest key in the table `occurrence` that is a moment, 0 for none. New keys begin above it.
  package var lastOccurrence: Int64

  /// The ends of the two windows of one clock.
  package struct Window: Hashable, Sendable {
    /// Rows due up to this are overdue; µs on that clock.
    package var origin: Int64
    /// The last overdue row; nil if all were read.
    package var overdueEnd: EntryOrder?
    /// The last future row; nil if all were read.
    package var end: EntryOrder?

    package init(origin: Int64, overdueEnd: EntryOrder?, end: EntryOrder?) {
      self.origin = origin
      self.overdueEnd = overdueEnd
      self.end = end
    }
  }

  /// The most rows of a refill, on all clocks together.
  package struct Size: Hashable, Sendable {
    package var overdue: Int
    /// Future rows, merged by wall-clock time.
    package var waiting: Int

    package static let usual = Size(overdue: 512, waiting: 2_048)
    /// While the horizon is imminent: none of thousands due at once waits to be read.
    static let wide = Size(overdue: usual.overdue, waiting: Head.widest)
    /// The first, so that a full schedule does not slow the start; the next refill follows at once.
    package static let first = Size(overdue: 256, waiting: 256)

    /// With room for so many rows that are left out.
    func beside(_ count: Int) -> Size { Size(overdue: overdue + count, waiting: waiting + count) }
  }

  package init(
    entries: [HeadEntry], windows: [ClockID: Window], earlierBoots: [ClockID: Int64],
    lastOccurrence: Int64 = 0
  ) {
    self.entries = entries
    self.windows = windows
    self.earlierBoots = earlierBoots
    self.lastOccurrence = lastOccurrence
  }
}

/// The sort key of the head within one clock.
package struct EntryOrder: Hashable, Comparable, Sendable {
  /// µs on the entry's clock.
  package var due: Int64
  package var number: Int64
  package var occurrence: Int64

  package init(due: Int64, number: Int64, occurrence: Int64) {
    self.due = due
    self.number = number
    self.occurrence = occurrence
  }

  /// By due moment, number, occurrence.
  package static func < (a: EntryOrder, b: EntryOrder) -> Bool {
    (a.due, a.number, a.occurrence) < (b.due, b.number, b.occurrence)
  }
}

extension HeadEntry {
  /// Its sort key within its clock.
  package var order: EntryOrder {
    EntryOrder(due: due.microseconds, number: key.number, occurrence: key.occurrence)
  }
}
