import Alarms

/// Creates an alarm from another alarm's expression, read anew.
public struct AgainCall: ScheduleMethod {
  public static let method = "Again"
  public typealias Reply = AgainReply

  public var number: Int64?
  public var id: AlarmID?

  /// By one of the two.
  public init(number: Int64? = nil, id: AlarmID? = nil) { (self.number, self.id) = (number, id) }
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
