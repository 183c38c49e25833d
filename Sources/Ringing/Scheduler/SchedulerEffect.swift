import EggTime

/// The scheduler's effects, performed in order; none calls back into it.
package enum SchedulerEffect: Equatable, Sendable {
  /// One journal entry per alarm.
  case journal([Ring])
  /// Bubbles; further slices of a catch-up join the bubble of the first.
  case show([Ring], joining: Bool)
  /// Too late to ring: only a journal entry.
  case journalMissed([Ring])
  /// Nobody has answered these rings in time. Each is to be recorded when its commands have begun.
  case unanswered([Ring])
  /// To the store, after ringing.
  case record([RingRecord])
  /// Read the head again.
  case refill(Refill.Size)
  /// The alarm's ringing occurrences; bubbles of its others are closed, and theirs follow the card.
  case retain(number: Int64, ringing: [Int64], card: AlarmCard? = nil)
  /// These occurrences no longer ring.
  case end([Int64])
  /// Ask the store which shown bubbles still ring.
  case checkBubbles
  /// Restore the bubbles of rings from before this start.
  case restore([Notice])
  case clockStepped(by: TimeSpan)
  case resumed(after: TimeSpan)
  /// Wake at this time on the present wall clock; nil for never.
  case arm(Instant?)
}

/// A ring: what to show now and what to record afterwards.
package struct Ring: Equatable, Sendable {
  package var record: RingRecord
  package var card: AlarmCard
  /// The earlier ring that nobody has answered; nil where this is a ring itself.
  package var unanswered: Notice?
}
