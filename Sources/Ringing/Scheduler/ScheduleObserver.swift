import Alarms
import EggTime

/// The scheduler as the store sees it. All calls come from the store's queue, in commit order.
package protocol ScheduleObserver: AnyObject, Sendable {
  /// Called inside the transaction of a change, before COMMIT: none of these alarms begins to ring until
  /// `deliver` ends that hold. Synchronous: one hop to the scheduler's queue and back.
  ///
  /// - Returns: the rings of these alarms that have happened and are not recorded yet. The store records
  ///   them inside the same transaction and then judges the change again, as a change to a rung alarm.
  func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord]

  /// Another program has committed, and a transaction of ours begins: this is the head now. Synchronous, as `hold` is.
  func takeUp(_ head: Refill)

  /// The same answer without a hold, for changes that leave the moment alone (a label, a dismissal).
  func unrecorded(_ numbers: NumberSet) -> [RingRecord]

  /// All moments that memory knows to be stored: what waits, and what rang and is not known to be recorded, as it was
  /// before that. Synchronous, and asked for only when the database has been damaged.
  func stored() -> [HeadEntry]

  /// One message of the stream that keeps the head in step with the database. Asynchronous.
  func deliver(_ news: StoreNews)

  /// The same; `taken` is called, on any thread, when what follows from it has been asked for.
  func deliver(_ news: StoreNews, taken: @escaping @Sendable () -> Void)
}

extension ScheduleObserver {
  /// Nothing, where nothing is held in memory.
  package func stored() -> [HeadEntry] { [] }

  /// Where nothing follows.
  package func deliver(_ news: StoreNews, taken: @escaping @Sendable () -> Void) {
    deliver(news)
    taken()
  }
}

/// Names one hold, so that its end can be told.
package struct HoldID: Hashable, Sendable {
  package var rawValue: UInt64
  /// The hold of that number; never used twice.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// What the store tells the scheduler.
package enum StoreNews: Sendable {
  /// The head, read anew on the writer's connection: replaces all that is waiting in memory.
  case refilled(Refill)
  /// What lies in the gap that was asked for, read anew on the writer's connection.
  case extended(HeadExtension)
  /// A refill or an extension was asked for and could not be read; the head stays as it is.
  case refillFailed
  /// All that these alarms now wait for; whatever else was known of them is over. Comes after COMMIT.
  case changed([AlarmMoments])
  /// The hold is over: COMMIT came (its `changed` or `refilled` went before), or it failed. What is due by now rings late,
  /// with the reason `store`.
  case holdEnded(HoldID)
  /// The answer to `AlarmStore.record`: on disk, or (false) to be tried again by the store, which keeps them
  /// in hand and answers again when it succeeded.
  case recorded([RingRecord], stored: Bool)
  /// Of the occurrences asked for with `AlarmStore.stillRinging`, those that are not ringing any more.
  case ended([Int64])
  /// Another program wrote, or so many alarms were changed that none is told singly: a `refilled` went before, and
  /// shown bubbles are to be asked for with `stillRinging`.
  case ringingUnknown
  /// A slice of what rings since before this start, read anew on the writer's connection; `isLast`: no more is to come
  /// for now.
  case ringing([Notice], isLast: Bool)
  /// Bubbles of before this start, of which something may have ended that no `ringing` told.
  case bubblesLeft([Notice.ShownBubble])
}

/// All that is to come of one alarm, and which of its occurrences ring. Both empty once it is deleted.
package struct AlarmMoments: Hashable, Sendable {
  package var number: Int64
  /// Its own next moment and the ends of its snoozes: at most a few.
  package var waiting: [HeadEntry]
  /// The keys of its ringing occurrences; bubbles of all others are closed.
  package var ringing: [Int64]
  /// The greatest key of its occurrences, 0 for none: new ones begin above it.
  package var lastOccurrence: Int64

  /// All fields.
  package init(number: Int64, waiting: [HeadEntry], ringing: [Int64], lastOccurrence: Int64 = 0) {
    self.number = number
    self.waiting = waiting
    self.ringing = ringing
    self.lastOccurrence = lastOccurrence
  }
}

/// The head as one read of the database gave it.
///
/// For each clock the waiting rows fall into two windows, cut at `origin` (one second before the read): what is
/// overdue, to be caught up with, and what is to come, which goes first. Each window holds every row from its
/// start to its end, and no row after that.
package struct Refill: Sendable {
  /// In the order (due, number, occurrence) within each clock.
  package var entries: [HeadEntry]
  package var windows: [ClockID: Window]
  /// Wall clock minus clock, in µs, of every earlier boot that rows still run on.
  package var earlierBoots: [ClockID: Int64]
  /// The greatest key in the table `occurrence` that is a moment, 0 for none: new ones begin above it.
  package var lastOccurrence: Int64

  /// Where the two windows of one clock end.
  package struct Window: Hashable, Sendable {
    /// Rows due at or before it are overdue; µs on that clock.
    package var origin: Int64
    /// The last overdue row that was read; nil when all were.
    package var overdueEnd: EntryOrder?
    /// The last row to come that was read; nil when all were.
    package var end: EntryOrder?

    /// All fields.
    package init(origin: Int64, overdueEnd: EntryOrder?, end: EntryOrder?) {
      self.origin = origin
      self.overdueEnd = overdueEnd
      self.end = end
    }
  }

  /// Overdue rows in one refill, all clocks together.
  package static let overdueLimit = 512
  /// Rows to come in one refill, all clocks together, merged by their wall-clock time.
  package static let waitingLimit = 3_584
  /// Rows of each sort in the first of all, so that a start takes no longer with a full schedule; the next one follows
  /// at once.
  package static let firstLimit = 256

  /// Whether there are rows beyond it.
  var isCut: Bool { windows.values.contains { $0.overdueEnd != nil || $0.end != nil } }

  /// All fields.
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

/// One of the two windows of a head, and from where on it is to be continued.
package struct HeadGap: Hashable, Sendable {
  /// The last row that was read on each clock.
  package var from: [ClockID: EntryOrder]
  /// For the overdue window: where it ends on each clock, in µs on that clock. Empty for the window to come.
  package var origins: [ClockID: Int64]
  /// Rows that are wanted, at most.
  package var limit: Int

  /// Rows to come in one extension: it takes no longer to be read than the rest of the head to be told.
  package static let limit = 2_048

  /// All fields.
  package init(from: [ClockID: EntryOrder], origins: [ClockID: Int64] = [:], limit: Int) {
    (self.from, self.origins, self.limit) = (from, origins, limit)
  }

  /// Whether it is about overdue rows.
  var isOverdue: Bool { !origins.isEmpty }
}

/// What comes after a window that is cut: on each clock every row from the old end up to the new one. So the head is
/// continued while what has rung is not recorded, and needs no second look at what it holds.
package struct HeadExtension: Sendable {
  /// In the order (due, number, occurrence) within each clock.
  package var entries: [HeadEntry]
  /// The gap as it was when it was asked for.
  package var gap: HeadGap
  /// Where the window ends now; no end where all was read.
  package var ends: [ClockID: EntryOrder]

  /// All fields.
  package init(entries: [HeadEntry], gap: HeadGap, ends: [ClockID: EntryOrder]) {
    (self.entries, self.gap, self.ends) = (entries, gap, ends)
  }
}

/// The order of the head within one clock.
package struct EntryOrder: Hashable, Comparable, Sendable {
  /// µs on the entry's clock.
  package var due: Int64
  package var number: Int64
  package var occurrence: Int64

  /// The place of that entry.
  package init(due: Int64, number: Int64, occurrence: Int64) {
    self.due = due
    self.number = number
    self.occurrence = occurrence
  }

  /// By due moment, then number, then occurrence.
  package static func < (a: EntryOrder, b: EntryOrder) -> Bool {
    (a.due, a.number, a.occurrence) < (b.due, b.number, b.occurrence)
  }
}

extension HeadEntry {
  /// Its place among the entries of its clock.
  package var order: EntryOrder {
    EntryOrder(due: due.microseconds, number: key.number, occurrence: key.occurrence)
  }
}

/// Alarm numbers as sorted, disjoint ranges: `delete --all` of a million is one range.
package struct NumberSet: Hashable, Sendable {
  /// Ascending, disjoint.
  package private(set) var ranges: [ClosedRange<Int64>]

  /// Every number.
  package static let all = NumberSet(ranges: [Int64.min...Int64.max])

  /// Ranges in any order, overlapping or not.
  package init(ranges: [ClosedRange<Int64>]) {
    self.ranges = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound {
        self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// Numbers in any order.
  package init(_ numbers: some Sequence<Int64>) { self.init(ranges: numbers.map { $0...$0 }) }

  /// Binary search.
  package func contains(_ number: Int64) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(number)
  }
}
