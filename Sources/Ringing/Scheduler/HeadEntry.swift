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
