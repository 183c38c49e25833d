import Alarms
import EggTime

/// The outcome of a change, known after COMMIT.
package struct ChangeOutcome: Sendable {
  /// A larger change is made in full, and `alarms` holds the first.
  static let mostAlarms = 1_000

  /// The last committed change, this one included.
  package var sequence: Int64 = 0
  /// The present alarms that were created or changed, by number.
  package var alarms: [Alarm] = []
  /// How many of the selected alarms changed; `alarms` holds the first of them.
  package var changed: Int64 = 0
  package var deleted: [Int64] = []
  /// What the change deleted, as it was before; empty where nobody noted so many.
  package var removed: [Alarm] = []
  /// Those of `deleted` that rang first.
  package var rang: [Int64] = []
  package var missing: [Int64] = []
  package var missingIDs: [AlarmID] = []
  package var undone: UndoStep?
  package var imported: Imported?
  /// nil where no zone has changed.
  var zoneMove: ZoneMove?
  package var group: GroupSums?
  /// Leads of a new one-shot that lie in the past.
  package var past: [Lead] = []
  package var daysOff: DaysOffSums?
  /// How many alarms have another moment by days off.
  package var alarmsMoved: Int64 = 0
  /// An alarm with that key existed already; nothing changed.
  package var existed = false
  /// What the change itself did; nil where nothing changed.
  var step: CommittedChanges?

  init() {}

  init(_ selected: SelectedAlarms) { (missing, missingIDs) = (selected.missing, selected.missingIDs) }
}

/// Why the store refuses a change, or does not answer a question.
package enum ChangeError: Error, Hashable, Sendable {
  /// None of the selected alarms exists.
  case noSuchAlarm(numbers: [Int64], ids: [AlarmID])
  /// A named alarm (not merely in a range or `all`) does not allow it; nothing changed.
  case wrongState(number: Int64, Alarm.Phase)
  case keyInUse(key: String, number: Int64)
  /// The resulting moment is past, or beyond the last possible one.
  case invalidDue(number: Int64, due: Instant)
  /// An alarm cannot be moved next to itself.
  case wrongPlace(number: Int64)
  case nothingToUndo
  /// The last change has this number.
  case changedSince(Int64)
  case noSuchGroup(String)
  case groupExists(String)
  case noSuchDaysOff(String, known: [String])
  case daysOffExist(String)
  case daysOffInUse(String, [Int64])
  /// One more calendar of days off, or one with more ranges.
  case tooManyDaysOff
  case tooManySkips(number: Int64, most: Int64)
  case leadTooLong(Lead, interval: TimeSpan, number: Int64?)
  case neverRings(number: Int64?)
  /// One change is about at most so many alarms.
  case tooMany(most: Int64)
  /// The caller may not give an alarm a command.
  case commandForbidden
  /// Not known to be stored, or not to be read: disk full, read-only, file gone, locked by another program for long, …
  case unavailable(reason: String)
}

/// A committed change as subscribers see it.
package struct CommittedChanges: Sendable {
  /// Counts changes; stored in the change's own transaction.
  package var sequence: Int64
  /// Each alarm before and after, nil where it does not exist. The array is nil where subscribers have to
  /// read the whole list again: more than 256 alarms, another program's write, a salvage.
  package var alarms: [(old: Alarm?, new: Alarm?)]?
  /// Names, colours or icons of groups changed.
  package var changesGroups = false
}
