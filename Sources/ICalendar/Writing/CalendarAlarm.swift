import Alarms
import EggTime

/// An alarm as ``ICalendarWriter`` writes it.
package struct CalendarAlarm {
  /// Written as the UID.
  package var identity: String
  package var label: String?
  package var summary: String?
  package var body: String?
  package var note: String?
  package var category: Category = .other
  package var eggs: Int64 = 1
  package var group: String?
  package var timing: Timing
  /// The IANA name of the zone that the alarm follows; nil for the reader's own.
  package var zone: String?
  /// Whether the alarm keeps its time of day in any zone.
  package var floats = false
  /// Recurring only: the first and the last moment at which it may elapse.
  package var from: Instant?
  package var until: Instant?
  /// Recurring only: how many more times it elapses.
  package var count: Int64?
  /// Ranges to skip and days off: recurring only.
  package var rules = MomentRules.none
  package var state: Alarm.Phase
  /// The moment that a list shows; written if ``zone`` is unknown.
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
  package var isDone = false
  package var doneAt: Instant?

  /// Written as X-EGGD-SOUND and so on.
  static let mannerFields = Manner.fields.filter { ["sound", "insist", "wake"].contains($0.name) }

  package enum Timing {
    /// nil if there is no moment, as in a paused countdown.
    case once(Instant?)
    case civil(CivilDateTime)
    case every(RecurringTime)
  }

  package init(identity: String, timing: Timing, state: Alarm.Phase = .scheduled) {
    self.identity = identity
    self.timing = timing
    self.state = state
  }
}
