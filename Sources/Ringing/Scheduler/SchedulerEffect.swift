import Alarms
import EggTime

/// What the scheduler wants done, in this order; none of it calls back into it.
package enum SchedulerEffect: Hashable, Sendable {
  /// Each alarm's own entry in the journal.
  case journal([Ring])
  /// Bubbles; those of a further slice of one catch-up join the bubble of the first.
  case show([Ring], joining: Bool)
  /// Too late to ring: an entry in the journal, and nothing else.
  case journalMissed([Ring])
  /// To the store, afterwards: ring first, record second.
  case record([RingRecord])
  /// The head is to be read anew.
  case refill
  /// A window of the head runs low: what lies in that gap.
  case extend(HeadGap)
  /// Of that alarm only these occurrences ring: the bubbles of others are closed.
  case retain(number: Int64, ringing: [Int64])
  /// These occurrences ring no more.
  case end([Int64])
  /// The store is to say which of the shown bubbles still ring.
  case checkBubbles
  /// A slice of what rings since before this start has its bubbles again.
  case restore([Notice], isLast: Bool)
  /// Nothing may ring any more in these bubbles of before this start.
  case leave([Notice.ShownBubble])
  /// The wall clock was stepped, by that much.
  case clockStepped(by: TimeSpan)
  /// The machine slept for that long.
  case resumed(after: TimeSpan)
  /// Wake at this time of the wall clock as it now stands; nil: nothing is to come.
  case arm(Instant?)
}

/// A ring as it goes out: what is shown, and what is recorded afterwards.
package struct Ring: Hashable, Sendable {
  package var record: RingRecord
  package var card: AlarmCard

  /// That record, shown as that card says.
  package init(record: RingRecord, card: AlarmCard) {
    self.record = record
    self.card = card
  }
}
