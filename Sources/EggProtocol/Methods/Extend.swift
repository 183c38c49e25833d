import Alarms
import EggTime

/// Moves what alarms wait for: a moment, the end of a snooze, or what is left of a paused countdown.
public struct ExtendCall: ScheduleMethod, SelectingCall {
  public static let method = "Extend"
  public typealias Reply = AlarmsReply

  public var numbers: [Int64]?
  public var ids: [AlarmID]?
  public var ranges: [NumberRange]?
  public var all: Bool?
  /// How much later; negative for earlier.
  public var span: TimeSpan

  /// These alarms, by that much.
  public init(_ selection: WireSelection, span: TimeSpan) {
    self.span = span
    self.selection = selection
  }
}
