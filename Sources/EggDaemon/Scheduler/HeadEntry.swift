import Alarms
import EggTime

/// One moment to come, with all that ringing needs, so that an alarm rings straight from memory.
package struct HeadEntry: Hashable, Sendable {
  /// Whose moment it is.
  package var key: EntryKey
  /// The moment, exactly as the database holds it.
  package var due: DuePoint
  /// What to show.
  package var card: AlarmCard
  /// A zone change gave it this moment, which was past by then.
  package var isPastByZone: Bool
  /// How late it may still ring; the end of a snooze rings however late.
  package var ifMissed: MissedPolicy
  /// How it goes on; nil for a one-shot and for the end of a snooze.
  package var recurrence: Recurrence?

  /// A moment of that alarm.
  package init(
    key: EntryKey, due: DuePoint, card: AlarmCard, isPastByZone: Bool = false, ifMissed: MissedPolicy = .ring,
    recurrence: Recurrence? = nil
  ) {
    self.key = key
    self.due = due
    self.card = card
    self.isPastByZone = isPastByZone
    self.ifMissed = ifMissed
    self.recurrence = recurrence
  }

  /// The next moment of the same alarm, once that many elapses are over.
  func next(at due: DuePoint, after elapsed: Int64) -> HeadEntry {
    HeadEntry(
      key: key, due: due, card: card, ifMissed: ifMissed, recurrence: recurrence?.after(elapsed))
  }
}

/// An alarm's own next moment (`occurrence` is 0) or the end of the snooze of one of its occurrences.
package struct EntryKey: Hashable, Sendable {
  /// The alarm.
  package var number: Int64
  /// The snoozed occurrence, or 0.
  package var occurrence: Int64

  /// That alarm's moment.
  package init(number: Int64, occurrence: Int64 = 0) {
    self.number = number
    self.occurrence = occurrence
  }
}

/// What bubble and journal say of an alarm.
package struct AlarmCard: Hashable, Sendable {
  package var id: AlarmID
  package var label: String?
  /// nil: `Wait!`.
  package var summary: String?
  /// nil: `Your eggs are almost done!`.
  package var body: String?
  /// nil: `eggd`.
  package var icon: String?
  /// The typed text: decides whether the bubble offers Again.
  package var expression: String
  /// Again would make a second alarm that recurs.
  package var recurs: Bool

  /// All fields.
  package init(
    id: AlarmID, label: String?, summary: String?, body: String?, icon: String?, expression: String,
    recurs: Bool = false
  ) {
    self.id = id
    self.label = label
    self.summary = summary
    self.body = body
    self.icon = icon
    self.expression = expression
    self.recurs = recurs
  }
}

/// A ring, or an alarm missed, as the scheduler hands it to the store: it happened; the row follows.
package struct RingRecord: Hashable, Sendable {
  /// The occurrence's key: a new one, or for the end of a snooze the snoozed one's.
  package var occurrence: Int64
  /// The entry that fired.
  package var key: EntryKey
  /// The moment as the row held it when it was read; a row that holds another by now is left alone.
  package var due: DuePoint
  /// The due moment on the wall clock as it stood at the ring.
  package var dueAt: Instant
  /// When it fired.
  package var firedAt: Instant
  package var lateness: TimeSpan
  package var reason: LateReason?
  /// False where it came too late to ring and was missed.
  package var rang: Bool
  /// How many elapses it stands for; ``Recurrence/mostCounted`` + 1 for more than can be counted.
  package var elapsed: Int64
  /// What the alarm waits for from now on; nil when it was the last.
  package var next: DuePoint?

  /// Which ring it is.
  package var ring: RingID { RingID(occurrence: occurrence, firedAt: firedAt) }

  /// All fields.
  package init(
    occurrence: Int64, key: EntryKey, due: DuePoint, dueAt: Instant, firedAt: Instant, lateness: TimeSpan,
    reason: LateReason?, rang: Bool = true, elapsed: Int64 = 1, next: DuePoint? = nil
  ) {
    self.rang = rang
    self.elapsed = elapsed
    self.next = next
    self.occurrence = occurrence
    self.key = key
    self.due = due
    self.dueAt = dueAt
    self.firedAt = firedAt
    self.lateness = lateness
    self.reason = reason
  }
}
