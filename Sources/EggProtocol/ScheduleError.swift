import Alarms
import EggTime

/// The errors of the interface, with their parameters.
public enum ScheduleError: Error, Equatable, Sendable {
  /// None of those that were named exists.
  case noSuchAlarm(numbers: [Int64], ids: [AlarmID])
  /// Reading stopped `offset` bytes into the expression; `readings` may have been meant, the likeliest
  /// first.
  case invalidExpression(expression: String, offset: Int64, reason: String, readings: [String])
  /// The expression names a moment that is over.
  case inThePast(expression: String, due: Instant)
  /// A change would give the alarm that moment, which is over or after ``Instant/latest``.
  case invalidDue(number: Int64, due: Instant)
  /// In grapheme clusters; a label that is too long in bytes alone is `invalidText`.
  case labelTooLong(characters: Int64, limit: Int64)
  /// A text that is too long, or (no limit) has control characters.
  case invalidText(field: String, limit: Int64?)
  /// The call says nothing without one of these.
  case missingParameter(oneOf: [String])
  /// No zone of that name on this machine.
  case invalidZone(zone: String)
  /// The alarm's state does not allow the change; nothing was changed.
  case wrongState(number: Int64, state: Alarm.Phase)
  /// Another alarm has the key.
  case keyInUse(key: String, number: Int64)
  /// No change is left that can be taken back.
  case nothingToUndo
  /// The last change is another one: that of this number.
  case changedSince(sequence: Int64)
  /// There is no group of that name.
  case noSuchGroup(name: String)
  /// Another group has that name.
  case groupExists(name: String)
  /// Not known to be stored.
  case storeUnavailable(reason: String)
  /// A subscriber took what it was told so slowly that its stream was ended.
  case tooSlow
}
