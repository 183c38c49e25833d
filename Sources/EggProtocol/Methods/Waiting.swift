import Alarms
import EggTime

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

/// Freezes countdowns, and has recurring alarms pass over what comes.
public struct PauseCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "Pause"
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

  /// These alarms.
  public init(_ selection: WireSelection) { self.selection = selection }
}

/// Lets paused alarms go on.
public struct ResumeCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "Resume"
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

  /// These alarms.
  public init(_ selection: WireSelection) { self.selection = selection }
}

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
