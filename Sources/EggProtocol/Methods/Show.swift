import Alarms
import EggTime

/// Asks for one alarm and its occurrences, by number or by identity.
public struct ShowCall: ScheduleMethod {
  public static let method = "Show"
  public typealias Reply = ShowReply

  public var number: Int64?
  public var id: AlarmID?

  /// By one of the two.
  public init(number: Int64? = nil, id: AlarmID? = nil) { (self.number, self.id) = (number, id) }
}

public struct ShowReply: Codable, Equatable, Sendable {
  public var alarm: WireAlarm
  /// Latest first; at most 100.
  public var occurrences: [WireOccurrence]
  /// The next five moments of a waiting recurring alarm.
  public var upcoming: [Instant]?

  public init(alarm: WireAlarm, occurrences: [WireOccurrence], upcoming: [Instant]? = nil) {
    self.upcoming = upcoming
    self.alarm = alarm
    self.occurrences = occurrences
  }
}
