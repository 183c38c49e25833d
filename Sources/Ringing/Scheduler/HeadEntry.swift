import Alarms
import EggTime

/// A future moment, at which an alarm rings or its ring begins to count as unanswered, with everything that is needed
/// then: memory is enough.
package struct HeadEntry: Equatable, Sendable {
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
  /// The ring that counts as unanswered from then on; nil for a moment at which something rings.
  package var unanswered: Notice?

  package init(
    key: EntryKey, due: DuePoint, ahead: TimeSpan = .zero, card: AlarmCard, isPastByZone: Bool = false,
    ifMissed: MissedPolicy = .ring,
    recurrence: Recurrence? = nil, unanswered: Notice? = nil
  ) {
    self.key = key
    self.due = due
    self.ahead = ahead
    self.card = card
    self.isPastByZone = isPastByZone
    self.ifMissed = ifMissed
    self.recurrence = recurrence
    self.unanswered = unanswered
  }

  /// The same alarm's next moment, after it used up so much, see ``RingRecord/used``.
  func next(at due: DuePoint, ahead: TimeSpan = .zero, after used: Int64) -> HeadEntry {
    HeadEntry(
      key: key, due: due, ahead: ahead, card: card, ifMissed: ifMissed, recurrence: recurrence?.after(used))
  }
}

/// An alarm's own next moment (`occurrence` is 0), or what one of its occurrences waits for: the end of its snooze, or of
/// its patience.
package struct EntryKey: Hashable, Sendable {
  package var number: Int64
  /// The occurrence that is snoozed or rings, or 0.
  package var occurrence: Int64

  /// The alarm's own moment by default.
  package init(number: Int64, occurrence: Int64 = 0) {
    self.number = number
    self.occurrence = occurrence
  }
}
