import Alarms
import EggTime

/// Snoozes ringing alarms.
public struct SnoozeCall: ScheduleMethod, SelectingCall {
  public static let method = "Snooze"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?
  /// How long, 1 second to 366 days; eggd's own setting (default 5 minutes) if absent.
  public var span: TimeSpan?

  public init(_ selection: WireSelection, span: TimeSpan? = nil) {
    self.span = span
    self.selection = selection
  }
}

extension SnoozeCall {
  public static let spans: ClosedRange<TimeSpan> = TimeSpan.seconds(1)...TimeSpan.seconds(366 * 86_400)
}
