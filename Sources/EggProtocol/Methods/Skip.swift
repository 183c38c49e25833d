import Alarms

/// Leaves out the next moment of alarms that wait.
public struct SkipCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "Skip"
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

  /// Of these alarms.
  public init(_ selection: WireSelection) { self.selection = selection }
}
