import EggProtocol
import EggStore
import EggTime
import Varlink

extension ChangeError {
  var failure: CallFailure {
    switch self {
    case .noSuchAlarm(let numbers, let ids): ScheduleError.noSuchAlarm(numbers: numbers, ids: ids).failure
    case .wrongState(let number, let phase): ScheduleError.wrongState(number: number, state: phase).failure
    case .keyInUse(let key, let number): ScheduleError.keyInUse(key: key, number: number).failure
    case .invalidDue(let number, let due): ScheduleError.invalidDue(number: number, due: due).failure
    case .nothingToUndo: ScheduleError.nothingToUndo.failure
    case .changedSince(let sequence): ScheduleError.changedSince(sequence: sequence).failure
    case .wrongPlace: CallFailure.invalidParameter("other")
    case .noSuchGroup(let name): ScheduleError.noSuchGroup(name: name).failure
    case .groupExists(let name): ScheduleError.groupExists(name: name).failure
    case .noSuchDaysOff(let name, let known): ScheduleError.noSuchDaysOff(name: name, known: known).failure
    case .daysOffExist(let name): ScheduleError.daysOffExist(name: name).failure
    case .daysOffInUse(let name, let numbers):
      ScheduleError.daysOffInUse(name: name, numbers: numbers).failure
    case .tooManyDaysOff: CallFailure.invalidParameter("days")
    case .tooManySkips(let number, let most): ScheduleError.tooManySkips(number: number, most: most).failure
    case .leadTooLong(let lead, let interval, let number):
      ScheduleError.leadTooLong(lead: lead, interval: interval, number: number).failure
    case .neverRings(let number): ScheduleError.neverRings(number: number).failure
    case .tooMany(let most): ScheduleError.tooManyAlarms(most: most).failure
    case .commandForbidden: ScheduleError.commandForbidden.failure
    case .unavailable(let reason): ScheduleError.storeUnavailable(reason: reason).failure
    }
  }
}

extension ExpressionError {
  func failure(of expression: String) -> CallFailure {
    switch self {
    case .unreadable(let offset, let reason, let readings):
      ScheduleError.invalidExpression(
        expression: expression, offset: Int64(offset), reason: reason.description,
        nearest: readings.first, readings: readings.isEmpty ? nil : readings
      ).failure
    case .inThePast(let due): ScheduleError.inThePast(expression: expression, due: due).failure
    }
  }
}
