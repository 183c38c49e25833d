import Alarms
import EggTime

/// Makes ringing alarms ring again later.
public struct SnoozeCall: ScheduleMethod, SelectingCall {
  /// The interface's name for it.
  public static let method = "Snooze"
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
  /// How much later, 1 second to 366 days; the daemon's own (5 minutes) where it is left out.
  public var span: TimeSpan?

  /// These alarms, that much later.
  public init(_ selection: WireSelection, span: TimeSpan? = nil) {
    self.span = span
    self.selection = selection
  }
}

extension SnoozeCall {
  /// How much later it may be.
  public static let spans: ClosedRange<TimeSpan> = TimeSpan.seconds(1)...TimeSpan.seconds(366 * 86_400)
}
