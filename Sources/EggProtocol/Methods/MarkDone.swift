import Alarms

/// Sets or clears the mark "done".
public struct MarkDoneCall: ScheduleMethod, SelectingCall {
  public static let method = "MarkDone"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?
  public var done: Bool

  public init(_ selection: WireSelection, done: Bool) {
    self.done = done
    self.selection = selection
  }
}
