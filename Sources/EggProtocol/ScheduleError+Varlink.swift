import Varlink

extension ScheduleError {
  /// The error reply of this error.
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
    TooManyAlarms.self, InvalidConfiguration.self, CommandForbidden.self, StoreUnavailable.self, TooSlow.self,
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
