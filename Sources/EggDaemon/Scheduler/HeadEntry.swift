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

  /// A moment of that alarm.
  package init(key: EntryKey, due: DuePoint, card: AlarmCard, isPastByZone: Bool = false) {
    self.key = key
    self.due = due
    self.card = card
    self.isPastByZone = isPastByZone
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

  /// All fields.
  package init(
    id: AlarmID, label: String?, summary: String?, body: String?, icon: String?, expression: String
  ) {
    self.id = id
    self.label = label
    self.summary = summary
    self.body = body
    self.icon = icon
    self.expression = expression
  }
}

/// A ring as the scheduler hands it to the store: it happened; the row follows.
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

  /// All fields.
  package init(
    occurrence: Int64, key: EntryKey, due: DuePoint, dueAt: Instant, firedAt: Instant, lateness: TimeSpan,
    reason: LateReason?
  ) {
    self.occurrence = occurrence
    self.key = key
    self.due = due
    self.dueAt = dueAt
    self.firedAt = firedAt
    self.lateness = lateness
    self.reason = reason
  }
}
