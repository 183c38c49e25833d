import Alarms

/// Skips the next occurrence of waiting alarms.
public struct SkipCall: ScheduleMethod, SelectingCall {
  public static let method = "Skip"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?

  public init(_ selection: WireSelection) { self.selection = selection }
}
