import Alarms
import EggTime

/// An alarm as ``ICalendarWriter`` writes it.
package struct CalendarAlarm {
  /// Written as the UID.
  package var identity: String
  package var content: CalendarContent
  /// The zone whose clock a floating time follows at present; nil for the reader's own.
  package var zone: String?
  /// Whether its content's moment stands for none, as that of a paused countdown.
  package var isUntimed = false
  package var state = Alarm.Phase.scheduled
  /// The moment that a list shows; written if its zone is unknown.
  package var moment: Instant?
  /// Recurring only: the last moment, if nothing is left.
  package var lastMoment: Instant?
  package var createdAt: Instant?
  package var modifiedAt: Instant?
  /// How often the entry was rewritten; nil for never.
  package var revision: Int?
  /// Of a paused countdown.
  package var remaining: TimeSpan?
  /// What an export keeps of how it rings: see ``mannerFields``.
  package var manner = Manner()
  package var doneAt: Instant?

  /// Written as X-EGGD-SOUND and so on.
  static let mannerFields = Manner.fields.filter { ["sound", "insist", "wake"].contains($0.name) }

  package init(_ content: CalendarContent, uid: String) { (identity, self.content) = (uid, content) }

  /// The zone that it follows; nil for the reader's own.
  var followedZone: String? {
    switch content.time.timing {
    case .instant: nil
    case .civil(_, let zone), .every(_, let zone): zone ?? self.zone
    }
  }
}
