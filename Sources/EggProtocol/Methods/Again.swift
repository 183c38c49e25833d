import Alarms

/// Makes a new alarm from the text that was typed for another, read anew.
public struct AgainCall: ScheduleMethod {
  /// The interface's name for it.
  public static let method = "Again"
  /// What it is answered with.
  public typealias Reply = AgainReply

  /// The other's number.
  public var number: Int64?
  /// The other's identity.
  public var id: AlarmID?

  /// Like the alarm of that number.
  public init(number: Int64) { self.number = number }

  /// Like the alarm of that identity.
  public init(id: AlarmID) { self.id = id }
}

/// The new alarm.
public struct AgainReply: Codable, Equatable, Sendable {
  /// The alarm that was made.
  public var alarm: WireAlarm
  /// The number of the last change.
  public var sequence: Int64

  /// All fields.
  public init(alarm: WireAlarm, sequence: Int64) {
    self.alarm = alarm
    self.sequence = sequence
  }
}
