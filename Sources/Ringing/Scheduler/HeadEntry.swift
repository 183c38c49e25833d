import Alarms
import EggTime

/// A future moment with everything that ringing needs, so that an alarm rings straight from memory.
package struct HeadEntry: Hashable, Sendable {
  package var key: EntryKey
  /// Exactly as stored.
  package var due: DuePoint
  /// How long after `due` the moment is that it is a lead of; zero for the end of a snooze.
  package var ahead: TimeSpan
  package var card: AlarmCard
  /// A zone change gave it this moment, which was already past.
  package var isPastByZone: Bool
  /// How late it may still ring; the end of a snooze has no limit.
  package var ifMissed: MissedPolicy
  /// nil for a one-shot without leads and for the end of a snooze.
  package var recurrence: Recurrence?

  package init(
    key: EntryKey, due: DuePoint, ahead: TimeSpan = .zero, card: AlarmCard, isPastByZone: Bool = false,
    ifMissed: MissedPolicy = .ring,
    recurrence: Recurrence? = nil
  ) {
    self.key = key
    self.due = due
    self.ahead = ahead
    self.card = card
    self.isPastByZone = isPastByZone
    self.ifMissed = ifMissed
    self.recurrence = recurrence
  }

  /// The same alarm's next moment, after it used up so much, see ``RingRecord/used``.
  func next(at due: DuePoint, ahead: TimeSpan = .zero, after used: Int64) -> HeadEntry {
    HeadEntry(
      key: key, due: due, ahead: ahead, card: card, ifMissed: ifMissed, recurrence: recurrence?.after(used))
  }
}

/// An alarm's own next moment (`occurrence` is 0) or the end of the snooze of one of its occurrences.
package struct EntryKey: Hashable, Sendable {
  package var number: Int64
  /// The snoozed occurrence, or 0.
  package var occurrence: Int64

  /// The alarm's own moment by default.
  package init(number: Int64, occurrence: Int64 = 0) {
    self.number = number
    self.occurrence = occurrence
  }
}
