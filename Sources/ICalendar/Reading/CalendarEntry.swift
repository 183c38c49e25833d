import Alarms
import EggTime

/// What an entry of an iCalendar file is as an alarm.
package struct CalendarEntry: Equatable {
  /// The line of its BEGIN, from 1.
  package var line: Int
  /// The identity, where the entry's UID is a UUID.
  package var id: AlarmID?
  /// SUMMARY, within the limits of a label.
  package var label: String?
  /// The notification's summary, from X-EGGD-SUMMARY.
  package var summary: String?
  /// DESCRIPTION, within the limits of a body; begins with the whole SUMMARY where the label is cut.
  package var body: String?
  /// The first COMMENT, within the limits of a note.
  package var note: String?
  /// The first of CATEGORIES that is one of eggd's.
  package var category: Category = .other
  /// X-EGGD-EGGS.
  package var eggs: Int64 = 1
  /// X-EGGD-GROUP, else the first other one of CATEGORIES.
  package var group: String?
  /// When it rings.
  package var timing: Timing
  /// Of a recurring one: the first moment at which it may elapse, where its timing does not say so.
  package var from: Instant?
  /// Of a recurring one: the last moment at which it may elapse.
  package var until: Instant?
  /// Of a recurring one: how many more times it elapses after the context's `now`, at least 1.
  package var count: Int64?
  /// Of one that does not recur: when it rings, or should have.
  package var moment: Instant?
  /// Its first moment after the context's `now`; nil when it is over.
  package var due: Instant?
  /// Whether it is completed.
  package var isDone = false
  /// When it was completed, where that is told.
  package var doneAt: Instant?
  /// What a person should be told of it: sentences in lower case.
  package var notes: [String] = []

  /// When it rings. Zones are IANA names or UTC; nil is the clock of whoever reads it: the entry floats.
  package enum Timing: Equatable {
    case instant(Instant)
    case civil(CivilDateTime, zone: String?)
    case every(RecurringTime, zone: String?)
  }

  /// The time expression of its timing, which a daemon reads as just that.
  package var expression: String {
    switch timing {
    case .instant(let instant):
      "\(Zone.utc.civil(at: instant))".split(separator: " ").joined(separator: "T") + "Z"
    case .civil(let civil, let zone): zone.map { "\(civil) \($0)" } ?? "\(civil)"
    case .every(.event(let event), let zone): zone.map { "\(event) \($0)" } ?? "\(event)"
    case .every(.interval(let interval), let zone):
      "every \(interval)" + (interval.isElapsed ? "" : zone.map { " \($0)" } ?? "")
    }
  }
}

/// Why an entry, or a line that is in none, cannot be taken.
package struct CalendarProblem: Error, Equatable {
  /// Where, from 1: the offending line, or the BEGIN of the entry.
  package var line: Int
  /// The SUMMARY of the entry, escaped for a terminal.
  package var summary: String?
  /// A sentence's worth, lower case.
  package var message: String
}

/// What reading comes to, in the order of the file.
package enum CalendarResult: Equatable {
  case entry(CalendarEntry)
  case problem(CalendarProblem)
}
