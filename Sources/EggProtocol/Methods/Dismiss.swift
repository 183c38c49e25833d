import Alarms

/// Dismisses ringing and snoozed alarms.
public struct DismissCall: ScheduleMethod, SelectingCall {
  public static let method = "Dismiss"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?

  public init(_ selection: WireSelection) { self.selection = selection }
}
