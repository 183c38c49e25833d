import Alarms
import EggTime

/// An alarm as ``ICalendarWriter`` takes it.
package struct CalendarAlarm {
  /// Becomes the UID.
  package var identity: String
  package var label: String?
  package var summary: String?
  package var body: String?
  package var note: String?
  package var category: Category = .other
  package var eggs: Int64 = 1
  package var group: String?
  package var timing: Timing
  /// The IANA name of the zone on whose clock it is; nil for the reader's own.
  package var zone: String?
  /// Whether it keeps its time of day in whatever zone it is read.
  package var floats = false
  /// For a recurring one: the first and the last moment at which it may elapse.
  package var from: Instant?
  package var until: Instant?
  /// For a recurring one: how many more times it elapses.
  package var count: Int64?
  package var state: Alarm.Phase
  /// The moment that a list shows; written where ``zone`` is unknown.
  package var moment: Instant?
  /// For a recurring one with nothing to come: its last moment.
  package var lastMoment: Instant?
  package var createdAt: Instant?
  package var modifiedAt: Instant?
  package var isDone = false
  package var doneAt: Instant?

  package enum Timing {
    /// nil where it has no moment: a countdown that is paused.
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
