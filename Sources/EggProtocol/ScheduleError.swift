import Alarms
import EggTime
import Varlink

/// The errors of the interface, with their parameters.
public enum ScheduleError: Error, Equatable, Sendable {
  /// None of the given alarms exists.
  case noSuchAlarm(numbers: [Int64], ids: [AlarmID])
  /// Reading stopped `offset` bytes into the expression. `readings` are expressions that may have been meant,
  /// likeliest first.
  case invalidExpression(expression: String, offset: Int64, reason: String, readings: [String])
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
  public var failure: CallFailure {
    switch self {
    case .noSuchAlarm(let numbers, let ids): Self.failure(NoSuchAlarm(numbers: numbers, ids: ids))
    case .invalidExpression(let expression, let offset, let reason, let readings):
      Self.failure(
        InvalidExpression(
          expression: expression, offset: offset, reason: reason, nearest: readings.first,
          readings: readings.isEmpty ? nil : readings))
    case .inThePast(let expression, let due): Self.failure(InThePast(expression: expression, due: due))
    case .invalidDue(let number, let due): Self.failure(InvalidDue(number: number, due: due))
    case .labelTooLong(let characters, let limit):
      Self.failure(LabelTooLong(characters: characters, limit: limit))
    case .invalidText(let field, let limit): Self.failure(InvalidText(field: field, limit: limit))
    case .missingParameter(let names): Self.failure(MissingParameter(oneOf: names))
    case .invalidZone(let zone): Self.failure(InvalidZone(zone: zone))
    case .wrongState(let number, let state): Self.failure(WrongState(number: number, state: state))
    case .noElapseLeft(let number, let expression, let until):
      Self.failure(NoElapseLeft(number: number, expression: expression, until: until))
    case .keyInUse(let key, let number): Self.failure(KeyInUse(key: key, number: number))
    case .nothingToUndo: Self.failure(NothingToUndo())
    case .changedSince(let sequence): Self.failure(ChangedSince(sequence: sequence))
    case .noSuchGroup(let name): Self.failure(NoSuchGroup(name: name))
    case .groupExists(let name): Self.failure(GroupExists(name: name))
    case .noSuchDaysOff(let name, let known): Self.failure(NoSuchDaysOff(name: name, known: known))
    case .daysOffExist(let name): Self.failure(DaysOffExist(name: name))
    case .daysOffInUse(let name, let numbers): Self.failure(DaysOffInUse(name: name, numbers: numbers))
    case .tooManySkips(let number, let most): Self.failure(TooManySkips(number: number, most: most))
    case .leadTooLong(let lead, let interval, let number):
      Self.failure(LeadTooLong(lead: lead, interval: interval, number: number))
    case .neverRings(let number): Self.failure(NeverRings(number: number))
    case .tooManyAlarms(let most): Self.failure(TooManyAlarms(most: most))
    case .invalidConfiguration(let mistake): Self.failure(InvalidConfiguration(mistake: mistake))
    case .commandForbidden: Self.failure(CommandForbidden())
    case .storeUnavailable(let reason): Self.failure(StoreUnavailable(reason: reason))
    case .tooSlow: Self.failure(TooSlow())
    }
  }

  private static let forms: [any ErrorParameters.Type] = [
    NoSuchAlarm.self, InvalidExpression.self, InThePast.self, InvalidDue.self, LabelTooLong.self,
    InvalidText.self, MissingParameter.self, InvalidZone.self, WrongState.self, NoElapseLeft.self,
    KeyInUse.self, NothingToUndo.self, ChangedSince.self, NoSuchGroup.self, GroupExists.self,
    NoSuchDaysOff.self, DaysOffExist.self, DaysOffInUse.self, TooManySkips.self, LeadTooLong.self,
    NeverRings.self, TooManyAlarms.self, InvalidConfiguration.self, CommandForbidden.self,
    StoreUnavailable.self, TooSlow.self,
  ]

  /// The error of a reply. nil if it is not of this interface, or has a form that this version does not know.
  public init?(_ error: RemoteError) {
    func read<Form: ErrorParameters>(_ form: Form.Type) -> ScheduleError? {
      error.parameters(as: form)?.error
    }
    let form = Self.forms.first { error.name == Self.name(of: $0) }
    guard let known = form.flatMap({ read($0) }) else { return nil }
    self = known
  }

  private static func failure<P: Codable & Sendable>(_ parameters: P) -> CallFailure {
    CallFailure(name: name(of: P.self), parameters: parameters)
  }

  private static func name<P>(of type: P.Type) -> String { "\(ScheduleInterface.name).\(type)" }
}
