import Alarms

/// Sets or clears the person's own mark.
public struct MarkDoneCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "MarkDone"
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
  /// Set, or cleared.
  public var done: Bool

  /// Of these alarms.
  public init(_ selection: WireSelection, done: Bool) {
    self.done = done
    self.selection = selection
  }
}
