import Alarms

/// Resumes paused alarms.
public struct ResumeCall: ScheduleMethod, SelectingCall {
  public static let method = "Resume"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?

  public init(_ selection: WireSelection) { self.selection = selection }
}
