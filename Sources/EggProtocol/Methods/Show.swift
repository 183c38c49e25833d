import Alarms
import EggTime

/// Asks for one alarm and its occurrences, by number or by identity.
public struct ShowCall: ScheduleMethod {
  public static let method = "Show"
  public typealias Reply = ShowReply

  public var number: Int64?
  public var id: AlarmID?

  /// The alarm of that number.
  public init(number: Int64) { self.number = number }

  /// The alarm of that identity.
  public init(id: AlarmID) { self.id = id }
}

/// One alarm in full.
public struct ShowReply: Codable, Equatable, Sendable {
  public var alarm: WireAlarm
  /// What became of it, latest first; the last 100.
  public var occurrences: [WireOccurrence]
  /// The next five moments of a recurring alarm that waits.
  public var upcoming: [Instant]?

  public init(alarm: WireAlarm, occurrences: [WireOccurrence], upcoming: [Instant]? = nil) {
    self.upcoming = upcoming
    self.alarm = alarm
    self.occurrences = occurrences
  }
}
