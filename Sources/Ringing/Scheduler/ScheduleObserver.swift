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

  /// `taken` is called, on any thread, after the effects of the message were requested.
  func deliver(_ news: StoreNews, taken: @escaping @Sendable () -> Void)
}

extension ScheduleObserver {
  /// For an observer without a head.
  package func stored() -> [HeadEntry] { [] }

  /// For an observer without effects.
  package func deliver(_ news: StoreNews, taken: @escaping @Sendable () -> Void) {
    deliver(news)
    taken()
  }
}

package enum StoreNews: Sendable {
  /// The head, read on the writer's connection. Replaces all waiting entries.
  case refilled(Refill)
  /// The requested gap, read on the writer's connection.
  case extended(HeadExtension)
  /// A refill or extension failed; the head stays as it is.
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
  /// A slice of rings from before this start, read on the writer's connection. `isLast`: no more for now.
  case ringing([Notice], isLast: Bool)
  /// Bubbles from before this start that may contain rings whose end no `ringing` reported.
  case bubblesLeft([Notice.ShownBubble])
}

/// Everything that one alarm waits for, and its ringing occurrences. Both empty after its deletion.
package struct AlarmMoments: Hashable, Sendable {
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

  /// Overdue rows in one refill, on all clocks together.
  package static let overdueLimit = 512
  /// Future rows in one refill, on all clocks together, merged by wall-clock time.
  package static let waitingLimit = 3_584
  /// Rows of each kind in the first refill, so that a full schedule does not slow the start; the next refill
  /// follows at once.
  package static let firstLimit = 256

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

/// Where to extend one of the head's two windows.
package struct HeadGap: Hashable, Sendable {
  /// The last row read of each clock.
  package var from: [ClockID: EntryOrder]
  /// For the overdue window, its end on each clock, in µs on that clock. Empty for the future window.
  package var origins: [ClockID: Int64]
  /// The maximum number of rows.
  package var limit: Int

  /// Future rows per extension: reading them takes no longer than announcing the rest of the head.
  package static let limit = 2_048

  package init(from: [ClockID: EntryOrder], origins: [ClockID: Int64] = [:], limit: Int) {
    self.from = from
    self.origins = origins
    self.limit = limit
  }

  var isOverdue: Bool { !origins.isEmpty }
}

/// The continuation of a cut window: for each clock, every row from the old end to the new one. The head
/// grows by it while rings are unrecorded, without another read of what it holds.
package struct HeadExtension: Sendable {
  /// In the order (due, number, occurrence) within each clock.
  package var entries: [HeadEntry]
  package var gap: HeadGap
  /// The new ends; none where all rows were read.
  package var ends: [ClockID: EntryOrder]

  package init(entries: [HeadEntry], gap: HeadGap, ends: [ClockID: EntryOrder]) {
    self.entries = entries
    self.gap = gap
    self.ends = ends
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
