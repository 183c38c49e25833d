import Alarms
import EggTime

// The parameters of the interface's errors; each type has its error's name.

struct NoSuchAlarm: Codable, Sendable {
  var numbers: [Int64]
  var ids: [AlarmID]
}

struct InvalidExpression: Codable, Sendable {
  var expression: String
  var offset: Int64
  var reason: String
  var nearest: String?
  var readings: [String]?
}

struct InThePast: Codable, Sendable {
  var expression: String
  var due: Instant
}

struct InvalidDue: Codable, Sendable {
  var number: Int64
  var due: Instant
}

struct LabelTooLong: Codable, Sendable {
  var characters: Int64
  var limit: Int64
}

struct InvalidText: Codable, Sendable {
  var field: String
  var limit: Int64?
}

struct MissingParameter: Codable, Sendable {
  var oneOf: [String]
}

struct InvalidZone: Codable, Sendable {
  var zone: String
}

struct WrongState: Codable, Sendable {
  var number: Int64
  @Open var state: Alarm.Phase
}

struct NoElapseLeft: Codable, Sendable {
  var number: Int64
  var expression: String
  var until: Instant?
}

struct KeyInUse: Codable, Sendable {
  var key: String
  var number: Int64
}

struct InvalidConfiguration: Codable, Sendable {
  var mistake: WireMistake

  init(_ mistake: WireMistake) { self.mistake = mistake }

  init(from decoder: any Decoder) throws { mistake = try WireMistake(from: decoder) }

  func encode(to encoder: any Encoder) throws { try mistake.encode(to: encoder) }
}

struct CommandForbidden: Codable, Sendable {}

struct StoreUnavailable: Codable, Sendable {
  var reason: String
}

struct NoSuchGroup: Codable, Sendable {
  var name: String
}

struct GroupExists: Codable, Sendable {
  var name: String
}

struct NoSuchDaysOff: Codable, Sendable {
  var name: String
  var known: [String]
}

struct DaysOffExist: Codable, Sendable {
  var name: String
}

struct DaysOffInUse: Codable, Sendable {
  var name: String
  var numbers: [Int64]
}

struct TooManySkips: Codable, Sendable {
  var number: Int64
  var most: Int64
}

struct LeadTooLong: Codable, Sendable {
  var lead: Lead
  var interval: TimeSpan
  var number: Int64?
}

struct NeverRings: Codable, Sendable {
  var number: Int64?
}

struct TooManyAlarms: Codable, Sendable {
  var most: Int64
}

struct TooSlow: Codable, Sendable {}

struct NothingToUndo: Codable, Sendable {}

struct ChangedSince: Codable, Sendable {
  var sequence: Int64
}
