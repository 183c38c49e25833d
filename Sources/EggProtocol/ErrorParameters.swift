import Alarms
import EggTime
import Varlink

/// The parameters of one of the interface's errors; each type has its error's name.
protocol ErrorParameters: Codable, Sendable {
  var error: ScheduleError { get }
}

struct NoSuchAlarm: ErrorParameters {
  var numbers: [Int64]
  var ids: [AlarmID]
  var error: ScheduleError { .noSuchAlarm(numbers: numbers, ids: ids) }
}

struct InvalidExpression: ErrorParameters {
  var expression: String
  var offset: Int64
  var reason: String
  var nearest: String?
  var readings: [String]?
  var error: ScheduleError {
    .invalidExpression(
      expression: expression, offset: offset, reason: reason,
      readings: readings ?? [nearest].compactMap { $0 })
  }
}

struct InThePast: ErrorParameters {
  var expression: String
  var due: Instant
  var error: ScheduleError { .inThePast(expression: expression, due: due) }
}

struct InvalidDue: ErrorParameters {
  var number: Int64
  var due: Instant
  var error: ScheduleError { .invalidDue(number: number, due: due) }
}

struct LabelTooLong: ErrorParameters {
  var characters: Int64
  var limit: Int64
  var error: ScheduleError { .labelTooLong(characters: characters, limit: limit) }
}

struct InvalidText: ErrorParameters {
  var field: String
  var limit: Int64?
  var error: ScheduleError { .invalidText(field: field, limit: limit) }
}

struct MissingParameter: ErrorParameters {
  var oneOf: [String]
  var error: ScheduleError { .missingParameter(oneOf: oneOf) }
}

struct InvalidZone: ErrorParameters {
  var zone: String
  var error: ScheduleError { .invalidZone(zone: zone) }
}

struct WrongState: ErrorParameters {
  var number: Int64
  @Open var state: Alarm.Phase
  var error: ScheduleError { .wrongState(number: number, state: state) }
}

struct NoElapseLeft: ErrorParameters {
  var number: Int64
  var expression: String
  var until: Instant?
  var error: ScheduleError { .noElapseLeft(number: number, expression: expression, until: until) }
}

struct KeyInUse: ErrorParameters {
  var key: String
  var number: Int64
  var error: ScheduleError { .keyInUse(key: key, number: number) }
}

struct InvalidConfiguration: ErrorParameters {
  @Inlined var mistake: ConfigurationMistake
  var error: ScheduleError { .invalidConfiguration(mistake) }
}

struct CommandForbidden: ErrorParameters {
  var error: ScheduleError { .commandForbidden }
}

struct StoreUnavailable: ErrorParameters {
  var reason: String
  var error: ScheduleError { .storeUnavailable(reason: reason) }
}

struct NoSuchGroup: ErrorParameters {
  var name: String
  var error: ScheduleError { .noSuchGroup(name: name) }
}

struct GroupExists: ErrorParameters {
  var name: String
  var error: ScheduleError { .groupExists(name: name) }
}

struct NoSuchDaysOff: ErrorParameters {
  var name: String
  var known: [String]
  var error: ScheduleError { .noSuchDaysOff(name: name, known: known) }
}

struct DaysOffExist: ErrorParameters {
  var name: String
  var error: ScheduleError { .daysOffExist(name: name) }
}

struct DaysOffInUse: ErrorParameters {
  var name: String
  var numbers: [Int64]
  var error: ScheduleError { .daysOffInUse(name: name, numbers: numbers) }
}

struct TooManySkips: ErrorParameters {
  var number: Int64
  var most: Int64
  var error: ScheduleError { .tooManySkips(number: number, most: most) }
}

struct LeadTooLong: ErrorParameters {
  var lead: Lead
  var interval: TimeSpan
  var number: Int64?
  var error: ScheduleError { .leadTooLong(lead: lead, interval: interval, number: number) }
}

struct NeverRings: ErrorParameters {
  var number: Int64?
  var error: ScheduleError { .neverRings(number: number) }
}

struct TooManyAlarms: ErrorParameters {
  var most: Int64
  var error: ScheduleError { .tooManyAlarms(most: most) }
}

struct TooSlow: ErrorParameters {
  var error: ScheduleError { .tooSlow }
}

struct NothingToUndo: ErrorParameters {
  var error: ScheduleError { .nothingToUndo }
}

struct ChangedSince: ErrorParameters {
  var sequence: Int64
  var error: ScheduleError { .changedSince(sequence: sequence) }
}
