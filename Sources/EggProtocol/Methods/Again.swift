import Alarms

/// Creates an alarm from another alarm's expression, read anew.
public struct AgainCall: ScheduleMethod {
  public static let method = "Again"
  public typealias Reply = AgainReply

  public var number: Int64?
  public var id: AlarmID?

  public init(number: Int64) { self.number = number }

  public init(id: AlarmID) { self.id = id }
}

public struct AgainReply: Codable, Equatable, Sendable {
  public var alarm: WireAlarm
  /// The number of the last change.
  public var sequence: Int64

  public init(alarm: WireAlarm, sequence: Int64) {
    self.alarm = alarm
    self.sequence = sequence
  }
}
