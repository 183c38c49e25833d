import Alarms
import EggTime

/// Moves the next ring: the moment of a one-shot, the end of a snooze, or what is left of a paused countdown.
public struct ExtendCall: ScheduleMethod, SelectingCall {
  public static let method = "Extend"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?
  /// Negative for earlier.
  public var span: TimeSpan

  public init(_ selection: WireSelection, span: TimeSpan) {
    self.span = span
    self.selection = selection
  }
}
