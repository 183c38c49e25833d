import Alarms
import EggTime
import Varlink

/// The errors of the interface, with their parameters; each case has its error's name.
public enum ScheduleError: Error, Equatable, Codable, Sendable {
  /// None of the given alarms exists.
  case noSuchAlarm(numbers: [Int64], ids: [AlarmID])
  /// Reading stopped `offset` bytes into the expression. `readings` are expressions that may have been meant,
  /// likeliest first: `nearest`.
  case invalidExpression(
    expression: String, offset: Int64, reason: String, nearest: String?, readings: [String]?)
  case inThePast(expression: String, due: Instant)
  /// The change would move the alarm to a moment that is past or after ``Instant/latest``.
  case invalidDue(number: Int64, due: Instant)
  /// In grapheme clusters. A label that is only too long in bytes is `invalidText`.
  case labelTooLong(characters: Int64, limit: Int64)
  /// The text is longer than `limit`, or without a limit has control characters.
  case invalidText(field: String, limit: Int64?)
  /// The call lacks all of these parameters.
  case missingParameter(oneOf: [String])
  /// This machine has no such zone.
  case invalidZone(zone: String)
  /// The alarm's state does not allow the change; nothing was changed.
  case wrongState(number: Int64, state: Alarm.Phase)
  /// Read anew, the alarm does not elapse before `until`; if that is nil, its count is used up.
  case noElapseLeft(number: Int64, expression: String, until: Instant?)
  case keyInUse(key: String, number: Int64)
  case nothingToUndo
  /// Another change is the last one: that of this number.
  case changedSince(sequence: Int64)
  case noSuchGroup(name: String)
  case groupExists(name: String)
  /// `known` are the names that there are.
  case noSuchDaysOff(name: String, known: [String])
  case daysOffExist(name: String)
  /// These alarms name it.
  case daysOffInUse(name: String, numbers: [Int64])
  /// An alarm has at most so many ranges to skip.
  case tooManySkips(number: Int64, most: Int64)
  /// Two moments are no further apart than `interval`, which is below a day. No number for a new alarm.
  case leadTooLong(lead: Lead, interval: TimeSpan, number: Int64?)
  /// Days off, bounds or leads leave no moment. No number for a new alarm.
  case neverRings(number: Int64?)
  /// One change is about at most so many; nothing was changed.
  case tooManyAlarms(most: Int64)
  /// config.toml has a mistake; the earlier settings hold.
  case invalidConfiguration(ConfigurationMistake)
  /// This connection may not give an alarm a command: see ``ForbidCommandsCall``.
  case commandForbidden
  case storeUnavailable(reason: String)
  /// The stream ended because the subscriber read too slowly.
  case tooSlow
}

extension ScheduleError {
  /// Of an error's full name, before the name of its case.
  private static let prefix = "\(ScheduleInterface.name)."
  /// What Codable calls the value of a case that is one object.
  private static let whole = "_0"

  public var failure: CallFailure {
    // An object whose only member is the case.
    guard case .object(let cases)? = try? JSONTree(JSON.bytes(self)), let (name, value) = cases.first else {
      return CallFailure(name: Self.prefix)
    }
    return CallFailure(
      name: Self.prefix + name.prefix(1).uppercased() + name.dropFirst(),
      parameters: value[Self.whole] ?? value)
  }

  /// The error of a reply. nil if it is not of this interface, or has a form that this version does not know.
  public init?(_ error: RemoteError) {
    guard error.name.hasPrefix(Self.prefix), let value = error.parameters(as: JSONTree.self) else {
      return nil
    }
    let name = error.name.dropFirst(Self.prefix.count)
    let key = name.prefix(1).lowercased() + name.dropFirst()
    for form in [value, .object([Self.whole: value])] {
      guard let read = try? JSON.value(JSON.bytes([key: form]), as: ScheduleError.self) else { continue }
      self = read
      return
    }
    return nil
  }
}
