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
    case .noSuchDaysOff(let name, let known): Self.failure(NoSuchDaysOff(name: name, known: known))
    case .daysOffExist(let name): Self.failure(DaysOffExist(name: name))
    case .daysOffInUse(let name, let numbers): Self.failure(DaysOffInUse(name: name, numbers: numbers))
    case .tooManySkips(let number, let most): Self.failure(TooManySkips(number: number, most: most))
    case .leadTooLong(let lead, let interval, let number):
      Self.failure(LeadTooLong(lead: lead, interval: interval, number: number))
    case .neverRings(let number): Self.failure(NeverRings(number: number))
    case .tooManyAlarms(let most): Self.failure(TooManyAlarms(most: most))
    case .invalidConfiguration(let mistake): Self.failure(InvalidConfiguration(mistake))
    case .commandForbidden: Self.failure(CommandForbidden())
    case .storeUnavailable(let reason): Self.failure(StoreUnavailable(reason: reason))
    case .tooSlow: Self.failure(TooSlow())
    }
  }

  /// The error of a reply. nil if it is not of this interface, or has a form that this version does not know.
  public init?(_ error: RemoteError) {
    func parameters<P: Decodable>(_ type: P.Type) -> P? {
      error.name == Self.name(of: type) ? error.parameters() : nil
    }
    if let carried = parameters(NoSuchAlarm.self) {
      self = .noSuchAlarm(numbers: carried.numbers, ids: carried.ids)
    } else if let carried = parameters(InvalidExpression.self) {
      self = .invalidExpression(
        expression: carried.expression, offset: carried.offset, reason: carried.reason,
        readings: carried.readings ?? [carried.nearest].compactMap { $0 })
    } else if let carried = parameters(InThePast.self) {
      self = .inThePast(expression: carried.expression, due: carried.due)
    } else if let carried = parameters(InvalidDue.self) {
      self = .invalidDue(number: carried.number, due: carried.due)
    } else if let carried = parameters(LabelTooLong.self) {
      self = .labelTooLong(characters: carried.characters, limit: carried.limit)
    } else if let carried = parameters(InvalidText.self) {
      self = .invalidText(field: carried.field, limit: carried.limit)
    } else if let carried = parameters(MissingParameter.self) {
      self = .missingParameter(oneOf: carried.oneOf)
    } else if let carried = parameters(InvalidZone.self) {
      self = .invalidZone(zone: carried.zone)
    } else if let carried = parameters(WrongState.self) {
      self = .wrongState(number: carried.number, state: carried.state)
    } else if let carried = parameters(NoElapseLeft.self) {
      self = .noElapseLeft(
        number: carried.number, expression: carried.expression, until: carried.until)
    } else if let carried = parameters(KeyInUse.self) {
      self = .keyInUse(key: carried.key, number: carried.number)
    } else if parameters(NothingToUndo.self) != nil {
      self = .nothingToUndo
    } else if let carried = parameters(ChangedSince.self) {
      self = .changedSince(sequence: carried.sequence)
    } else if let carried = parameters(NoSuchGroup.self) {
      self = .noSuchGroup(name: carried.name)
    } else if let carried = parameters(GroupExists.self) {
      self = .groupExists(name: carried.name)
    } else if let carried = parameters(NoSuchDaysOff.self) {
      self = .noSuchDaysOff(name: carried.name, known: carried.known)
    } else if let carried = parameters(DaysOffExist.self) {
      self = .daysOffExist(name: carried.name)
    } else if let carried = parameters(DaysOffInUse.self) {
      self = .daysOffInUse(name: carried.name, numbers: carried.numbers)
    } else if let carried = parameters(TooManySkips.self) {
      self = .tooManySkips(number: carried.number, most: carried.most)
    } else if let carried = parameters(LeadTooLong.self) {
      self = .leadTooLong(lead: carried.lead, interval: carried.interval, number: carried.number)
    } else if let carried = parameters(NeverRings.self) {
      self = .neverRings(number: carried.number)
    } else if let carried = parameters(TooManyAlarms.self) {
      self = .tooManyAlarms(most: carried.most)
    } else if let carried = parameters(InvalidConfiguration.self) {
      self = .invalidConfiguration(carried.mistake)
    } else if parameters(CommandForbidden.self) != nil {
      self = .commandForbidden
    } else if let carried = parameters(StoreUnavailable.self) {
      self = .storeUnavailable(reason: carried.reason)
    } else if parameters(TooSlow.self) != nil {
      self = .tooSlow
    } else {
      return nil
    }
  }

  private static func failure<P: Codable & Sendable>(_ parameters: P) -> CallFailure {
    CallFailure(name: name(of: P.self), parameters: parameters)
  }

  private static func name<P>(of type: P.Type) -> String { "\(ScheduleInterface.name).\(type)" }
}
