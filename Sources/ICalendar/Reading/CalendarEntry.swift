import Alarms
import EggTime

/// An entry of an iCalendar file, read as an alarm.
@dynamicMemberLookup
package struct CalendarEntry: Equatable {
  /// The line of its BEGIN, counted from 1.
  package var line: Int
  /// Of an occurrence whose series is not in the file, with its RECURRENCE-ID.
  package var uid: String?
  package var content: CalendarContent
  /// The days that its file leaves out for the sake of ``rules``: for a machine without such days off.
  package var quiet = DaySet.none
  /// One-shot only: the moment that it is for.
  package var moment: Instant?
  /// One-shot only: its last ring.
  package var last: Instant?
  /// The first ring after the context's `now`; nil if it is over.
  package var due: Instant?
  /// How long after ``due`` the moment is that it is a lead of.
  package var ahead = TimeSpan.zero
  /// When it was completed, if the file says so.
  package var doneAt: Instant?
  /// Sound, repetition and waking, as an export wrote them.
  package var manner = Manner()
  /// Of a countdown that was paused.
  package var remaining: TimeSpan?
  package var isPaused = false
  /// One-shot only.
  package var isSkipped = false
  /// Whether eggd's own properties are there, which every export writes: clients may drop them.
  package var keepsOwn = false
  /// Whether there is a COMMENT, even an empty one.
  package var hasComment = false
  /// Whether its done mark is a tick that clients know.
  package var isTicked = false
  /// What the user should know about it: sentences in lower case.
  package var notes: [String] = []

  package subscript<Value>(dynamicMember path: WritableKeyPath<CalendarContent, Value>) -> Value {
    get { content[keyPath: path] }
    set { content[keyPath: path] = newValue }
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<CalendarContent.Time, Value>) -> Value {
    get { content.time[keyPath: path] }
    set { content.time[keyPath: path] = newValue }
  }

  /// Zones are IANA names or UTC. A nil zone floats: it means the reader's own clock.
  package enum Timing: Equatable {
    case instant(Instant)
    case civil(CivilDateTime, zone: String?)
    case every(RecurringTime, zone: String?)

    package var recurs: Bool { if case .every = self { true } else { false } }
  }

  /// The time expression that eggd reads as this timing.
  package var expression: String {
    switch content.time.timing {
    case .instant(let instant): instant.canonical
    case .civil(let civil, let zone): zone.map { "\(civil) \($0)" } ?? "\(civil)"
    case .every(.event(let event), let zone): zone.map { "\(event) \($0)" } ?? "\(event)"
    case .every(.interval(let interval), let zone):
      "every \(interval)" + (interval.isElapsed ? "" : zone.map { " \($0)" } ?? "")
    case .every(.rule(let set), let zone): set.named(zone).description
    }
  }
}

/// Why an entry, or a line outside any entry, is refused.
package struct CalendarProblem: Error, Equatable {
  /// The offending line, or the entry's BEGIN, counted from 1.
  package var line: Int
  /// The entry's SUMMARY, escaped for a terminal.
  package var summary: String?
  /// One sentence in lower case.
  package var message: String
}
