import EggTime
import Varlink

/// Dismisses ringing and snoozed alarms.
public struct DismissCall: SelectingCall {
  public static let method = "Dismiss"
  public typealias Reply = AlarmsReply

  @Inlined public var selection: WireSelection

  public init(_ selection: WireSelection) { self.selection = selection }
}

public struct SnoozeCall: SelectingCall {
  public static let method = "Snooze"
  public typealias Reply = AlarmsReply

  @Inlined public var selection: WireSelection
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

public struct MarkDoneCall: SelectingCall {
  public static let method = "MarkDone"
  public typealias Reply = AlarmsReply

  @Inlined public var selection: WireSelection
  public var done: Bool

  public init(_ selection: WireSelection, done: Bool) {
    self.done = done
    self.selection = selection
  }
}
