import Alarms
import EggTime

/// Moves what alarms wait for: a moment, the end of a snooze, or what is left of a paused countdown.
public struct ExtendCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "Extend"
  /// What it is answered with.
  public typealias Reply = AlarmsReply

  /// Numbers of alarms.
  public var numbers: [Int64]?
  /// Identities of alarms.
  public var ids: [AlarmID]?
  /// Ranges of numbers.
  public var ranges: [NumberRange]?
  /// Every alarm.
  public var all: Bool?
  /// How much later; negative for earlier.
  public var span: TimeSpan

  /// These alarms, by that much.
  public init(_ selection: WireSelection, span: TimeSpan) {
    self.span = span
    self.selection = selection
  }
}
