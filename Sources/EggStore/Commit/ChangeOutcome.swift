import Alarms
import EggTime
import Ringing

/// What came of a change, told after COMMIT.
package struct ChangeOutcome: Sendable {
  /// The number of the last committed change, this one included.
  package var sequence: Int64
  /// The alarms that it made or changed, as they are now, by number.
  package var alarms: [Alarm] = []
  /// How many of those selected it changed; `alarms` has the first.
  package var changed: Int64 = 0
  package var deleted: [Int64] = []
  /// Those of `deleted` whose ring came first: they were over because they had rung.
  package var rang: [Int64] = []
  package var missing: [Int64] = []
  package var missingIDs: [AlarmID] = []
  /// The change that was taken back.
  package var undone: UndoStep?
  package var imported: Imported?
  /// How far alarms have followed a zone.
  var zoneMove: ZoneMove?
  /// The group that was made or changed.
  package var group: GroupSums?
  /// The alarm of that key was there already, nothing was changed.
  package var existed = false

  /// Nothing but a sequence yet.
  package init(sequence: Int64) { self.sequence = sequence }
}

/// Why a change was not made.
package enum ChangeError: Error, Hashable, Sendable {
  /// None of those selected exists.
  case noSuchAlarm(numbers: [Int64], ids: [AlarmID])
  /// One that was named (not merely inside a range or `all`) does not allow it; nothing was changed.
  case wrongState(number: Int64, Alarm.Phase)
  case keyInUse(key: String, number: Int64)
  /// The moment that it would get is not ahead, or after the last one that there is.
  case invalidDue(number: Int64, due: Instant)
  /// An alarm can't be moved next to itself.
  case wrongPlace(number: Int64)
  case nothingToUndo
  /// The last change is the one of this number.
  case changedSince(Int64)
  case noSuchGroup(String)
  case groupExists(String)
  /// Not known to be stored: disk full, read-only, file taken away, lock held by another program for long, …
  case unavailable(reason: String)
}
