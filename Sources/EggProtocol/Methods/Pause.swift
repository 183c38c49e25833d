import Alarms

/// Freezes countdowns; recurring alarms skip occurrences until resumed.
public struct PauseCall: ScheduleMethod, SelectingCall {
  public static let method = "Pause"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?

  public init(_ selection: WireSelection) { self.selection = selection }
}
