import Alarms
import EggTime

/// An entry of an iCalendar file, read as an alarm.
package struct CalendarEntry: Equatable {
  /// The line of its BEGIN, counted from 1.
  package var line: Int
  /// Of an occurrence whose series is not in the file, with its RECURRENCE-ID.
  package var uid: String?
  /// SUMMARY, cut to the limits of a label.
  package var label: String?
  /// X-EGGD-SUMMARY: the notification's summary.
  package var summary: String?
  /// DESCRIPTION, cut to the limits of a body. Begins with the whole SUMMARY if the label was cut.
  package var body: String?
  /// The first COMMENT, cut to the limits of a note.
  package var note: String?
  /// The first value of CATEGORIES that is one of eggd's categories.
  package var category: Category = .other
  package var eggs: Int64 = 1
  /// X-EGGD-GROUP, else the first value of CATEGORIES that is not one of eggd's categories.
  package var group: String?
  package var timing: Timing
  /// Recurring only: the first moment at which it may elapse, if the timing does not give it.
  package var from: Instant?
  /// Recurring only: the last moment at which it may elapse.
  package var until: Instant?
  /// Recurring only: how many more times it elapses after the context's `now`, at least 1.
  package var count: Int64?
  /// Leads, ranges to skip, and the names of days off.
  package var rules = MomentRules.none
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
  package var isDone = false
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

  /// Zones are IANA names or UTC. A nil zone floats: it means the reader's own clock.
  package enum Timing: Equatable {
    case instant(Instant)
    case civil(CivilDateTime, zone: String?)
    case every(RecurringTime, zone: String?)

    package var recurs: Bool { if case .every = self { true } else { false } }
  }

  /// The time expression that eggd reads as this timing.
  package var expression: String {
    switch timing {
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
